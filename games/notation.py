"""Positions and game records as text. Reading is strict and says where it fails; writing is canonical.

A position is `board hand side phase last closed rules`; a record is a list of headers, an empty line and the
movetext. Reading what was written gives the same text again, byte for byte.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from games.clock import BadControl, TimeControl
from games.movetext import (
    Item,
    NotationError,
    read_movetext,
    token_for,
    write_movetext,
)
from games.rules import PIECES, SQUARES, BadClaims, BadRules, ClaimPolicy, Phase, Position, Rules

__all__ = [
    "TERMINATIONS",
    "GameRecord",
    "Item",
    "NotationError",
    "read_movetext",
    "read_position",
    "read_record",
    "token_for",
    "write_movetext",
    "write_position",
    "write_record",
]

T = TypeVar("T")

PHASE_LETTERS: dict[Phase, str] = {"give": "G", "place": "P", "end": "E", "reply": "F", "over": "X"}
_PHASES = {letter: phase for phase, letter in PHASE_LETTERS.items()}
_PIECE: dict[str, int | None] = {digit: PIECES.index(digit.upper()) for digit in "0123456789ABCDEFabcdef"}
_CELL = _PIECE | {".": None}
_HAND = _PIECE | {"-": None}
_LAST: dict[str, int | None] = {name: square for square, name in enumerate(SQUARES)} | {"-": None}
_SIDE: dict[str, int | None] = {"1": 1, "2": 2, "-": None}
_CLOSED: dict[str, tuple[int, ...]] = {"-": (), "1": (1,), "2": (2,), "12": (1, 2)}
_CLOSED_TEXT = {closed: text for text, closed in _CLOSED.items()}


@lru_cache(maxsize=256)  # a state is written into its frame and into its row
def write_position(position: Position) -> str:
    """The canonical text of a position.

    >>> write_position(Position.start(Rules("L", 15)))
    '..../..../..../.... - 1 G - - L:F'
    """
    cells = "".join(["." if piece is None else PIECES[piece] for piece in position.board])
    hand = "-" if position.hand is None else PIECES[position.hand]
    last = "-" if position.last is None else SQUARES[position.last]
    return (
        f"{cells[12:]}/{cells[8:12]}/{cells[4:8]}/{cells[:4]} {hand} {position.to_act or '-'} "
        f"{PHASE_LETTERS[position.phase]} {last} {_CLOSED_TEXT[position.closed]} {position.rules}"
    )


def read_position(text: str) -> Position:
    """The position of a text; raises NotationError unless all its parts agree.

    >>> read_position("8F.6/405A/B9.7/2.3. C 2 P a4 - L:F").hand
    12
    """
    fields = text.split(" ")
    if len(fields) != 7:
        raise NotationError("A position has seven fields with single spaces.", 1)
    try:
        rules = Rules.parse(fields[6])
    except BadRules as error:
        raise NotationError(str(error), _column(fields, 6)) from None
    position = Position(
        _read_board(fields[0]),
        _read_field(_HAND, fields, 1, "The piece in hand is a hexadecimal digit or -."),
        _read_field(_SIDE, fields, 2, "The side to act is 1, 2 or -."),
        _read_field(_PHASES, fields, 3, "The phase is G, P, E, F or X."),
        _read_field(_LAST, fields, 4, "The last square is a square or -."),
        _read_field(_CLOSED, fields, 5, "The closed windows are 1, 2, 12 or -."),
        rules,
    )
    wrong = _contradiction(position)
    if wrong is not None:
        index, message = wrong
        raise NotationError(message, _column(fields, index))
    return position


def _column(fields: list[str], index: int) -> int:
    return 1 + sum(len(field) + 1 for field in fields[:index])


def _read_field(table: Mapping[str, T], fields: list[str], index: int, message: str) -> T:
    if fields[index] not in table:
        raise NotationError(message, _column(fields, index))
    return table[fields[index]]


def _read_board(text: str) -> tuple[int | None, ...]:
    ranks = text.split("/")
    if len(ranks) != 4 or any(len(rank) != 4 for rank in ranks):
        raise NotationError("A board has four ranks of four squares.", 1)
    for column, cell in enumerate(text, start=1):
        if cell not in _CELL and cell != "/":
            raise NotationError("A square holds a hexadecimal digit or a full stop.", column)
    return tuple([_CELL[cell] for cell in ranks[3] + ranks[2] + ranks[1] + ranks[0]])


def _contradiction(position: Position) -> tuple[int, str] | None:
    """The field that disagrees with the others, and how; None for a position that a game can show."""
    pieces = [piece for piece in (*position.board, position.hand) if piece is not None]
    if len(pieces) != len(set(pieces)):
        return 0, "A piece occurs twice."
    placed, phase, last, hand = position.placed, position.phase, position.last, position.hand
    if (hand is not None) != (phase == "place") and not (phase == "over" and placed < 16):
        return 1, "The piece in hand does not agree with the phase."
    if (placed == 16) != (phase in ("end", "reply")) and phase != "over":
        return 3, "The phase does not agree with the number of pieces."
    if position.to_act != _side(phase, placed):
        return 2, "The side to act does not agree with the number of pieces."
    if (last is None) != (placed == 0) or (last is not None and position.board[last] is None):
        return 4, "The last square does not agree with the board."
    if position.closed and last is None:
        return 5, "No window has been opened yet."
    if position.closed not in ((), (position.placer,)) and hand is None and not _replied(position):
        return 5, "The opponent's window has not been opened yet."
    return None


def _side(phase: Phase, placed: int) -> int | None:
    if phase == "over":
        return None
    giver = 2 if placed % 2 else 1
    return 3 - giver if phase in ("place", "reply") else giver


def _replied(position: Position) -> bool:
    return position.phase == "reply" or (position.phase == "over" and position.placed == 16)


TERMINATIONS = (
    "quarto-placer",
    "quarto-opponent",
    "false-claim",
    "time",
    "resign",
    "board-full",
    "agreement",
    "adjudication",
    "no-show",
    "aborted",
)
_NAMES = ("Event", "Site", "Date", "Round", "Board", "Player1", "Player2", "Elo1", "Elo2")
_OWN_NAMES = ("Rules", "Claims", "TimeControl", "Lot", "Result", "Termination")
_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]')
_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A whole game: its headers but those that the other fields hold, and what happened.

    `result` is None while there is none (written `*`), `termination` None while the game lasts (not written).
    """

    headers: Mapping[str, str]
    rules: Rules
    claims: ClaimPolicy
    control: TimeControl
    items: tuple[Item, ...]
    result: str | None
    termination: str | None


