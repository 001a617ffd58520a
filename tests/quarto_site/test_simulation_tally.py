from fractions import Fraction

import pytest

from quarto_site.simulation.plan import Plan, full_rounds, made_up_name
from quarto_site.simulation.summary import percentile
from quarto_site.simulation.tally import Tally, expected, split_points

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("result", "points"),
    [("1-0", (1, 0)), ("0-1F", (0, 1)), ("1/2-1/2", (HALF, HALF)), ("0-0F", (0, 0))],
)
def test_results_give_points(result, points):
    assert split_points(result) == points


def test_a_game_between_equals_moves_twenty_points():
    tally = Tally(["ann", "ben"])
    tally.add_game("ann", "ben", "1-0", rated=True)
    assert (tally.scores["ann"].rating, tally.scores["ben"].rating) == (1520, 1480)


def test_a_difference_counts_up_to_four_hundred():
    assert expected(2100, 1500) == expected(1900, 1500) == pytest.approx(0.9091, abs=5e-5)


def test_the_factor_falls_after_thirty_games():
    tally = Tally(["ann", "ben"])
    for _game in range(30):
        tally.add_game("ann", "ben", "1/2-1/2", rated=True)
    tally.add_game("ann", "ben", "1-0", rated=True)
    assert tally.scores["ann"].rating == 1510


def test_an_unrated_game_gives_points_only():
    tally = Tally(["ann", "ben"])
    tally.add_game("ann", "ben", "0-1F", rated=False)
    assert tally.scores["ben"].points == 1
    assert tally.scores["ben"].rating == 1500
    assert tally.scores["ben"].forfeits


def test_tiebreaks_with_a_bye_count_a_dummy_of_at_most_half_a_point_a_round():
    tally = Tally(["ann", "ben", "cleo"])
    tally.add_game("ann", "ben", "1-0", rated=False)
    tally.add_bye("cleo")
    tally.add_game("cleo", "ann", "0-1", rated=False)
    tally.add_bye("ben")
    assert tally.tiebreaks("ann") == {"BH": 2, "BH-C1": 1, "KS": 2, "SB": 2, "WIN": 2}
    assert tally.tiebreaks("cleo") == {"BH": 3, "BH-C1": 2, "KS": 1, "SB": 1, "WIN": 1}
    assert tally.scores["ben"].byes == 1


def test_names_of_a_run_are_all_different():
    names = {made_up_name(number, "kez") for number in range(300)}
    assert len(names) == 300


@pytest.mark.parametrize(
    ("players", "form", "rounds"),
    [(4, "round_robin", 3), (5, "round_robin", 5), (4, "double_round_robin", 6)],
)
def test_a_round_robin_has_its_own_number_of_rounds(players, form, rounds):
    assert full_rounds(players, form) == rounds


def test_streams_of_chance_belong_to_player_and_round():
    plan = Plan(url="")
    first = [plan.stream("player", 1, "round", 1).random() for _again in range(2)]
    assert first[0] == first[1] != plan.stream("player", 2, "round", 1).random()


@pytest.mark.parametrize(("share", "value"), [(0.5, 50.0), (0.99, 99.0), (1.0, 100.0)])
def test_percentile_is_a_value_that_was_seen(share, value):
    assert percentile(map(float, range(1, 101)), share) == value


def test_percentile_of_nothing_is_zero():
    assert percentile([], 0.5) == 0.0
