"""The board as an onlooker sees it: squares, pieces and lines are text.

>>> board = Board(code="L", mask="F")
>>> for piece, square in zip("0124", ("a1", "b1", "c1", "d1")):
...     board.give(piece)
...     board.place(square)
>>> board.claimable()
['a1-d1']
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

PIECES = "0123456789ABCDEF"
FILES, RANKS = "abcd", "1234"
SQUARES = [file + rank for rank in RANKS for file in FILES]

ROWS = {f"a{rank}-d{rank}": [file + rank for file in FILES] for rank in RANKS}
COLUMNS = {f"{file}1-{file}4": [file + rank for rank in RANKS] for file in FILES}
DIAGONALS = {"a1-d4": ["a1", "b2", "c3", "d4"], "a4-d1": ["a4", "b3", "c2", "d1"]}
BLOCKS = {
    f"{left}{low}-{right}{high}": [left + low, right + low, left + high, right + high]
    for low, high in pairwise(RANKS)
    for left, right in pairwise(FILES)
}
LINES = {
    "L": ROWS | COLUMNS | DIAGONALS,
    "LS": ROWS | COLUMNS | DIAGONALS | BLOCKS,
    "OS": ROWS | COLUMNS | BLOCKS,
}
"""Every line of a line set: its canonical name and its four squares."""

LETTERS = {"give": "G", "place": "P", "end": "E", "reply": "F", "over": "X"}


class Impossible(Exception):
    """Something that the rules do not allow, in words."""


def alike(pieces: Iterable[str], mask: str) -> bool:
    """Whether all the pieces share a value of an attribute that counts.

    >>> alike("27BE", "F"), alike("27BE", "1")
    (True, False)
    """
    written = [format(int(piece, 16), "04b") for piece in pieces]
    counts = format(int(mask, 16), "04b")
    return any(bit == "1" and len(set(values)) == 1 for bit, *values in zip(counts, *written, strict=True))


@dataclass
class Board:
    """The pieces, the piece in hand, the last square, and whose windows on it are closed."""

    code: str
    mask: str
    pieces: dict[str, str] = field(default_factory=dict)
    hand: str | None = None
    last: str | None = None
    phase: str = "give"
    closed: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, rules: str) -> "Board":
        code, _, mask = rules.partition(":")
        return cls(code, mask)

    @property
    def rules(self) -> str:
        return f"{self.code}:{self.mask}"

    @property
    def to_act(self) -> int | None:
        """Seat 1 gives first and places the even pieces; a placer gives next and has the first end window."""
        count = len(self.pieces)
        if self.phase == "over":
            return None
        if self.phase == "place":
            return 2 if count % 2 == 0 else 1
        if self.phase == "reply":
            return 2
        return 1 if count % 2 == 0 else 2

    def free_pieces(self) -> list[str]:
        return [piece for piece in PIECES if piece != self.hand and piece not in self.pieces.values()]

    def free_squares(self) -> list[str]:
        return [square for square in SQUARES if square not in self.pieces]

    def give(self, piece: str) -> None:
        if self.phase != "give":
            raise Impossible(f"piece {piece} is given in the phase {self.phase}")
        if piece not in self.free_pieces():
            raise Impossible(f"piece {piece} is given a second time")
        self.hand, self.phase = piece, "place"

    def place(self, square: str) -> None:
        if self.phase != "place" or self.hand is None:
            raise Impossible(f"a piece is placed on {square} in the phase {self.phase}")
        if square in self.pieces:
            raise Impossible(f"a piece is placed on {square}, which is occupied")
        self.pieces[square] = self.hand
        self.hand, self.last, self.closed = None, square, set()
        self.phase = "end" if len(self.pieces) == 16 else "give"

    def let_pass(self) -> None:
        if self.phase not in ("end", "reply"):
            raise Impossible(f"a pass in the phase {self.phase}")
        self.phase = "reply" if self.phase == "end" else "over"

    def window_open(self, seat: int) -> bool:
        """The placer's window lasts until he gives, the opponent's from then until he places."""
        return self.last is not None and seat == self.to_act and seat not in self.closed

    def claimable(self) -> list[str]:
        """The lines that the last placement completed, sorted by name."""
        return sorted(
            name
            for name, squares in LINES[self.code].items()
            if self.last in squares
            and all(square in self.pieces for square in squares)
            and alike([self.pieces[square] for square in squares], self.mask)
        )

    def write(self) -> str:
        """The position string."""
        ranks = ["".join(self.pieces.get(file + rank, ".") for file in FILES) for rank in reversed(RANKS)]
        closed = "".join(str(seat) for seat in sorted(self.closed)) or "-"
        side = str(self.to_act or "-")
        return " ".join(
            [
                "/".join(ranks),
                self.hand or "-",
                side,
                LETTERS[self.phase],
                self.last or "-",
                closed,
                self.rules,
            ]
        )
