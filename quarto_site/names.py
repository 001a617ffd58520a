"""Names that people choose: what may be one, and which ones read alike.

Pure. The look-alikes are Unicode's (TR 39, as shipped by confusable_homoglyphs), reduced to one
representative for each letter; the scripts of letters are Unicode's too.
"""

import unicodedata
from enum import StrEnum
from functools import cache

from confusable_homoglyphs.categories import alias as script_of
from confusable_homoglyphs.confusables import confusables_data

SHORTEST = 2
LONGEST = 32
KEY_LONGEST = 128
PUNCTUATION = "._-"
GUEST_PREFIX = "guest-"
RESERVED = frozenset(
    (
        "about", "accounts", "admin", "administrator", "anonymous", "api", "arbiter", "bye", "guest", "help",
        "moderator", "nobody", "none", "null", "organiser", "organizer", "player", "quarto", "ratings", "root",
        "rules", "server", "staff", "support", "system", "tournaments", "you",
    )
)  # fmt: skip

# Letters that one language writes together (TR 39, 5.1).
WRITTEN_TOGETHER = (
    {"HAN", "HIRAGANA", "KATAKANA"},
    {"HAN", "BOPOMOFO"},
    {"HAN", "HANGUL"},
)
OF_NO_SCRIPT = {"COMMON", "INHERITED"}
# Letters and marks of category L or M that show nothing.
INVISIBLE = frozenset(
    map(chr, [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810)])
) | frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
MARKS_IN_A_ROW = 3

DOTTED_I = "i\u0307"  # what case folding makes of the Turkish capital

# Typed in capitals, or in most typefaces, these cannot be told apart: I, l and 1, O and 0, m and rn.
ASCII_TWINS = {"i": "l", "1": "l", "0": "o", "m": "rn"}


class Fault(StrEnum):
    """Why a text cannot be a name."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    LETTERS = "letters"
    SCRIPTS = "scripts"
    EDGES = "edges"
    DIGITS = "digits"
    RESERVED = "reserved"


class BadName(ValueError):
    """This text cannot be a name."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


def clean(text: str) -> str:
    """The name as it is kept and shown (NFKC, no space around it), or BadName.

    >>> clean(" Ａnn ")
    'Ann'
    """
    if len(text) > 4 * LONGEST:
        raise BadName(Fault.TOO_LONG)
    name = unicodedata.normalize("NFKC", text.strip(" "))
    fault = _fault(name)
    if fault is not None:
        raise BadName(fault)
    return name


def _fault(name: str) -> Fault | None:
    """The first fault of `name`, None where it may be one."""
    if len(name) < SHORTEST:
        return Fault.TOO_SHORT
    if len(name) > LONGEST or len(key(name)) > KEY_LONGEST:
        return Fault.TOO_LONG
    if not all(map(_may_stand, name)) or _marks_piled(name):
        return Fault.LETTERS
    if name[0] in PUNCTUATION or name[-1] in PUNCTUATION or unicodedata.category(name[0])[0] == "M":
        return Fault.EDGES
    if not any(map(str.isalpha, name)):
        return Fault.DIGITS
    if not _one_script(name):
        return Fault.SCRIPTS
    return Fault.RESERVED if _is_reserved(name) else None


def _may_stand(letter: str) -> bool:
    if letter.isascii():
        return letter.isalnum() or letter in PUNCTUATION
    return letter not in INVISIBLE and unicodedata.category(letter) in (
        "Ll",
        "Lm",
        "Lo",
        "Lt",
        "Lu",
        "Mc",
        "Mn",
    )


def _marks_piled(name: str) -> bool:
    row = 0
    for letter in unicodedata.normalize("NFD", name):
        row = row + 1 if unicodedata.category(letter) == "Mn" else 0
        if row > MARKS_IN_A_ROW:
            return True
    return False


def _one_script(name: str) -> bool:
    scripts = {script_of(letter) for letter in name} - OF_NO_SCRIPT
    return len(scripts) <= 1 or any(scripts <= together for together in WRITTEN_TOGETHER)


def _is_reserved(name: str) -> bool:
    folded = key(name)
    return folded.startswith(key(GUEST_PREFIX)) or folded in map(key, RESERVED)


def key(name: str) -> str:
    """What two names share that differ in case or in look-alike letters only.

    >>> key("Ann") == key("аnn"), key("Olga") == key("0lga"), key("Ann") == key("Ben")
    (True, True, False)
    """
    letters = unicodedata.normalize("NFD", _without_case(name)).replace(DOTTED_I, "i")
    return "".join(map(_representative, letters))


def same(one: str, other: str) -> bool:
    """Whether two spellings name the same person: as they are, but for case.

    >>> same("Ann", "ANN"), same("Olga", "0lga")
    (True, False)
    """
    return _without_case(one) == _without_case(other)


def _without_case(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


@cache
def _representative(letter: str) -> str:
    """One text for all letters that look like this lower-case one, in either case.

    A Latin letter or digit where there is one (the lower-case look first: a Greek nu reads v, though
    its capital reads N); otherwise the first of its look-alikes in Unicode's order.
    """
    latin = _latin_look(letter)
    if latin is None:
        return min(_family(letter))
    return ASCII_TWINS.get(latin, latin)


def _latin_look(letter: str) -> str | None:
    if letter.isascii():
        return letter
    alike = [*_alike(letter), *_alike(letter.upper())]
    return next((one.lower() for one in alike if len(one) == 1 and one.isascii() and one.isalnum()), None)


def _family(letter: str) -> set[str]:
    """The letter and all that look like it, directly or through another, none of them Latin."""
    family, fresh = {letter}, [letter]
    while fresh:
        one = fresh.pop()
        for other in map(_without_case, [*_alike(one), *_alike(one.upper())]):
            if len(other) == 1 and other not in family and _latin_look(other) is None:
                family.add(other)
                fresh.append(other)
    return family


def _alike(letter: str) -> list[str]:
    """What Unicode lists as looking like this letter."""
    return [entry["c"] for entry in confusables_data.get(letter, ())]
