"""A tournament's field as plain values: what pairing, standings and exports are computed from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from tournaments.models import Absence, Entry, Participation, Result, Round, Tournament
from tournaments.records import Contestant, Kind, PointSystem, RoundRecord

READS_WITHOUT_LOCK = 3
NUMBERS_FIXED_FROM = 5
"""Start numbers may change until round 4 is paired (C.04.2 article 2, 2026)."""


class StoredBoard(NamedTuple):
    """A `Board` row as far as results are computed from it."""

    pk: int
    round_id: int
    number: int
    starter_id: int
    second_id: int
    game_id: str | None
    result: str | None


class StoredRecord(NamedTuple):
    """A `Participation` row. There are thousands in a large event, and a model of each would cost most of a page."""

    entry_id: int
    kind: str
    seat: int | None
    board: StoredBoard | None


@dataclass(frozen=True, slots=True)
class Field:
    """Everybody and everything of one tournament, read in a constant number of queries.

    `records` are the participations by entry and round number, drafts included; `absences` the kinds of
    byes asked for, by entry and round number.
    """

    tournament: Tournament
    entries: tuple[Entry, ...]
    rounds: tuple[Round, ...]
    records: Mapping[int, Mapping[int, StoredRecord]]
    absences: Mapping[tuple[int, int], str]

    @property
    def begun(self) -> int:
        """How many rounds have begun."""
        return sum(round_.is_begun for round_ in self.rounds)

    @property
    def complete(self) -> int:
        """The number of the last complete round before which every round is complete."""
        number = 0
        for round_ in self.rounds:
            if round_.status != Round.Status.COMPLETE:
                break
            number = round_.number
        return number

    @property
    def draft(self) -> Round | None:
        """The round that is paired and not begun."""
        return next((round_ for round_ in self.rounds if not round_.is_begun), None)

    @property
    def points(self) -> PointSystem:
        return PointSystem(bye=self.tournament.bye_half_points)


def field_of(tournament: Tournament) -> Field:
    """The field at one moment: four queries, however many players and rounds.

    The queries are no transaction, which would hold up every live game; where the version changed
    meanwhile they are made again, in the end as one. `tournament` is brought up to date then.
    """
    for _attempt in range(READS_WITHOUT_LOCK):
        field = _read(tournament)
        if field is not None:
            return field
        tournament.refresh_from_db()
    with transaction.atomic():
        tournament.refresh_from_db(from_queryset=Tournament.objects.select_for_update())
        field = _read(tournament)
    assert field is not None, "nothing changes while it is locked"
    return field


def _read(tournament: Tournament) -> Field | None:
    """None where what was read belongs to two versions."""
    entries = tuple(tournament.entries.select_related("player").order_by("number", "pk"))
    asked = Absence.objects.filter(entry__tournament=tournament)
    absences = {(entry_id, number): kind for entry_id, number, kind in asked.values_list(*ABSENCE)}
    stored = list(Participation.objects.filter(round__tournament=tournament).values_list(*RECORD))
    # The version comes with the last of the queries, or by one more where there is no round yet.
    rounds = tuple(tournament.round_set.annotate(version_then=F("tournament__version")).order_by("number"))
    if (rounds[0].version_then if rounds else _version_now(tournament)) != tournament.version:
        return None
    number_of = {round_.pk: round_.number for round_ in rounds}
    records: dict[int, dict[int, StoredRecord]] = {entry.pk: {} for entry in entries}
    for round_id, entry_id, kind, seat, *board in stored:
        sat = None if seat is None else StoredBoard(*board)
        records[entry_id][number_of[round_id]] = StoredRecord(entry_id, kind, seat, sat)
    return Field(tournament, entries, rounds, records, absences)


ABSENCE = ("entry_id", "round_number", "kind")
RECORD = ("round_id", "entry_id", "kind", "seat", *(f"board__{name}" for name in StoredBoard._fields))


def _version_now(tournament: Tournament) -> int:
    return Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)


def start_numbers(field: Field, *, for_round: int) -> dict[int, int]:
    """Start number by entry: by rating, then name; those who come later than the fixing are added at the end.

    The numbers of a round robin are fixed by its first pairing, since its schedule is.
    """
    fixed = for_round >= NUMBERS_FIXED_FROM or (for_round > 1 and not field.tournament.is_swiss)

    def order(entry: Entry) -> tuple[int, int, str, int]:
        kept = entry.number if fixed and entry.number is not None else 10**6
        return (kept, -entry.rating, entry.player.name.casefold(), entry.pk)

    return {entry.pk: number for number, entry in enumerate(sorted(field.entries, key=order), 1)}


def present_numbers(field: Field) -> dict[int, int]:
    """The stored start numbers, or the order they will have where nobody was numbered yet."""
    if all(entry.number is not None for entry in field.entries):
        return {entry.pk: entry.number or 0 for entry in field.entries}
    return start_numbers(field, for_round=field.begun + 1)


def contestants(field: Field, numbers: Mapping[int, int], *, through: int) -> list[Contestant]:
    """Every entry with its records of rounds 1 to `through`, by start number.

    The record of a game that is still on, which only the last of these rounds can have, is left out.
    """
    everybody = [
        Contestant(
            number=numbers[entry.pk],
            name=entry.player.name,
            rating=entry.rating,
            records=tuple(
                record
                for number in range(1, through + 1)
                if (record := _record(field, field.records[entry.pk][number], numbers)) is not None
            ),
            left=entry.is_withdrawn,
        )
        for entry in field.entries
    ]
    return sorted(everybody, key=lambda contestant: contestant.number)


def _record(field: Field, participation: StoredRecord, numbers: Mapping[int, int]) -> RoundRecord | None:
    if participation.board is None:
        return RoundRecord(
            Kind(participation.kind), half_points=unplayed_half_points(field.tournament, participation.kind)
        )
    board, seat = participation.board, participation.seat
    assert seat is not None, "who is on a board has a seat"
    if board.result is None:
        return None
    opponent = numbers[board.second_id if seat == 1 else board.starter_id]
    result = Result(board.result)
    half_points = result.half_points[seat - 1]
    if not result.is_forfeit:
        return RoundRecord(Kind.PLAYED, opponent, seat, half_points, rated=True)
    if result is Result.BOTH_FORFEITED:
        return RoundRecord(Kind.DOUBLE_FORFEIT, opponent, seat)
    kind = Kind.FORFEIT_WIN if half_points else Kind.FORFEIT_LOSS
    return RoundRecord(kind, opponent, seat, half_points)


def unplayed_half_points(tournament: Tournament, kind: str) -> int:
    """What a round without a board is worth."""
    return {
        Participation.Kind.PAIRING_BYE: tournament.bye_half_points,
        Participation.Kind.HALF_BYE: 1,
        Participation.Kind.NOT_ENTERED: tournament.late_half_points,
    }.get(Participation.Kind(kind), 0)
