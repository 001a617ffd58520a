"""The movetext of a game: one line of tokens with single spaces, its event log.

Each change of a game appends one token, so a live game keeps its movetext as a string and never rewrites it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from games.clock import parse_seconds, write_seconds
from games.rules import PIECES, SQUARES, BadRequest, line_name, parse_line, parse_piece, parse_square

Kind = Literal[
    "give", "place", "claim", "pass", "resign", "time", "offer", "decline", "agree", "arbiter", "outage"
]
RESULTS = ("1-0", "0-1", "1/2-1/2")


class NotationError(ValueError):
    """A text that is no position or no record: what is wrong, and where (line and column, from 1)."""

    def __init__(self, message: str, column: int, line: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message, self.column, self.line = message, column, line


class Item(NamedTuple):
    """One entry of a movetext: who did what, and the time it used where that is recorded.

    `line` is the cited line by its canonical name and `valid` the verdict on it; `text` is what stands behind
    `arbiter:` or `outage:`. The seat of an agreement and of these two is None.
    """

    kind: Kind
    seat: int | None = None
    piece: int | None = None
    square: int | None = None
    line: str | None = None
    valid: bool | None = None
    used_ms: int | None = None
    text: str | None = None


def token_for(item: Item, placement: int) -> str:
    """The token that an item appends; `placement` is the number of the placement that a give prepares.

    >>> token_for(Item("give", seat=1, piece=10, used_ms=4012), 1)
    '1.@A{4.012}'
    """
    used = "" if item.used_ms is None else f"{{{write_seconds(item.used_ms)}}}"
    return _bare_token(item, placement) + used


def _bare_token(item: Item, placement: int) -> str:
    match item.kind:
        case "give":
            assert item.piece is not None
            return f"{placement}.@{PIECES[item.piece]}"
        case "place":
            assert item.square is not None
            return SQUARES[item.square]
        case "claim":
            return f"Q{item.seat}({item.line}){'!' if item.valid else '?'}"
        case "pass":
            return "--"
        case "resign":
            return f"R{item.seat}"
        case "time":
            return f"T{item.seat}"
        case "offer":
            return f"D{item.seat}?"
        case "decline":
            return f"D{item.seat}-"
        case "agree":
            return "="
        case "arbiter" | "outage":
            return f"{{{item.kind}: {item.text}}}"


def write_movetext(items: Iterable[Item], result: str | None) -> str:
    """The movetext of a game, closed by its result, or by `*` where it has none."""
    tokens, placement = [], 1
    for item in items:
        tokens.append(token_for(item, placement))
        placement += item.kind == "place"
    return " ".join([*tokens, result or "*"])


_USED = r"(?:\{(?P<used>[0-9]{1,9}\.[0-9]{3})\})?"
_TOKEN = re.compile(
    rf"(?:(?P<number>[1-9][0-9]?)\.@(?P<piece>[0-9A-Fa-f])"
    rf"|(?P<square>[a-d][1-4])"
    rf"|Q(?P<claimant>[12])\((?P<line>[a-d][1-4]-[a-d][1-4])\)(?P<verdict>[!?])"
    rf"|(?P<passed>--)"
    rf"|R(?P<resigned>[12])){_USED}"
    r"|T(?P<flagged>[12])|D(?P<offerer>[12])\?|D(?P<decliner>[12])-|(?P<agreed>=)"
    r"|\{(?P<note>arbiter|outage): (?P<text>[^{}]+)\}",
    re.ASCII,
)


def read_movetext(text: str, *, line: int = 1) -> tuple[tuple[Item, ...], str | None]:
    """The items and the result of a movetext; raises NotationError.

    Pieces may be in lower case and times may be missing. The numbers must count the placements, and a give
    and its placement take turns; whether the game was legal is for `games.replay` to say.
    """
    *tokens, closing = _split(text)
    if closing[1] not in (*RESULTS, "*"):
        raise NotationError("A movetext ends with its result or *.", closing[0], line)
    items: list[Item] = []
    placement, held, passes = 1, False, 0
    for column, token in tokens:
        match = _TOKEN.fullmatch(token)
        if match is None:
            raise NotationError("This token cannot be understood.", column, line)
        giver = 1 if placement % 2 else 2
        item = _read_item(match, giver, passes, column, line)
        if item.kind == "give" and (held or match["number"] != str(placement)):
            raise NotationError("The placements are not numbered in order.", column, line)
        if item.kind == "place" and not held:
            raise NotationError("No piece was given for this placement.", column, line)
        held = item.kind == "give" or (held and item.kind != "place")
        placement += item.kind == "place"
        passes += item.kind == "pass"
        items.append(item)
    return tuple(items), None if closing[1] == "*" else closing[1]


_SPLIT = re.compile(r"((?:[^ {]|\{[^{}]*\}|\{)*)(?: |$)")


def _split(text: str) -> list[tuple[int, str]]:
    """The tokens with their columns; a space inside braces does not divide."""
    tokens, start = [], 0
    while start <= len(text):
        match = _SPLIT.match(text, start)
        assert match is not None
        tokens.append((start + 1, match[1]))
        start += len(match[1]) + 1
    return tokens


def _read_item(match: re.Match[str], giver: int, passes: int, column: int, line: int) -> Item:
    used_ms = parse_seconds(match["used"]) if match["used"] else None
    if match["piece"]:
        return Item("give", giver, piece=parse_piece(match["piece"]), used_ms=used_ms)
    if match["square"]:
        return Item("place", 3 - giver, square=parse_square(match["square"]), used_ms=used_ms)
    if match["line"]:
        seat, valid = int(match["claimant"]), match["verdict"] == "!"
        return Item("claim", seat, line=_read_line(match["line"], column, line), valid=valid, used_ms=used_ms)
    if match["passed"]:
        return Item("pass", 1 + passes, used_ms=used_ms)
    if match["resigned"]:
        return Item("resign", int(match["resigned"]), used_ms=used_ms)
    if match["flagged"]:
        return Item("time", int(match["flagged"]))
    if match["offerer"]:
        return Item("offer", int(match["offerer"]))
    if match["decliner"]:
        return Item("decline", int(match["decliner"]))
    if match["agreed"]:
        return Item("agree")
    return Item("arbiter" if match["note"] == "arbiter" else "outage", text=match["text"])


def _read_line(text: str, column: int, line: int) -> str:
    try:
        return line_name(parse_line(text))
    except BadRequest:
        raise NotationError("A line is cited by two squares.", column, line) from None
