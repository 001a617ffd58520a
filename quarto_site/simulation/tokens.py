"""Game records taken apart: headers, tokens with their seconds, the result at the end."""

import re
from dataclasses import dataclass

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

_HEADER = re.compile(r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\.)*)"\]')
_TOKEN = re.compile(
    r"\{(?P<note>(?:arbiter|outage): [^{}]+)\}"
    r"|(?P<word>[^\s{}]+)(?:\{(?P<whole>\d+)\.(?P<thousandths>\d{3})\})?"
)


class Unreadable(Exception):
    """A record that cannot be taken apart, in words."""


@dataclass(frozen=True, slots=True)
class Token:
    """One item of the movetext: a word with the milliseconds it used, or a note in braces."""

    word: str = ""
    used_ms: int | None = None
    note: str = ""

    def __str__(self) -> str:
        return self.word or f"{{{self.note}}}"


def split_movetext(movetext: str) -> list[Token]:
    """The tokens of one line of movetext, separated by single spaces.

    A numbered item `n.@P{t} square{t}` is two tokens.

    >>> [token.used_ms for token in split_movetext("1.@1{4.012} a1{6.200} {arbiter: pause}")]
    [4012, 6200, None]
    """
    tokens = []
    at = 0
    while at < len(movetext):
        match = _TOKEN.match(movetext, at)
        if match is None or (match.end() < len(movetext) and movetext[match.end()] != " "):
            raise Unreadable(f"cannot be read from {movetext[at : at + 30]!r}")
        used_ms = int(match["whole"]) * 1000 + int(match["thousandths"]) if match["whole"] else None
        tokens.append(Token(match["word"] or "", used_ms, match["note"] or ""))
        at = match.end() + 1
    return tokens


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record: its headers, its tokens without the result, and the result."""

    headers: dict[str, str]
    movetext: str
    tokens: list[Token]
    result: str


def split_record(text: str) -> Record:
    """Take a record apart; raises Unreadable."""
    head, gap, tail = text.strip("\n").partition("\n\n")
    if not gap or "\n" in tail:
        raise Unreadable("is not headers, an empty line and one line of movetext")
    headers: dict[str, str] = {}
    for line in head.split("\n"):
        match = _HEADER.fullmatch(line)
        if match is None or match[1] in headers:
            raise Unreadable(f"has the header line {line!r}")
        headers[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
    movetext, _, result = tail.rpartition(" ")
    if result not in RESULTS:
        raise Unreadable(f"ends with {result!r} and not with a result")
    return Record(headers, movetext, split_movetext(movetext), result)
