"""Reads report files of both dialects into plain values.

Line ends may be CR, LF or CRLF; the text is UTF-8. Records of both dialects may stand together, in any
order. Unknown records are kept; whatever is understood must be right, or TrfError says where it is not.
"""

import re
from collections.abc import Callable

from tournaments.records import Contestant, PointSystem
from tournaments.trf.cells import read_cells
from tournaments.trf.draft import Draft
from tournaments.trf.lines import Line, printable
from tournaments.trf.report import (
    CODE_TO_KIND,
    HEADERS,
    HEADERS_OF_2026,
    Abnormal,
    PlannedBye,
    Prohibition,
    ReportPlayer,
    TournamentReport,
    TrfError,
)

LARGEST_FILE = 4_000_000
LONGEST_LINE = 20_000
MOST_ROUNDS = 999  # the formats have three columns for the number of a round
MOST_ABNORMAL = 1_000


def read_trf(source: str | bytes) -> TournamentReport:
    """The report in ``source``. Raises TrfError with line and column, also for what is larger than any event."""
    if len(source) > LARGEST_FILE:
        raise TrfError(1, 1, f"the file is too large: at most {LARGEST_FILE} characters")
    draft = Draft()
    for line in _lines(source):
        if line.code == "###":
            draft.add("comments", line.text[3:].strip())
        elif line.code in _RECORDS:
            _RECORDS[line.code](draft, line)
        elif line.text.strip():
            draft.add("others", line.text.rstrip())
    return draft.finished()


def _lines(source: str | bytes) -> list[Line]:
    text = source if isinstance(source, str) else _decoded(source)
    split = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    for number, line in enumerate(split, 1):
        if len(line) > LONGEST_LINE:
            raise TrfError(
                number, LONGEST_LINE + 1, f"the line is too long: at most {LONGEST_LINE} characters"
            )
    return [Line(number, printable(line)) for number, line in enumerate(split, 1)]


def _decoded(source: bytes) -> str:
    try:
        return source.decode()
    except UnicodeDecodeError as error:
        before = re.split(r"\r\n|\r|\n", source[: error.start].decode())
        raise TrfError(len(before), len(before[-1]) + 1, "the text is not UTF-8") from None


# --- one function for each record ---


def _player(draft: Draft, line: Line) -> None:
    number = line.required(5, 8, "the start number")
    if number in draft.players:
        line.fail(5, f"start number {number} stands in line {draft.lines[number].number} already")
    for gap in (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91):
        line.blank(gap, gap)
    draft.lines[number] = line
    rating = line.integer(49, 52, "the rating") or None
    draft.players[number] = ReportPlayer(
        Contestant(number, line.words(15, 47), rating),
        line.half_points(81, 84, "the points"),
        line.integer(86, 89, "the rank"),
        line.words(10, 10),
        line.words(11, 13),
        line.words(54, 56),
        line.words(58, 68),
        line.words(70, 79),
    )
    draft.rows[number] = read_cells(line, number)


def _text(name: str) -> Callable[[Draft, Line], None]:
    def take(draft: Draft, line: Line) -> None:
        draft.values[name] = line.words()

    return take


def _words(name: str) -> Callable[[Draft, Line], None]:
    def take(draft: Draft, line: Line) -> None:
        draft.values[name] = tuple(line.words().replace(",", " ").split())

    return take


def _deputy(draft: Draft, line: Line) -> None:
    draft.add("deputies", line.words())


def _dates(draft: Draft, line: Line) -> None:
    columns = range(92, len(line.text.rstrip()) + 1, 10)
    draft.values["round_dates"] = tuple(line.words(column, column + 7) for column in columns)


def _rounds(draft: Draft, line: Line) -> None:
    draft.values["rounds_total"] = line.required(5, max(5, len(line.text)), "the number of rounds")
    if draft.values["rounds_total"] > MOST_ROUNDS:
        line.fail(5, f"there are at most {MOST_ROUNDS} rounds")
    draft.rounds_line = line


def _initial_side(draft: Draft, line: Line) -> None:
    side = line.words().upper()
    if side not in ("W", "B"):
        line.fail(5, f"the initial side must be W or B, not {side[:40]!r}")
    draft.values["first_seat"] = 1 if side == "W" else 2


def _configuration(draft: Draft, line: Line) -> None:
    for word, column in line.tokens():
        if word not in ("white1", "black1"):
            line.fail(column, f"only white1 and black1 are understood here, not {word[:40]!r}")
        draft.values["first_seat"] = 1 if word == "white1" else 2


_POINT_NAMES = {"W": "win", "D": "draw", "L": "loss", "A": "absence", "P": "bye"}


def _point_system(draft: Draft, line: Line) -> None:
    """Symbols in column 6, 15, 24, ... with their points; X, for unknown results, is a draw here."""
    found: dict[str, int] = {}
    for column in range(6, len(line.text.rstrip()) + 1, 9):
        symbol = line.cut(column, column).upper()
        value = line.half_points(column + 1, column + 4, "the points") or 0
        if symbol in _POINT_NAMES:
            found[_POINT_NAMES[symbol]] = value
        elif symbol != "X":
            line.fail(column, f"the symbol must be W, D, L, A, P or X, not {symbol[:40]!r}")
    _store_points(draft, line, found)


