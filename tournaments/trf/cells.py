"""The rounds of 001 records: ten columns each, read together because each game stands in two lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.records import Kind, PointSystem, RoundRecord
from tournaments.trf.lines import Line
from tournaments.trf.report import CODE_TO_KIND

FIRST_COLUMN = 92
WIDTH = 10

_OLD_CODES = {"+": "F", "-": "Z", "=": "H", " ": "Z"}
"""Other spellings of a round without an opponent."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One player's round as the file writes it; ``opponent`` 0 and ``seat`` None where there is none."""

    line: Line
    column: int
    opponent: int
    seat: int | None
    code: str

    @property
    def paired(self) -> bool:
        """Whether the player took part in the pairing of the round."""
        return self.opponent > 0 or self.code == "U"

    @property
    def on_board(self) -> bool:
        return self.code in "1=0WDL?"

    def fail_code(self, message: str) -> None:
        self.line.fail(self.column + 7, message)


def read_cells(line: Line, own_number: int) -> tuple[Cell | None, ...]:
    """The rounds of one 001 line, None for blank ones, without blank ones at the end."""
    cells = [
        _read_cell(line, column, own_number)
        for column in range(FIRST_COLUMN, len(line.text.rstrip()) + 1, WIDTH)
    ]
    while cells and cells[-1] is None:
        cells.pop()
    return tuple(cells)


def _read_cell(line: Line, column: int, own_number: int) -> Cell | None:
    if not line.cut(column, column + 7).strip():
        line.blank(column, column + 9)
        return None
    opponent = line.integer(column, column + 3, "the opponent") or 0
    if opponent == own_number:
        line.fail(column, "nobody plays himself")
    for gap in (column + 4, column + 6, column + 8, column + 9):
        line.blank(gap, gap)
    seat_letter = line.cut(column + 5, column + 5).lower()
    if seat_letter not in "wb- ":
        line.fail(column + 5, f"the side must be w, b or -, not {seat_letter!r}")
    seat = {"w": 1, "b": 2}.get(seat_letter)
    code = line.cut(column + 7, column + 7).upper().replace("X", "?")
    cell = Cell(line, column, opponent, seat, code if opponent else _OLD_CODES.get(code, code))
    _check_cell(cell)
    return cell


def _check_cell(cell: Cell) -> None:
    if not cell.opponent:
        if cell.code not in CODE_TO_KIND:
            cell.fail_code(f"a round without an opponent cannot have the result {cell.code!r}")
        if cell.seat:
            cell.line.fail(cell.column + 5, "a round without an opponent has no side")
    elif cell.code not in "+-" and not cell.on_board:
        cell.fail_code(f"a game cannot have the result {cell.code!r}")
    elif cell.on_board and not cell.seat:
        cell.line.fail(cell.column + 5, "a game needs a side, w or b")


def rounds_played(rows: Sequence[Sequence[Cell | None]]) -> int:
    """How many rounds the file holds: a last column of byes alone belongs to the coming round.

    Unless everybody has a bye there: that round is over.
    """
    columns = max((len(row) for row in rows), default=0)
    paired = max(
        (index for row in rows for index, cell in enumerate(row, 1) if cell and cell.paired), default=0
    )
    played = max(paired, columns - 1)
    if rows and all(len(row) > played for row in rows):
        played += 1
    return max(played, 0)


def records_of(
    number: int, rows: Mapping[int, Sequence[Cell | None]], rounds: int, points: PointSystem
) -> tuple[RoundRecord, ...]:
    """The records of one player; what the opponent's line says must fit."""
    absent = RoundRecord(Kind.ZERO_BYE, half_points=points.absence)
    records = []
    for index in range(rounds):
        cell = _cell(rows, number, index)
        records.append(absent if cell is None else _record(cell, number, index, rows, points))
    return tuple(records)


def _cell(rows: Mapping[int, Sequence[Cell | None]], number: int, index: int) -> Cell | None:
    row = rows[number]
    return row[index] if index < len(row) else None


def _record(
    cell: Cell, number: int, index: int, rows: Mapping[int, Sequence[Cell | None]], points: PointSystem
) -> RoundRecord:
    worth = half_points_of(cell.code, points)
    if not cell.opponent:
        return RoundRecord(CODE_TO_KIND[cell.code], half_points=worth)
    if cell.opponent not in rows:
        cell.line.fail(cell.column, f"there is no player {cell.opponent}")
    other = _cell(rows, cell.opponent, index)
    if other is None or other.opponent != number:
        cell.line.fail(cell.column, f"player {cell.opponent} has another opponent, or none, in this round")
    _check_pair(cell, other)
    if cell.on_board:
        kind = Kind.ADJOURNED if cell.code == "?" else Kind.PLAYED
    elif cell.code == "+":
        kind = Kind.FORFEIT_WIN
    else:
        kind = Kind.DOUBLE_FORFEIT if other.code == "-" else Kind.FORFEIT_LOSS
    return RoundRecord(kind, cell.opponent, cell.seat, worth, rated=cell.code in "1=0")


def _check_pair(cell: Cell, other: Cell) -> None:
    if (cell.seat, other.seat) not in {(1, 2), (2, 1), (None, None)}:
        cell.line.fail(cell.column + 5, f"the sides of this game do not fit: see player {cell.opponent}")
    if cell.on_board != other.on_board or _too_much(cell.code, other.code):
        cell.fail_code(f"{cell.code} contradicts the {other.code} of player {cell.opponent}")


def _too_much(own: str, other: str) -> bool:
    """Whether the two claim more than one point between them."""
    better = "1W+" if own in "=D" else "1W+=D"
    return own in "1W+=D" and other in better


def half_points_of(code: str, points: PointSystem) -> int:
    """What a result code is worth; an adjourned game nothing yet."""
    worth = {
        **dict.fromkeys("1W+F", points.win),
        **dict.fromkeys("=DH", points.draw),
        **dict.fromkeys("0L", points.loss),
        **dict.fromkeys("-Z", points.absence),
        "U": points.bye,
        "?": 0,
    }
    return worth[code]
