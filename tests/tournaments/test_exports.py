import csv
import io

import pytest

from tests.tournaments.evening import actor, enter_players, open_tournament, play_round
from tournaments.pairing.swiss import pair_round
from tournaments.queries.exports import as_csv, as_json, as_trf
from tournaments.records import Kind
from tournaments.services import entries, pairings
from tournaments.trf import Dialect, read_trf


@pytest.fixture
def cup(ann):
    """Two rounds of an odd field with a forfeit, a leaver, a requested bye and a late entry."""
    tournament = open_tournament(ann, name="Cup", rounds=4)
    made = enter_players(tournament, ann, 7)
    play_round(tournament, ann, ("1-0", "1/2-1/2", "0-1F"))
    entries.withdraw(actor=actor(ann), slug="cup", entry_id=made[2].pk)
    entries.add(actor=actor(ann), slug="cup", name="Late")
    entries.request_absence(actor=actor(ann), slug="cup", entry_id=made[3].pk, round_number=2, kind="half")
    play_round(tournament, ann, ("0-1", "1-0"))
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize("dialect", Dialect)
def test_the_report_file_says_what_the_records_say(cup, dialect):
    report = read_trf(as_trf(cup, dialect))
    assert (report.name, report.rounds_total, report.first_seat) == ("Cup", 4, cup.first_seat)
    assert len(report.players) == 8
    kinds = {player.contestant.name: [r.kind for r in player.contestant.records] for player in report.players}
    assert Kind.ZERO_BYE in kinds["Late"]
    assert Kind.HALF_BYE in kinds["G04"]
    first = report.players[0].contestant.records[0].kind
    assert first in (Kind.PLAYED, Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS)


@pytest.mark.parametrize("dialect", Dialect)
def test_the_next_round_is_the_same_from_the_report_file(cup, ann, dialect):
    report = read_trf(as_trf(cup, dialect))
    pairing = pair_round(
        report.contestants,
        round_number=report.coming_round,
        rounds_total=4,
        first_seat=cup.first_seat,
        absent=report.absent,
        points=report.points,
    )
    draft, _made = pairings.pair_next(actor=actor(ann), slug="cup")
    stored = [(b.starter.number, b.second.number) for b in draft.boards.select_related("starter", "second")]
    assert set(pairing.boards) == set(stored)


def test_a_round_robin_can_be_reported(ann):
    tournament = open_tournament(ann, name="All", format="round_robin")
    enter_players(tournament, ann, 5)
    play_round(tournament, ann)
    assert len(read_trf(as_trf(tournament)).players) == 5


def test_cells_cannot_be_read_as_formulas(ann):
    tournament = open_tournament(ann, name="Cup", rounds=1)
    hostile = ["=1+1", "+cmd", "-cmd", "@sum", "Maria"]
    for name in hostile:
        entries.add(actor=actor(ann), slug="cup", name=name)
    play_round(tournament, ann, ("1-0F",))
    rows = list(csv.reader(io.StringIO(as_csv(tournament))))
    assert sorted(row[2] for row in rows[1:]) == sorted([f"'{name}" for name in hostile[:4]] + ["Maria"])
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]


def test_the_table_has_a_line_for_everybody(cup):
    rows = list(csv.reader(io.StringIO(as_csv(cup))))
    assert rows[0] == [
        "rank", "number", "name", "player", "rating", "points", "BH-C1", "BH", "SB", "DE", "WIN", "R1", "R2",
    ]  # fmt: skip
    assert len(rows) == 9


def test_the_whole_tournament_is_one_object(cup):
    whole = as_json(cup)
    assert whole["tournament"]["slug"] == "cup"
    assert len(whole["entries"]) == 8
    assert [len(round_["records"]) for round_ in whole["rounds"]] == [8, 8]
    assert whole["standings"]["after"] == 2
    assert len(whole["standings"]["table"]) == 8
