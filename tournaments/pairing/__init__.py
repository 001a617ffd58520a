"""Who meets whom: plain values in, boards out. No module here knows of a database or a clock."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pairing:
    """One round: ``(starter, second)`` by start number, first board first, and who has no game.

    ``bye`` is the pairing-allocated bye of a Swiss, the rest of a round robin, or None.
    """

    boards: tuple[tuple[int, int], ...]
    bye: int | None = None


class PairingError(Exception):
    """The round cannot be paired."""

    code = "pairing_failed"


class NotEnoughPlayers(PairingError):
    """Fewer than two players are there."""

    code = "not_enough_players"

    def __init__(self) -> None:
        super().__init__("fewer than two players are there to be paired")
