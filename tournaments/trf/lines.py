"""One line of a report file: its columns, and errors that say where."""

import re
from dataclasses import dataclass
from typing import NoReturn

from tournaments.trf.report import TrfError

MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its number; columns count from 1, both ends included; beyond the end all is blank."""

    number: int
    text: str

    @property
    def code(self) -> str:
        return self.text[:3]

    def fail(self, column: int, message: str) -> NoReturn:
        raise TrfError(self.number, column, message)

    def cut(self, first: int, last: int) -> str:
        """The columns as they are, padded with blanks."""
        return self.text[first - 1 : last].ljust(last - first + 1)

    def words(self, first: int = 5, last: int | None = None) -> str:
        """The text of the columns (to the end by default) without blanks around it."""
        return self.text[first - 1 : last].strip()

    def blank(self, first: int, last: int) -> None:
        """Refuses anything but blanks: a field that has slipped is worse than one that is missing."""
        found = self.cut(first, last)
        if found.strip():
            self.fail(
                first + len(found) - len(found.lstrip()), "a blank was expected here; are the columns right?"
            )

    def integer(self, first: int, last: int, what: str, *, least: int = 0) -> int | None:
        """The whole number in the columns, None where they are blank."""
        text = self.words(first, last)
        if not text:
            return None
        if not re.fullmatch(r"[0-9]+", text):
            self.fail(first, f"{what} must be a whole number, not {text[:40]!r}")
        if len(text) > MOST_DIGITS:
            self.fail(first, f"{what} is too large")
        if int(text) < least:
            self.fail(first, f"{what} must be at least {least}")
        return int(text)

    def required(self, first: int, last: int, what: str, *, least: int = 1) -> int:
        """As `integer`, but something must be there."""
        value = self.integer(first, last, what, least=least)
        if value is None:
            self.fail(first, f"{what} is missing")
        return value

    def half_points(self, first: int, last: int, what: str, *, signed: bool = False) -> int | None:
        """Points such as ``11.5`` as half points, None where the columns are blank."""
        text = self.words(first, last)
        if not text:
            return None
        return self.parse_half_points(text, first, what, signed=signed)

    def parse_half_points(self, text: str, column: int, what: str, *, signed: bool = False) -> int:
        found = re.fullmatch(r"(-?)([0-9]{1,9})(?:\.([05])0?)?", text.replace(",", "."))
        if not found or (found[1] and not signed):
            self.fail(column, f"{what} must be points in halves such as 11.5, not {text[:40]!r}")
        value = 2 * int(found[2]) + (found[3] == "5")
        return -value if found[1] else value

    def numbers(self, first: int, width: int) -> list[tuple[int, int]]:
        """All start numbers of ``width`` columns, a blank between them, with their columns."""
        found = []
        for column in range(first, len(self.text.rstrip()) + 1, width + 1):
            number = self.required(column, column + width - 1, "a start number")
            self.blank(column + width, column + width)
            found.append((number, column))
        if not found:
            self.fail(first, "a start number is missing")
        return found

    def tokens(self) -> list[tuple[str, int]]:
        """The words after the record's code, with their columns."""
        return [(found[0], found.start() + 4) for found in re.finditer(r"\S+", self.text[3:])]


def printable(text: str) -> str:
    """The text with a blank for every control character, which would break lines and columns."""
    return "".join(character if character.isprintable() else " " for character in text)
