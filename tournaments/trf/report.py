"""What a report file says, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

from tournaments.records import PAIRED, STANDARD, Contestant, Kind, PointSystem


class TrfError(ValueError):
    """The file cannot be read; ``line`` and ``column`` count from 1."""

    code = "unreadable_report"

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column
        self.message = message


class Dialect(StrEnum):
    """TRF16 with XX records, or TRF26."""

    TRF16 = "trf16"
    TRF26 = "trf26"


HEADERS = (
    ("012", "name"),
    ("022", "city"),
    ("032", "federation"),
    ("042", "starts_on"),
    ("052", "ends_on"),
    ("062", "players_stated"),
    ("072", "rated_players_stated"),
    ("092", "kind_of_event"),
    ("102", "chief_arbiter"),
    ("122", "time_control"),
)
"""Records of one text, in both dialects, with the report's field."""

HEADERS_OF_2026 = (
    ("172", "ranking_method"),
    ("182", "controller"),
    ("192", "type_code"),
    ("222", "time_code"),
)

CODE_TO_KIND = {
    "U": Kind.PAIRING_BYE,
    "F": Kind.FULL_BYE,
    "H": Kind.HALF_BYE,
    "Z": Kind.ZERO_BYE,
}
"""Result codes of rounds without an opponent."""


@dataclass(frozen=True, slots=True)
class ReportPlayer:
    """One 001 record: the contestant, and what only the file wants to know.

    ``half_points`` and ``rank`` are as printed, None where the columns are blank.
    """

    contestant: Contestant
    half_points: int | None = None
    rank: int | None = None
    sex: str = ""
    title: str = ""
    federation: str = ""
    identifier: str = ""
    birth: str = ""


@dataclass(frozen=True, slots=True)
class PlannedBye:
    """Who will not play in a round that is not paired yet, and the bye he gets (240)."""

    round: int
    number: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Prohibition:
    """Numbers of whom no two may meet from ``first_round`` to ``last_round`` (None: to the end) (XXP, 260)."""

    numbers: tuple[int, ...]
    first_round: int = 1
    last_round: int | None = None


@dataclass(frozen=True, slots=True)
class Abnormal:
    """Points given out of the ordinary (299): of a result in ``round``, or, with a blank ``code``, besides.

    Round 999 is for the final standings alone.
    """

    code: str
    half_points: int
    round: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """A whole file. Contestants have records for exactly ``rounds_played`` rounds.

    ``first_seat`` is the initial side (seat of the top number in round 1), ``acceleration`` virtual half
    points by start number and round. Texts are as in the file; empty means that there is no record.
    ``others`` are records that this project does not know, kept as they are.
    """

    players: tuple[ReportPlayer, ...] = ()
    rounds_played: int = 0
    rounds_total: int | None = None
    first_seat: int | None = None
    points: PointSystem = STANDARD
    byes: tuple[PlannedBye, ...] = ()
    prohibitions: tuple[Prohibition, ...] = ()
    acceleration: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    abnormal: tuple[Abnormal, ...] = ()
    name: str = ""
    city: str = ""
    federation: str = ""
    starts_on: str = ""
    ends_on: str = ""
    players_stated: str = ""
    rated_players_stated: str = ""
    kind_of_event: str = ""
    chief_arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control: str = ""
    round_dates: tuple[str, ...] = ()
    ranking_method: str = ""
    controller: str = ""
    type_code: str = ""
    tie_breaks: tuple[str, ...] = ()
    standings_order: tuple[str, ...] = ()
    time_code: str = ""
    comments: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def contestants(self) -> tuple[Contestant, ...]:
        return tuple(player.contestant for player in self.players)

    @property
    def coming_round(self) -> int:
        """The round to pair next."""
        return self.rounds_played + 1

    @property
    def absent(self) -> frozenset[int]:
        """Who is not to be paired in the coming round."""
        return frozenset(bye.number for bye in self.byes if bye.round == self.coming_round)

    @property
    def forbidden(self) -> frozenset[frozenset[int]]:
        """The pairs that may not meet in the coming round."""
        return frozenset(
            frozenset(pair)
            for ban in self.prohibitions
            if ban.first_round <= self.coming_round <= (ban.last_round or self.coming_round)
            for pair in combinations(sorted(set(ban.numbers)), 2)
        )

    @property
    def inferred_first_seat(self) -> int:
        """The initial side as round 1 (or the first with games) shows it, seat 1 where nothing does.

        Numbers are counted among those paired so far: odd ones have the initial side, even ones the other.
        """
        entries = self.contestants
        seated = [i for entry in entries for i, record in enumerate(entry.records) if record.seat]
        first = min(seated, default=0)
        paired = [entry for entry in entries if any(r.kind in PAIRED for r in entry.records[: first + 1])]
        for index, entry in enumerate(paired):
            seat = entry.records[first].seat
            if seat is not None:
                return seat if index % 2 == 0 else 3 - seat
        return 1
