"""Squares, pieces and lines: their numbers, their names and how people cite them.

Squares are the integers 0 to 15 for a1, b1, c1, d1, a2, ... d4; pieces are 0 to 15, a bit for each attribute.
"""

from __future__ import annotations

from dataclasses import dataclass

Cited = tuple[int, int]

SQUARES = tuple(file + rank for rank in "1234" for file in "abcd")
PIECES = "0123456789ABCDEF"
ATTRIBUTES = (("light", "dark"), ("short", "tall"), ("round", "square"), ("solid", "hollow"))
"""The two values of each attribute, from bit 0 of a piece to bit 3."""

_SQUARE = {name: square for square, name in enumerate(SQUARES)}
_PIECE = {digit: piece for piece, digit in enumerate(PIECES)} | {
    digit.lower(): piece for piece, digit in enumerate(PIECES)
}


class IllegalAction(Exception):
    """This is not possible now."""

    code = "illegal"


class BadRequest(IllegalAction):
    """There is no such action, piece, square or line."""

    code = "bad_request"


def square_name(square: int) -> str:
    """The name of a square.

    >>> square_name(0), square_name(3), square_name(4)
    ('a1', 'd1', 'a2')
    """
    return SQUARES[square]


def parse_square(text: object) -> int:
    """The square of that name, in either case; raises BadRequest."""
    square = _SQUARE.get(text.lower()) if isinstance(text, str) else None
    if square is None:
        raise BadRequest
    return square


def piece_name(piece: int) -> str:
    """The hexadecimal digit of a piece.

    >>> piece_name(10)
    'A'
    """
    return PIECES[piece]


def parse_piece(text: object) -> int:
    """The piece of that hexadecimal digit, in either case; raises BadRequest."""
    piece = _PIECE.get(text) if isinstance(text, str) else None
    if piece is None:
        raise BadRequest
    return piece


def attributes(piece: int) -> tuple[str, str, str, str]:
    """The four values of a piece.

    >>> attributes(0xA)
    ('light', 'tall', 'round', 'hollow')
    """
    light, short, round_, solid = (pair[piece >> bit & 1] for bit, pair in enumerate(ATTRIBUTES))
    return light, short, round_, solid


@dataclass(frozen=True, slots=True)
class Line:
    """Four squares and the canonical name that cites them."""

    name: str
    squares: tuple[int, int, int, int]


def _line(*squares: int, ends: tuple[int, int] | None = None) -> Line:
    first, last = ends or (squares[0], squares[3])
    return Line(f"{SQUARES[first]}-{SQUARES[last]}", (squares[0], squares[1], squares[2], squares[3]))


_ORTHOGONALS = tuple(_line(*range(rank * 4, rank * 4 + 4)) for rank in range(4)) + tuple(
    _line(*range(file, 16, 4)) for file in range(4)
)
_DIAGONALS = (_line(0, 5, 10, 15), _line(3, 6, 9, 12, ends=(12, 3)))
_BLOCKS = tuple(_line(low, low + 1, low + 4, low + 5) for low in (0, 1, 2, 4, 5, 6, 8, 9, 10))

LINES = {
    "L": _ORTHOGONALS + _DIAGONALS,
    "LS": _ORTHOGONALS + _DIAGONALS + _BLOCKS,
    "OS": _ORTHOGONALS + _BLOCKS,
}
"""The lines of each set: rows, columns and diagonals; those and the 2x2 squares; no diagonals but squares."""

LINES_THROUGH = {
    code: tuple(tuple(line for line in lines if square in line.squares) for square in range(16))
    for code, lines in LINES.items()
}

_CITED: dict[Cited, str] = {
    (min(ends), max(ends)): line.name
    for line in LINES["LS"]
    for ends in ((line.squares[0], line.squares[3]), *([line.squares[1:3]] if line in _BLOCKS else []))
}


def parse_line(text: object) -> Cited:
    """The two squares that cite a line, the lower one first; raises BadRequest unless they are two squares.

    >>> parse_line("D1-a1")
    (0, 3)
    """
    names = text.split("-") if isinstance(text, str) else ()
    if len(names) != 2:
        raise BadRequest
    first, second = parse_square(names[0]), parse_square(names[1])
    if first == second:
        raise BadRequest
    return (first, second) if first < second else (second, first)


def line_name(cited: Cited) -> str:
    """The canonical name of what was cited, whether it is a line or not.

    >>> line_name((3, 12)), line_name(parse_line("c2-b3")), line_name((0, 7))
    ('a4-d1', 'b2-c3', 'a1-d2')
    """
    return _CITED.get(cited) or f"{SQUARES[cited[0]]}-{SQUARES[cited[1]]}"
