"""Standings: order, shared places, leavers."""

from dataclasses import replace

import pytest

from tests.tournaments.fields import cross_table, field
from tournaments.event import System
from tournaments.pairing.round_robin import schedule
from tournaments.records import Penalty, PointSystem
from tournaments.standings import Row, standings
from tournaments.tiebreaks import TieBreakNotOffered, UnknownTieBreak

SIX = cross_table("x110=1", "0x=111", "0=x111", "100x0=", "=001x0", "000=1x")
ROUND_ROBIN = System.ROUND_ROBIN


def places(rows):
    return [(row.rank, row.number) for row in rows]


def test_a_row_has_points_and_tie_breaks_as_they_are_printed():
    rows = standings(SIX, ["SB", "WIN"], system=ROUND_ROBIN, rounds_total=5)
    assert rows[0] == Row(1, 1, 7, {"SB": "9.25", "WIN": "3"}, (37, 3))
    assert rows[0].points == "3.5"


def test_tie_breaks_are_applied_in_their_order():
    by_encounter = standings(SIX, ["DE", "SB"], system=ROUND_ROBIN, rounds_total=5)
    assert places(by_encounter) == [(1, 1), (2, 2), (2, 3), (4, 6), (5, 5), (6, 4)]
    by_berger = standings(SIX, ["SB", "DE"], system=ROUND_ROBIN, rounds_total=5)
    assert places(by_berger) == [(1, 1), (2, 2), (2, 3), (4, 4), (5, 5), (6, 6)]


def test_direct_encounter_is_printed_for_those_it_was_asked_about():
    rows = standings(SIX, ["KS", "DE"], system=ROUND_ROBIN, rounds_total=5)
    assert [(row.number, row.tiebreaks["DE"]) for row in rows] == [
        (1, ""),
        (2, "0.5"),
        (3, "0.5"),
        (4, ""),
        (5, ""),
        (6, ""),
    ]


def test_what_is_still_tied_shares_a_place():
    rows = standings(field(5, "1-2 1-0, 3-4 1-0, 5 H"), [], rounds_total=1)
    assert places(rows) == [(1, 1), (1, 3), (3, 5), (4, 2), (4, 4)]


def test_standings_after_an_earlier_round():
    contestants = field(4, "1-2 1-0, 3-4 1-0", "2-1 1-0, 4-3 1-0")
    assert [row.half_points for row in standings(contestants, [], rounds_total=2, after=1)] == [2, 2, 0, 0]
    assert [row.half_points for row in standings(contestants, [], rounds_total=2)] == [2, 2, 2, 2]


def test_a_game_that_is_still_on_changes_nothing_yet():
    finished = field(4, "1-2 1-0, 3-4 =", "1-3 1-0, 2-4 =")
    running = [
        entry if entry.number in (1, 3) else replace(entry, records=entry.records[:1]) for entry in finished
    ]
    rows = {row.number: row for row in standings(running, ["BH"], rounds_total=3)}
    assert [rows[number].half_points for number in (1, 2, 3, 4)] == [4, 0, 1, 1]
    assert rows[4].tiebreaks == {"BH": "0.5"}


def test_before_the_first_round_everybody_shares_the_first_place():
    rows = standings(field(3), ["BH-C1", "BH", "SB", "DE", "WIN"], rounds_total=5)
    assert places(rows) == [(1, 1), (1, 2), (1, 3)]


def test_an_empty_field_has_no_standings():
    assert standings([], ["BH"], rounds_total=5) == ()


def test_blank_values_come_last():
    contestants = field(3, "1-2 =, 3 H")
    rows = standings(contestants, ["AOB"], rounds_total=1)
    assert places(rows) == [(1, 1), (1, 2), (3, 3)]


def test_penalties_count():
    ann, ben = field(2, "1-2 =")
    rows = standings([replace(ann, penalties=(Penalty(1, -1),)), ben], [], rounds_total=1)
    assert places(rows) == [(1, 2), (2, 1)]


def test_the_points_of_a_bye_are_the_events():
    contestants = field(3, "1-2 =, 3 U")
    half = replace(contestants[2], records=(replace(contestants[2].records[0], half_points=1),))
    rows = standings([*contestants[:2], half], ["WIN"], rounds_total=1, points=PointSystem(bye=1))
    assert [(row.half_points, row.tiebreaks["WIN"]) for row in rows] == [(1, "0")] * 3


@pytest.mark.parametrize(
    ("codes", "error"),
    [(["BH"], TieBreakNotOffered), (["DE", "XX"], UnknownTieBreak), (["KS-C1"], UnknownTieBreak)],
)
def test_a_list_that_cannot_be_applied_is_refused(codes, error):
    with pytest.raises(error):
        standings(SIX, codes, system=ROUND_ROBIN, rounds_total=5)


def round_robin_with_a_leaver(rounds_he_plays):
    """Five players; all games are won by the lower number; 5 leaves, what he misses is forfeited."""
    texts = []
    for number, pairing in enumerate(schedule(5), 1):
        boards = []
        for starter, second in pairing.boards:
            if 5 in (starter, second) and number > rounds_he_plays:
                result = "-+" if starter == 5 else "+-"
            else:
                result = "1-0" if starter < second else "0-1"
            boards.append(f"{starter}-{second} {result}")
        texts.append(", ".join(boards))
    contestants = field(5, *texts)
    return [*contestants[:4], replace(contestants[4], left=True)]


def test_who_left_a_round_robin_early_does_not_count():
    rows = standings(
        round_robin_with_a_leaver(rounds_he_plays=1), ["SB", "KS"], system=ROUND_ROBIN, rounds_total=5
    )
    assert [(row.number, row.half_points, row.counts) for row in rows] == [
        (1, 6, True),
        (2, 4, True),
        (3, 2, True),
        (4, 0, True),
        (5, 0, False),
    ]
    assert [row.tiebreaks["SB"] for row in rows] == ["3.0", "1.0", "0.0", "0.0", ""]
    assert rows[0].tiebreaks["KS"] == "1.0"


def test_who_left_after_half_of_his_games_counts():
    rows = standings(round_robin_with_a_leaver(rounds_he_plays=3), ["SB"], system=ROUND_ROBIN, rounds_total=5)
    assert (rows[0].number, rows[0].half_points) == (1, 8)
    assert all(row.counts for row in rows)


def test_who_left_a_swiss_counts():
    ann, ben = field(2, "1-2 1-0", "")
    rows = standings([replace(ann, left=True), ben], [], rounds_total=5)
    assert places(rows) == [(1, 1), (2, 2)]
