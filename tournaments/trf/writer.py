"""Writes report files in either dialect: UTF-8 text padded by characters, lines ended with CR.

What a dialect cannot say is left out: TRF16 knows byes of the coming round only and bans for good, and
nothing of tie-breaks, penalties or comments.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby

from tournaments.records import FORFEITS, STANDARD, Kind, PointSystem, RoundRecord, points_text
from tournaments.trf.lines import printable
from tournaments.trf.report import (
    CODE_TO_KIND,
    HEADERS,
    HEADERS_OF_2026,
    Dialect,
    PlannedBye,
    ReportPlayer,
    TournamentReport,
)

KIND_TO_CODE = {kind: code for code, kind in CODE_TO_KIND.items()}


def write_trf(report: TournamentReport, dialect: Dialect = Dialect.TRF26) -> str:
    """The file's text. Reading it gives the same report, as far as the dialect can say it."""
    write = {Dialect.TRF16: _trf16, Dialect.TRF26: _trf26}[dialect]
    return "".join(f"{printable(line).rstrip()}\r" for line in write(report))


def _trf16(report: TournamentReport) -> Iterator[str]:
    yield from _headers(report)
    yield from _players(report, with_coming=True)
    if report.rounds_total:
        yield f"XXR {report.rounds_total}"
    if report.first_seat:
        yield f"XXC {'white1' if report.first_seat == 1 else 'black1'}"
    if report.points != STANDARD:
        yield f"XXS {_point_words(report.points)}"
    for ban in report.prohibitions:
        if ban.first_round <= report.coming_round <= (ban.last_round or report.coming_round):
            yield " ".join(["XXP", *map(str, ban.numbers)])
    for number, virtual in report.acceleration.items():
        yield f"XXA {number:4}" + "".join(f" {points_text(half):>4}" for half in virtual)
    yield from report.others


def _trf26(report: TournamentReport) -> Iterator[str]:
    yield from (f"### {comment}" for comment in report.comments)
    yield from _headers(report)
    if report.rounds_total:
        yield f"142 {report.rounds_total}"
    if report.first_seat:
        yield f"152 {'W' if report.first_seat == 1 else 'B'}"
    if report.points != STANDARD:
        yield f"162  {_point_columns(report.points)}"
    for code, name in HEADERS_OF_2026:
        if getattr(report, name):
            yield f"{code} {getattr(report, name)}"
    for code, names in (("202", report.tie_breaks), ("212", report.standings_order)):
        if names:
            yield f"{code} {','.join(names)}"
    yield from _players(report, with_coming=False)
    yield from _byes(report.byes)
    yield from _virtual_points(report.acceleration)
    for ban in report.prohibitions:
        last = ban.last_round or report.rounds_total or 999
        yield " ".join([f"260 {ban.first_round:3} {last:3}", *(f"{number:4}" for number in ban.numbers)])
    for item in report.abnormal:
        numbers = " ".join(f"{number:4}" for number in item.numbers)
        yield f"299 {item.code:1}        {points_text(item.half_points):>4}  {item.round:3} {numbers}"
    yield from report.others


def _headers(report: TournamentReport) -> Iterator[str]:
    for code, name in HEADERS:
        if getattr(report, name):
            yield f"{code} {getattr(report, name)}"
        if name == "chief_arbiter":
            yield from (f"112 {deputy}" for deputy in report.deputies)
    if report.round_dates:
        yield "132".ljust(91) + "  ".join(f"{date:8.8}" for date in report.round_dates)


def _point_columns(points: PointSystem) -> str:
    worth = {"W": points.win, "D": points.draw, "L": points.loss, "A": points.absence, "P": points.bye}
    return "    ".join(f"{symbol}{points_text(half):>4}" for symbol, half in worth.items())


def _point_words(points: PointSystem) -> str:
    worth = {"W": points.win, "D": points.draw, "L": points.loss, "ZPB": points.absence, "FL": points.absence}
    worth["PAB"] = points.bye
    return " ".join(f"{symbol}={points_text(half)}" for symbol, half in worth.items())


# --- players ---


def _players(report: TournamentReport, *, with_coming: bool) -> Iterator[str]:
    coming = {bye.number: bye for bye in report.byes if bye.round == report.coming_round}
    for player in report.players:
        records = player.contestant.records[: report.rounds_played]
        cells = [_cell(record, report.points) for record in records]
        if with_coming and player.contestant.number in coming:
            cells.append(f"0000 - {KIND_TO_CODE[coming[player.contestant.number].kind]}")
        yield _player(player) + "".join(f"  {cell}" for cell in cells)


def _player(player: ReportPlayer) -> str:
    entry = player.contestant
    stated = "" if player.half_points is None else points_text(player.half_points)
    rank = "" if player.rank is None else player.rank
    return (
        f"001 {entry.number:4} {player.sex:1.1}{player.title:3.3} {printable(entry.name):33.33}"
        f" {max(entry.rating or 0, 0) or '':4} {player.federation:3.3} {player.identifier:>11.11} {player.birth:10.10}"
        f" {stated:>4} {rank:>4}"
    )


def _cell(record: RoundRecord, points: PointSystem) -> str:
    if record.opponent is None:
        return f"0000 - {_code_without_opponent(record, points)}"
    side = {1: "w", 2: "b", None: "-"}[record.seat]
    return f"{record.opponent:4} {side} {_code_of_pair(record, points)}"


def _code_without_opponent(record: RoundRecord, points: PointSystem) -> str:
    """Late entries may get half a point for a missed round."""
    if record.kind in KIND_TO_CODE:
        return KIND_TO_CODE[record.kind]
    return "H" if record.half_points >= points.draw else "Z"


def _code_of_pair(record: RoundRecord, points: PointSystem) -> str:
    if record.kind in FORFEITS:
        return "+" if record.kind is Kind.FORFEIT_WIN else "-"
    if record.kind is Kind.ADJOURNED:
        return "?"
    letters = "1=0" if record.rated else "WDL"
    return letters[(record.half_points < points.win) + (record.half_points < points.draw)]


# --- ranges ---


def _byes(byes: tuple[PlannedBye, ...]) -> Iterator[str]:
    def heading(bye: PlannedBye) -> tuple[int, str]:
        return (bye.round, KIND_TO_CODE[bye.kind])

    for (round_number, code), group in groupby(sorted(byes, key=heading), key=heading):
        yield " ".join([f"240 {code} {round_number:3}", *(f"{bye.number:4}" for bye in group)])


def _virtual_points(acceleration: Mapping[int, tuple[int, ...]]) -> Iterator[str]:
    """One line for each run of numbers and rounds with the same points."""

    def run(item: tuple[int, int]) -> tuple[int, tuple[int, ...]]:
        index, number = item
        return (number - index, acceleration[number])

    for (_, virtual), group in groupby(enumerate(sorted(acceleration)), key=run):
        numbers = [number for _, number in group]
        first = 1
        for half_points, rounds in groupby(virtual):
            last = first + len(list(rounds)) - 1
            if half_points:
                worth = points_text(half_points)
                yield f"250      {worth:>4} {first:3} {last:3} {numbers[0]:4} {numbers[-1]:4}"
            first = last + 1