def write_record(record: GameRecord) -> str:
    """The text of a game. Header values lose line breaks and control characters: no name can add a header."""
    own = {
        "Rules": str(record.rules),
        "Claims": str(record.claims),
        "TimeControl": str(record.control),
        "Result": record.result or "*",
    }
    if record.termination is not None:
        own["Termination"] = record.termination
    values = {**record.headers, **own}
    others = [name for name in record.headers if name not in _NAMES + _OWN_NAMES]
    lines = [
        f'[{name} "{_escape(values[name])}"]' for name in (*_NAMES, *_OWN_NAMES, *others) if name in values
    ]
    return "\n".join([*lines, "", write_movetext(record.items, record.result), ""])


def _escape(value: str) -> str:
    printable = "".join([" " if unicodedata.category(c) in _UNPRINTABLE else c for c in value])
    return printable.replace("\\", "\\\\").replace('"', '\\"')


def read_record(text: str) -> GameRecord:
    """The game of a text; raises NotationError with line and column."""
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    blank = lines.index("") if "" in lines else len(lines) - 1
    if blank + 2 != len(lines):
        raise NotationError("A record has headers, an empty line and one line of movetext.", 1, blank + 1)
    values: dict[str, str] = {}
    for number, line in enumerate(lines[:blank], start=1):
        name, value = _read_header(line, number)
        if name in values:
            raise NotationError("A header occurs twice.", 2, number)
        values[name] = value
    items, result = read_movetext(lines[-1], line=len(lines))
    return _record(values, items, result, blank + 1)


def _read_header(line: str, number: int) -> tuple[str, str]:
    match = _HEADER.fullmatch(line)
    if match is None or any(unicodedata.category(c) in _UNPRINTABLE for c in line):
        raise NotationError('A header is [Name "value"].', 1, number)
    return match[1], re.sub(r"\\(.)", r"\1", match[2])


def _record(values: dict[str, str], items: tuple[Item, ...], result: str | None, line: int) -> GameRecord:
    missing = [name for name in ("Rules", "Claims", "TimeControl", "Result") if name not in values]
    if missing:
        raise NotationError(f"The header {missing[0]} is missing.", 1, line)
    termination = values.get("Termination")
    if termination not in (None, *TERMINATIONS):
        raise NotationError("There is no such termination.", 1, line)
    if values["Result"] != (result or "*"):
        raise NotationError("The result of the headers is not that of the movetext.", 1, line)
    try:
        rules = Rules.parse(values["Rules"])
        claims = ClaimPolicy.parse(values["Claims"])
        control = TimeControl.parse(values["TimeControl"])
    except (BadRules, BadClaims, BadControl) as error:
        raise NotationError(str(error), 1, line) from None
    fields = ("Rules", "Claims", "TimeControl", "Result", "Termination")
    headers = {name: value for name, value in values.items() if name not in fields}
    return GameRecord(headers, rules, claims, control, items, result, termination)
