"""A whole tournament for other programs: JSON, CSV, the FIDE report file, and the game records."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from games.models import Game
from games.queries.games import record_text
from tournaments.models import Tournament
from tournaments.queries.field import Field, contestants, field_of, present_numbers
from tournaments.queries.rounds import round_object, whole_rounds
from tournaments.queries.standings import Cell, Table, standings_object, table
from tournaments.queries.tournaments import as_object, entry_object
from tournaments.records import Kind, points_text
from tournaments.trf import Dialect, PlannedBye, ReportPlayer, TournamentReport, write_trf

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
SEATS = "White (w) stands for the starter, seat 1; Black (b) for the second player"
SWISS_CODE = "FIDE_DUTCH_2025"


def as_json(tournament: Tournament) -> dict[str, Any]:
    """Regulations, entries, every round that has begun, every record, and the standings."""
    field = field_of(tournament)
    absences = _absences(field)
    begun = whole_rounds(tournament.round_set.order_by("number"))[: field.begun]
    return {
        "tournament": as_object(tournament),
        "entries": [entry_object(entry, absences[entry.pk]) for entry in field.entries],
        "rounds": [round_object(round_) | {"records": _records(field, round_.number)} for round_ in begun],
        "standings": {"after": field.complete, "table": standings_object(table(field))},
    }


def _absences(field: Field) -> dict[int, list[tuple[int, str]]]:
    """By entry; the round and the kind of each."""
    asked: dict[int, list[tuple[int, str]]] = {entry.pk: [] for entry in field.entries}
    for (entry_id, number), kind in field.absences.items():
        asked[entry_id].append((number, kind))
    return asked


def _records(field: Field, number: int) -> list[dict[str, Any]]:
    return [
        {"entry": entry.pk, "kind": record.kind}
        for entry in field.entries
        if (record := field.records[entry.pk].get(number)) is not None
    ]


def as_csv(tournament: Tournament) -> str:
    """The standings with every round, one entry a line; no cell can be read as a formula."""
    shown = table(field_of(tournament))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    heads = [f"R{column}" if not shown.by_opponent else f"#{column}" for column in shown.columns]
    writer.writerow(["rank", "number", "name", "player", "rating", "points", *shown.codes, *heads])
    for line in shown.lines:
        values = [
            str(line.row.rank),
            str(line.row.number),
            line.entry.player.name,
            line.entry.player.username,
            str(line.entry.rating),
            points_text(line.row.half_points),
            *line.tiebreaks,
            *(_cell_text(cell, shown) for cell in line.cells),
        ]
        writer.writerow([_harmless(value) for value in values])
    return text.getvalue()


def _cell_text(cell: Cell, shown: Table) -> str:
    """`5w1`: against number 5 as starter, won; in a cross table by opponents the results alone."""
    if shown.by_opponent or cell.opponent is None:
        return cell.mark
    return f"{cell.opponent}{'w' if cell.seat == 1 else 'b'}{cell.mark}"


def _harmless(value: str) -> str:
    return f"'{value}" if value.startswith(FORMULA_STARTS) else value


def as_trf(tournament: Tournament, dialect: Dialect = Dialect.TRF26) -> str:
    """The report file after the last complete round."""
    field = field_of(tournament)
    numbers = present_numbers(field)
    rank_of = {line.row.number: line.row for line in table(field).lines}
    players = [
        ReportPlayer(
            contestant,
            half_points=rank_of[contestant.number].half_points,
            rank=rank_of[contestant.number].rank,
        )
        for contestant in contestants(field, numbers, through=field.complete)
    ]
    return write_trf(
        TournamentReport(
            players=tuple(players),
            rounds_played=field.complete,
            rounds_total=tournament.rounds,
            first_seat=tournament.first_seat,
            points=field.points,
            byes=_planned_byes(field, numbers),
            name=tournament.name,
            starts_on=tournament.created_at.strftime("%Y/%m/%d"),
            ends_on="" if tournament.finished_at is None else tournament.finished_at.strftime("%Y/%m/%d"),
            comments=(
                SEATS,
                f"Rules {tournament.rules}, false claims: {tournament.claims}, {tournament.edition}",
            ),
            kind_of_event=str(tournament.get_format_display()),
            tie_breaks=tuple(tournament.tiebreaks),
            time_control=tournament.control,
            type_code=SWISS_CODE if tournament.is_swiss else "",
        ),
        dialect,
    )


def _planned_byes(field: Field, numbers: dict[int, int]) -> tuple[PlannedBye, ...]:
    """Byes asked for in the round to come, and those who have left."""
    coming = field.complete + 1
    if field.tournament.status == Tournament.Status.COMPLETE:
        return ()
    byes = []
    for entry in field.entries:
        kind = field.absences.get((entry.pk, coming))
        if entry.is_withdrawn or kind is not None:
            byes.append(
                PlannedBye(coming, numbers[entry.pk], Kind.HALF_BYE if kind == "half" else Kind.ZERO_BYE)
            )
    return tuple(byes)


def records(tournament: Tournament) -> Iterator[str]:
    """Every game's record, by round and board, with an empty line between them."""
    games = (
        Game.objects.filter(board__round__tournament=tournament)
        .select_related("seat1", "seat2")
        .order_by("board__round__number", "board__number")
    )
    for game in games.iterator(chunk_size=100):
        yield f"{record_text(game).rstrip()}\n\n"
