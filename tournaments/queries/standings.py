"""Standings and cross table, computed from the records each time they are asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from tournaments.errors import NotFound
from tournaments.event import System
from tournaments.models import Entry, Participation, Result, Tournament
from tournaments.queries.field import Field, contestants, field_of, present_numbers, unplayed_half_points
from tournaments.records import points_text
from tournaments.standings import Row, standings

MARKS = {0: "0", 1: "½", 2: "1"}
UNPLAYED_MARKS = {
    Participation.Kind.HALF_BYE: "½",
    Participation.Kind.ZERO_BYE: "–",
    Participation.Kind.ABSENT: "–",
    Participation.Kind.NOT_ENTERED: "",
    Participation.Kind.WITHDRAWN: "",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry in one round: the result mark, against which start number, on which seat."""

    mark: str = ""
    opponent: int | None = None
    seat: int | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: the place, the entry, and its rounds or opponents, worked out where they are shown."""

    row: Row
    entry: Entry
    find_cells: Callable[[], tuple[Cell, ...]]

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.find_cells()

    @property
    def points(self) -> str:
        return points_text(self.row.half_points)

    @property
    def tiebreaks(self) -> list[str]:
        """The printed values in the order of the list."""
        return list(self.row.tiebreaks.values())


@dataclass(frozen=True, slots=True)
class Table:
    """The standings after round `after`; `columns` head the cells: rounds, or start numbers of opponents."""

    after: int
    is_complete: bool
    codes: tuple[str, ...]
    columns: tuple[int, ...]
    by_opponent: bool
    lines: tuple[Line, ...]


def table_of(tournament: Tournament, after: int | None = None) -> Table:
    """The standings after a round that has begun, by default after the last complete one.

    Games that are still on count as not yet played. Raises NotFound.
    """
    return table(field_of(tournament), after)


def table(field: Field, after: int | None = None) -> Table:
    """As `table_of`, from a field that was read already."""
    after = field.complete if after is None else after
    if not 0 <= after <= field.begun:
        raise NotFound(_("This round has not begun."))
    tournament, numbers = field.tournament, present_numbers(field)
    rows = standings(
        contestants(field, numbers, through=after),
        tournament.tiebreaks,
        system=System.SWISS if tournament.is_swiss else System.ROUND_ROBIN,
        rounds_total=tournament.rounds or max(after, 1),
        after=after,
        points=field.points,
    )
    entry_of = {numbers[entry.pk]: entry for entry in field.entries}
    columns = tuple(range(1, after + 1)) if tournament.is_swiss else tuple(row.number for row in rows)
    return Table(
        after=after,
        is_complete=after <= field.complete,
        codes=tuple(tournament.tiebreaks),
        columns=columns,
        by_opponent=not tournament.is_swiss,
        lines=tuple(
            Line(row, entry, partial(_cells, field, entry, numbers, after, columns))
            for row, entry in ((row, entry_of[row.number]) for row in rows)
        ),
    )


def _cells(
    field: Field, entry: Entry, numbers: Mapping[int, int], after: int, columns: tuple[int, ...]
) -> tuple[Cell, ...]:
    by_round = [_cell(field, entry, number, numbers) for number in range(1, after + 1)]
    if field.tournament.is_swiss:
        return tuple(by_round)
    met: dict[int, str] = {}
    for cell in by_round:
        if cell.opponent is not None:
            met[cell.opponent] = met.get(cell.opponent, "") + cell.mark
    own = numbers[entry.pk]
    return tuple(Cell("×") if number == own else Cell(met.get(number, ""), number) for number in columns)


def _cell(field: Field, entry: Entry, number: int, numbers: Mapping[int, int]) -> Cell:
    record = field.records[entry.pk][number]
    if record.board is None:
        if record.kind == Participation.Kind.PAIRING_BYE:
            half_points = unplayed_half_points(field.tournament, record.kind)
            return Cell(MARKS[half_points], kind=record.kind)
        return Cell(UNPLAYED_MARKS[Participation.Kind(record.kind)], kind=record.kind)
    board, seat = record.board, record.seat
    assert seat is not None
    opponent = numbers[board.second_id if seat == 1 else board.starter_id]
    if board.result is None:
        return Cell("·", opponent, seat, record.kind)
    result = Result(board.result)
    half_points = result.half_points[seat - 1]
    mark = ("+" if half_points else "−") if result.is_forfeit else MARKS[half_points]
    return Cell(mark, opponent, seat, record.kind)


def standings_object(table: Table) -> list[dict[str, object]]:
    """The list of the protocol: points and tie-breaks as decimal strings."""
    return [
        {
            "rank": line.row.rank,
            "entry": line.entry.pk,
            "number": line.row.number,
            "player": line.entry.player.username,
            "name": line.entry.player.name,
            "rating": line.entry.rating,
            "points": line.points,
            "tiebreaks": dict(line.row.tiebreaks),
            "withdrawn": line.entry.is_withdrawn,
            "counts": line.row.counts,
        }
        for line in table.lines
    ]
