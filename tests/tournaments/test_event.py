"""Unplayed rounds (C.07 articles 15 and 16)."""

import pytest

from tests.tournaments.fields import field
from tournaments.event import Contribution, System, event_after, without_games_of

SWISS, ROUND_ROBIN = System.SWISS, System.ROUND_ROBIN


def swiss(contestants, rounds_total=None, after=None):
    total = rounds_total or len(contestants[0].records)
    return event_after(contestants, system=SWISS, rounds_total=total, after=after)


@pytest.mark.parametrize(
    ("rounds", "adjusted"),
    [
        (["1 U", "2-1 1-0"], 2),  # 16.2.1: as awarded
        (["1-2 +-", "2-1 1-0"], 2),  # 16.2.2: as awarded
        (["1 Z", "2-1 1-0"], 0),  # 16.2.3: followed by a game
        (["1 Z", "1-2 +-"], 2),  # 16.2.3: a forfeit win is not voluntary
        (["1 Z", "1 U"], 2),  # 16.2.3
        (["2-1 1-0", "1-3 -+"], 0),  # 16.2.4: as awarded, even in the last round
        (["2-1 1-0", "1 Z"], 1),  # 16.2.5: a draw in the last round
        (["2-1 1-0", "1 H"], 1),
        (["1 Z", "1-2 -+"], 1),  # 16.2.5: followed only by voluntary unplayed rounds
        (["1 H", "1 Z", "1-2 --"], 2),
        (["1-2 1-0", "", ""], 4),  # a leaver's rounds
    ],
)
def test_adjusted_score(rounds, adjusted):
    assert swiss(field(3, *rounds)).adjusted[1] == adjusted


def test_a_bye_of_the_last_round_so_far_counts_as_a_draw_in_the_standings_of_that_round():
    contestants = field(3, "1-2 1-0, 3 U", "2-3 1-0", "1-3 1-0")
    assert swiss(contestants, after=2).adjusted[1] == 3
    assert swiss(contestants).adjusted[1] == 4


def test_unplayed_rounds_are_games_against_a_capped_dummy():
    contestants = field(5, "1-2 1-0, 3-4 +-", "2-3 1-0, 1 U", "3-1 -+, 5-2 1-0", "1 H, 2 Z, 4-5 =")
    event = swiss(contestants)
    assert event.scores == {1: 7, 2: 2, 3: 2, 4: 1, 5: 3}
    assert event.contributions[1] == [
        Contribution(3, 2, False),  # player 2, whose last round counts as a draw
        Contribution(4, 2, False),  # the bye: own 3.5, capped at a draw a round
        Contribution(3, 2, False),  # forfeit win: own 3.5, capped at the adjusted score of player 3
        Contribution(4, 1, True),  # the requested bye is voluntary
    ]
    assert event.contributions[3][0] == Contribution(1, 2, False)
    assert event.contributions[3][2] == Contribution(2, 0, True)


def test_the_cap_counts_the_rounds_so_far():
    contestants = field(3, "1 U, 2-3 =", "1-2 1-0, 3 U", "1-3 1-0")
    assert swiss(contestants, rounds_total=3, after=2).contributions[1][0].score == 2


def test_the_last_round_is_drawn_for_fore_buchholz_forfeits_included():
    event = swiss(field(4, "1-2 1-0, 3-4 1-0", "1-3 1-0, 4-2 +-"))
    assert event.fore.scores == {1: 3, 2: 1, 3: 3, 4: 1}
    assert not any(contribution.voluntary for contribution in event.fore.contributions[2])


def test_before_the_last_round_there_is_nothing_to_draw():
    event = swiss(field(4, "1-2 1-0, 3-4 1-0"), rounds_total=2)
    assert event.fore is event


def test_in_a_round_robin_forfeits_are_games_and_rests_do_not_exist():
    contestants = field(3, "2-3 -+", "3-1 =", "1-2 1-0")
    event = event_after(contestants, system=ROUND_ROBIN, rounds_total=3)
    assert event.adjusted == event.scores == {1: 3, 2: 0, 3: 3}
    assert event.contributions[2] == [Contribution(3, 0, False), Contribution(3, 0, False)]


def test_games_against_somebody_can_be_left_out():
    event = event_after(field(3, "2-3 1-0", "3-1 =", "1-2 1-0"), system=ROUND_ROBIN, rounds_total=3)
    assert without_games_of(event, frozenset({3})).scores == {1: 2, 2: 0}
