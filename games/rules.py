"""The rules of the game as plain values: variants, policies for false claims, positions.

Invariant: a position is never changed. A transition returns a new position or raises an `IllegalAction`.

A line is filled exactly once, by the placement of its fourth piece. So what may be claimed follows from the
board and the last square alone, and nobody keeps a list of dead lines. WARNING: a position stored or rebuilt
without `last` loses its claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from games.board import (
    ATTRIBUTES,
    LINES,
    LINES_THROUGH,
    PIECES,
    SQUARES,
    BadRequest,
    IllegalAction,
    Line,
    attributes,
    line_name,
    parse_line,
    parse_piece,
    parse_square,
    piece_name,
    square_name,
)

__all__ = [
    "ATTRIBUTES",
    "EMPTY_BOARD",
    "LINES",
    "LINES_THROUGH",
    "PIECES",
    "SQUARES",
    "BadClaims",
    "BadRequest",
    "BadRules",
    "ClaimPolicy",
    "IllegalAction",
    "Line",
    "LineRequired",
    "NoWindow",
    "NotYourTurn",
    "Phase",
    "PieceTaken",
    "Position",
    "Rules",
    "SquareTaken",
    "WrongPhase",
    "attributes",
    "line_name",
    "parse_line",
    "parse_piece",
    "parse_square",
    "piece_name",
    "square_name",
]

Phase = Literal["give", "place", "end", "reply", "over"]


class NotYourTurn(IllegalAction):
    """It is not your turn."""

    code = "not_your_turn"


class WrongPhase(IllegalAction):
    """Something else has to be done first."""

    code = "wrong_phase"


class PieceTaken(IllegalAction):
    """This piece has already been given."""

    code = "piece_taken"


class SquareTaken(IllegalAction):
    """This square is occupied."""

    code = "square_taken"


class NoWindow(IllegalAction):
    """You cannot claim a line at this moment."""

    code = "no_window"


class LineRequired(IllegalAction):
    """Point at the line you claim."""

    code = "line_required"


class BadRules(ValueError):
    """A variant is written L, LS or OS, a colon and a hexadecimal digit from 1 to F."""


class BadClaims(ValueError):
    """The policy for false claims is lose, void or strikes=N with N from 1 to 99."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A variant: the line set and the mask of the attributes that count, by the bits of a piece."""

    lines: str
    mask: int

    @staticmethod
    @cache
    def _known() -> dict[str, Rules]:
        return {f"{lines}:{PIECES[mask]}": Rules(lines, mask) for lines in LINES for mask in range(1, 16)}

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read `L:F`; raises BadRules.

        >>> str(Rules.parse("LS:3"))
        'LS:3'
        """
        rules = cls._known().get(text) if isinstance(text, str) else None
        if rules is None:
            raise BadRules(BadRules.__doc__)
        return rules

    def __str__(self) -> str:
        return f"{self.lines}:{PIECES[self.mask]}"


@dataclass(frozen=True, slots=True)
class ClaimPolicy:
    """What a false claim costs: the game at the `limit`-th of a player, or never the game (None)."""

    text: str
    limit: int | None

    @classmethod
    def parse(cls, text: str) -> ClaimPolicy:
        """Read `lose`, `void` or `strikes=N`; raises BadClaims.

        >>> ClaimPolicy.parse("strikes=3").limit
        3
        """
        if text in ("lose", "void"):
            return cls(text, 1 if text == "lose" else None)
        strikes = re.fullmatch("strikes=([1-9][0-9]?)", text) if isinstance(text, str) else None
        if strikes is None:
            raise BadClaims(BadClaims.__doc__)
        return cls(text, int(strikes[1]))

    def __str__(self) -> str:
        return self.text


EMPTY_BOARD: tuple[int | None, ...] = (None,) * 16


class Position(NamedTuple):
    """One moment of a game.

    `board` holds a piece or None for each of the 16 squares; `last` is the square of the last placement;
    `closed` the seats whose window on that placement a void claim has closed, in order.
    """

    board: tuple[int | None, ...]
    hand: int | None
    to_act: int | None
    phase: Phase
    last: int | None
    closed: tuple[int, ...]
    rules: Rules

    @classmethod
    def start(cls, rules: Rules) -> Position:
        """The empty board, seat 1 to give."""
        return cls(EMPTY_BOARD, None, 1, "give", None, (), rules)

    @property
    def placed(self) -> int:
        """The number of pieces on the board."""
        return 16 - self.board.count(None)

    @property
    def placer(self) -> int | None:
        """The seat that made the last placement: seat 2 makes the odd ones."""
        return None if self.last is None else 1 + self.placed % 2

    def give(self, piece: int) -> Position:
        """Hand a piece to the opponent; raises WrongPhase, PieceTaken."""
        if self.phase != "give" or self.to_act is None:
            raise WrongPhase
        if piece in self.board:
            raise PieceTaken
        return Position(self.board, piece, 3 - self.to_act, "place", self.last, self.closed, self.rules)

    def place(self, square: int) -> Position:
        """Put the piece in hand on a square, which opens new windows; raises WrongPhase, SquareTaken."""
        if self.phase != "place":
            raise WrongPhase
        if self.board[square] is not None:
            raise SquareTaken
        board = (*self.board[:square], self.hand, *self.board[square + 1 :])
        return Position(board, None, self.to_act, "give" if None in board else "end", square, (), self.rules)

    def pass_(self) -> Position:
        """Let an end window go: from `end` to the other's `reply`, then to `over`; raises WrongPhase."""
        if self.phase == "end":
            return Position(self.board, None, 2, "reply", self.last, self.closed, self.rules)
        if self.phase == "reply":
            return self.over()
        raise WrongPhase

    def close_window(self, seat: int) -> Position:
        """Close a seat's window on the last placement, as a void claim does; raises NoWindow."""
        if not self.window_open(seat):
            raise NoWindow
        closed = tuple(sorted((*self.closed, seat)))
        return Position(self.board, self.hand, self.to_act, self.phase, self.last, closed, self.rules)

    def over(self) -> Position:
        """The same board with nobody to act."""
        return Position(self.board, self.hand, None, "over", self.last, self.closed, self.rules)

    def window_open(self, seat: int) -> bool:
        """Whether a seat may claim, line or no line.

        The windows follow the turn: the placer's until he gives, then the opponent's until he places.
        """
        return self.last is not None and seat == self.to_act and seat not in self.closed

    def claimable(self) -> tuple[str, ...]:
        """The names of the lines that the last placement completed, sorted.

        Such a line is full, shares an active attribute and contains the last square. Whose window it is, and
        whether one is open, is another question.
        """
        if self.last is None:
            return ()
        through = LINES_THROUGH[self.rules.lines][self.last]
        return tuple(sorted(line.name for line in through if self._shares(line)))

    def _shares(self, line: Line) -> bool:
        a, b, c, d = (self.board[square] for square in line.squares)
        if a is None or b is None or c is None or d is None:
            return False
        return bool((a & b & c & d | ~(a | b | c | d)) & self.rules.mask)