_OTHER_POINT_NAMES = {"W": "win", "D": "draw", "L": "loss", "ZPB": "absence", "FL": "absence", "PAB": "bye"}


def _point_words(draft: Draft, line: Line) -> None:
    """``W=3 D=1`` and so on."""
    found: dict[str, int] = {}
    for word, column in line.tokens():
        symbol, equals, value = word.partition("=")
        if not equals or symbol not in _OTHER_POINT_NAMES:
            line.fail(column, f"only {', '.join(_OTHER_POINT_NAMES)} with = and points are understood here")
        worth = line.parse_half_points(value, column + len(symbol) + 1, "the points")
        found[_OTHER_POINT_NAMES[symbol]] = worth
    _store_points(draft, line, found)


def _store_points(draft: Draft, line: Line, found: dict[str, int]) -> None:
    """The bye is worth a win unless it is named."""
    found.setdefault("bye", found.get("win", 2))
    try:
        draft.values["points"] = PointSystem(**found)
    except ValueError as error:
        line.fail(5, str(error))


def _planned_byes(draft: Draft, line: Line) -> None:
    code = line.cut(5, 5).upper().replace(" ", "Z")
    if code not in "FHZ":
        line.fail(5, f"the bye must be F, H or Z, not {code[:40]!r}")
    round_number = line.required(7, 9, "the round")
    for number in draft.mention(line, line.numbers(11, 4)):
        draft.byes.append((line, PlannedBye(round_number, number, CODE_TO_KIND[code])))


def _absent(draft: Draft, line: Line) -> None:
    draft.absent += draft.mention(line, _listed(line))


def _forbidden(draft: Draft, line: Line) -> None:
    draft.forbid(line, Prohibition(draft.mention(line, _listed(line))))


def _listed(line: Line) -> list[tuple[int, int]]:
    found = []
    for word, column in line.tokens():
        if not re.fullmatch(r"[0-9]{1,4}", word):
            line.fail(column, f"a start number was expected, not {word[:40]!r}")
        found.append((int(word), column))
    return found


def _forbidden_rounds(draft: Draft, line: Line) -> None:
    first = line.required(5, 7, "the first round")
    last = line.integer(9, 11, "the last round", least=first) or first
    draft.forbid(line, Prohibition(draft.mention(line, line.numbers(13, 4)), first, last))


def _virtual_points(draft: Draft, line: Line) -> None:
    number = line.required(5, 8, "the start number")
    draft.mention(line, [(number, 5)])
    draft.acceleration[number] = [
        line.half_points(column, column + 3, "virtual points") or 0
        for column in range(10, len(line.text.rstrip()) + 1, 5)
    ]


def _virtual_points_of_range(draft: Draft, line: Line) -> None:
    if line.half_points(5, 8, "match points"):
        line.fail(5, "match points are for teams")
    worth = line.half_points(10, 13, "virtual points")
    if not worth:
        line.fail(10, "virtual points are missing")
    first = line.required(15, 17, "the first round")
    last = line.integer(19, 21, "the last round", least=first) or first
    low = line.required(23, 26, "the first number")
    high = line.integer(28, 31, "the last number", least=low) or low
    draft.mention(line, [(low, 23), (high, 28)])
    draft.count_virtual(line, (high - low + 1) * last)
    for number in range(low, high + 1):
        virtual = draft.acceleration.setdefault(number, [])
        virtual += [0] * (last - len(virtual))
        virtual[first - 1 : last] = [worth] * (last - first + 1)


def _abnormal(draft: Draft, line: Line) -> None:
    code = line.words(5, 5).upper()
    if code not in ("", *"WDLFHZ+-"):
        line.fail(5, f"the type must be W, D, L, F, H, Z, +, - or blank, not {code[:40]!r}")
    worth = line.half_points(14, 17, "the points", signed=True) or 0
    round_number = line.required(20, 22, "the round")
    numbers = draft.mention(line, line.numbers(24, 4))
    if len(draft.values.get("abnormal", ())) >= MOST_ABNORMAL:
        line.fail(1, f"there are more than {MOST_ABNORMAL} of these records")
    draft.add("abnormal", Abnormal(code, worth, round_number, numbers))


def _team(_: Draft, line: Line) -> None:
    line.fail(1, "team events cannot be read")


_RECORDS: dict[str, Callable[[Draft, Line], None]] = {
    "001": _player,
    **{code: _text(name) for code, name in (*HEADERS, *HEADERS_OF_2026)},
    "112": _deputy,
    "132": _dates,
    "142": _rounds,
    "XXR": _rounds,
    "152": _initial_side,
    "XXC": _configuration,
    "162": _point_system,
    "XXS": _point_words,
    "202": _words("tie_breaks"),
    "212": _words("standings_order"),
    "240": _planned_byes,
    "XXZ": _absent,
    "250": _virtual_points_of_range,
    "XXA": _virtual_points,
    "260": _forbidden_rounds,
    "XXP": _forbidden,
    "299": _abnormal,
    "013": _team,
    "310": _team,
}
