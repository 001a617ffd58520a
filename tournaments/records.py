"""What a tournament knows about each entry and round: plain values, no database.

For each entry and round there is exactly one :class:`RoundRecord` of one :class:`Kind`. Pairing,
standings, tie-breaks and the report file read these values and nothing else. Points are counted in
half points, integers: a win is 2, a draw 1. Seat 1 is the starter, seat 2 the second player.
"""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What happened to one entry in one round; a closed set.

    ``FULL_BYE`` (a requested bye with a win's points) is only met in files of other programs.
    The rest of an odd round robin is a ``ZERO_BYE``.
    """

    PLAYED = "played"
    FORFEIT_WIN = "forfeit_win"
    FORFEIT_LOSS = "forfeit_loss"
    DOUBLE_FORFEIT = "double_forfeit"
    PAIRING_BYE = "pairing_bye"
    FULL_BYE = "full_bye"
    HALF_BYE = "half_bye"
    ZERO_BYE = "zero_bye"
    ABSENT = "absent"
    NOT_ENTERED = "not_entered"
    WITHDRAWN = "withdrawn"
    ADJOURNED = "adjourned"


ON_BOARD = frozenset({Kind.PLAYED, Kind.ADJOURNED})
"""A game was begun: the two have met, and the seat counts."""

FORFEITS = frozenset({Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS, Kind.DOUBLE_FORFEIT})
"""Paired, not played: opponent and seat are kept, but it is no meeting."""

PAIRED = ON_BOARD | FORFEITS | {Kind.PAIRING_BYE}
"""The entry took part in the pairing of the round."""

REQUESTED_BYES = frozenset({Kind.HALF_BYE, Kind.ZERO_BYE, Kind.ABSENT, Kind.NOT_ENTERED, Kind.WITHDRAWN})
"""C.07 16.1.1 (2026): half-point and zero-point byes; rounds before entry and after leaving are zero-point byes."""

VOLUNTARY = REQUESTED_BYES | {Kind.FORFEIT_LOSS, Kind.DOUBLE_FORFEIT}
"""C.07 16.1.2 (2026): rounds in which somebody was not available to play."""


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One entry in one round.

    ``half_points`` is what was awarded (an adjourned game: 0). ``rated`` tells games that count for
    rating from those played without. Games and forfeits have an opponent (and a seat, except in some
    foreign files); everything else has neither.
    """

    kind: Kind
    opponent: int | None = None
    seat: int | None = None
    half_points: int = 0
    rated: bool = False

    def __post_init__(self) -> None:
        if (self.kind in ON_BOARD | FORFEITS) != (self.opponent is not None):
            raise ValueError(f"{self.kind} with opponent {self.opponent}")
        if self.seat not in (None, 1, 2) or (self.kind in ON_BOARD) > (self.seat is not None):
            raise ValueError(f"{self.kind} with seat {self.seat}")


@dataclass(frozen=True, slots=True)
class Penalty:
    """Half points added (or, negative, taken away) by the arbiter, counting from after ``round``."""

    round: int
    half_points: int


@dataclass(frozen=True, slots=True)
class Contestant:
    """One entry: start number, name, rating (None: unrated) and its records of rounds 1, 2, ... in order.

    ``left`` marks somebody who has left the event for good; only the standings of a round robin ask.
    """

    number: int
    name: str = ""
    rating: int | None = None
    records: tuple[RoundRecord, ...] = ()
    left: bool = False
    penalties: tuple[Penalty, ...] = ()

    def score(self, rounds: int | None = None) -> int:
        """Half points after ``rounds`` rounds (all, where none is given), penalties included."""
        counted = self.records if rounds is None else self.records[:rounds]
        penalties = sum(p.half_points for p in self.penalties if p.round <= len(counted))
        return sum(record.half_points for record in counted) + penalties


@dataclass(frozen=True, slots=True)
class PointSystem:
    """Half points for a win, a draw, a loss, an absence (or lost forfeit) and the pairing-allocated bye."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    absence: int = 0
    bye: int = 2

    def __post_init__(self) -> None:
        if not self.win > self.draw > self.loss >= 0 or self.absence < 0 or self.bye < 0:
            raise ValueError("a win must be worth more than a draw, and a draw more than a loss")


STANDARD = PointSystem()


def points_text(half_points: int) -> str:
    """Half points as people and report files write points.

    >>> points_text(7)
    '3.5'
    """
    sign = "-" if half_points < 0 else ""
    return f"{sign}{abs(half_points) // 2}.{5 * (half_points % 2)}"
