"""Direct encounter (C.07 article 6)."""

import random

import pytest

from tests.tournaments.fields import cross_table, field, random_swiss
from tests.tournaments.oracle import second_opinion
from tournaments.encounter import direct_encounter
from tournaments.event import System, event_after
from tournaments.standings import standings


def encounter(contestants, tied, *, system=System.SWISS):
    event = event_after(contestants, system=system, rounds_total=len(contestants[0].records))
    return direct_encounter(event, tied)


def test_where_all_have_met_the_sums_decide():
    found = encounter(field(4, "1-2 0-1, 3-4 =", "1-3 1-0, 2-4 =", "1-4 =, 2-3 1-0"), (1, 2, 3))
    assert found.groups == ((2,), (1,), (3,))
    assert found.sums == {1: 2, 2: 4, 3: 0}


def test_who_is_still_tied_is_compared_again_without_the_others():
    """1 and 2 took the same from the four, and 2 beat 1."""
    contestants = cross_table("x011", "1x10", "00x1", "010x")
    found = encounter(contestants, (1, 2, 3, 4))
    assert found.sums == {1: 4, 2: 4, 3: 2, 4: 2}
    assert found.groups == ((2,), (1,), (3,), (4,))


def test_a_circle_of_wins_stays_tied():
    found = encounter(field(3, "1-2 1-0", "2-3 1-0", "3-1 1-0"), (1, 2, 3))
    assert found.groups == ((1, 2, 3),)
    assert found.sums == {1: 2, 2: 2, 3: 2}


def test_a_leader_whatever_the_missing_games_bring_is_put_first():
    """3 and 4 have not met; neither can reach 2 points."""
    found = encounter(field(4, "1-3 1-0, 2-4 =", "1-4 1-0, 2-3 =", "1-2 1-0"), (1, 2, 3, 4))
    assert found.groups == ((1,), (2, 3, 4))


def test_who_could_still_be_caught_is_not_put_first():
    found = encounter(field(3, "1-2 1-0"), (1, 2, 3))
    assert found.groups == ((1, 2, 3),)
    assert found.sums == {}


def test_after_a_certain_leader_the_others_are_compared_among_themselves():
    """1 beat all of them; of the others 3 and 4 have not met, and 2 beat both."""
    rounds = "1-2 1-0, 3-5 =", "1-3 1-0, 2-4 1-0", "1-4 1-0, 2-3 1-0"
    found = encounter(field(5, *rounds), (1, 2, 3, 4))
    assert found.groups == ((1,), (2,), (3, 4))


def test_two_who_have_not_met_stay_tied():
    assert encounter(field(4, "1-3 1-0, 2-4 1-0"), (1, 2)).groups == ((1, 2),)


def test_a_forfeit_is_no_encounter_in_a_swiss_and_one_in_a_round_robin():
    contestants = field(2, "1-2 +-")
    assert encounter(contestants, (1, 2)).groups == ((1, 2),)
    assert encounter(contestants, (1, 2), system=System.ROUND_ROBIN).groups == ((1,), (2,))


def test_several_games_of_two_count_as_their_mean():
    rounds = "1-2 1-0", "2-1 1-0", "1-3 =", "3-1 1-0", "2-3 1-0", "3-2 ="
    found = encounter(field(3, *rounds), (1, 2, 3), system=System.ROUND_ROBIN)
    assert [float(found.sums[number]) / 2 for number in (1, 2, 3)] == [0.75, 1.25, 1.0]
    assert found.groups == ((2,), (3,), (1,))


def test_an_unfinished_round_robin_is_not_ordered_by_missing_games():
    contestants = field(3, "1-2 1-0")
    assert encounter(contestants, (1, 2, 3), system=System.ROUND_ROBIN).groups == ((1, 2, 3),)


@pytest.mark.parametrize("seed", range(20))
def test_a_second_opinion_gives_the_same_ranks(seed):
    contestants, rounds_total = random_swiss(random.Random(seed), 14)
    played = len(contestants[0].records)
    if played:
        other = second_opinion(contestants, "DE", rounds_total=rounds_total, after=played, round_robin=False)
        rows = standings(contestants, ["DE"], rounds_total=rounds_total)
        assert {row.number: row.rank for row in rows} == {number: rank for number, (_, rank) in other.items()}
