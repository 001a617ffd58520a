import itertools
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings import elo
from ratings.elo import Strength


def settled(rating, games=100, reached_2400=False):
    return Strength(Decimal(rating), games, reached_2400)


def test_everybody_starts_at_1500_and_provisional():
    assert Strength() == Strength(Decimal("1500.00"), 0, False)
    assert Strength().provisional


@pytest.mark.parametrize(("games", "provisional"), [(0, True), (29, True), (30, False), (31, False)])
def test_a_rating_is_provisional_until_thirty_games(games, provisional):
    assert Strength(games=games).provisional is provisional


@pytest.mark.parametrize(
    ("own", "opponent", "expected"),
    [
        (1500, 1500, "0.50000"),
        (1500, 1700, "0.24025"),
        (1700, 1500, "0.75975"),
        (2100, 1500, "0.90909"),
        (1500, 2100, "0.09091"),
        (1900, 1500, "0.90909"),
        (1899, 1500, "0.90861"),
        (3000, 1000, "0.90909"),
        (-10, 390, "0.09091"),
    ],
)
def test_expected_score_caps_the_difference_at_400(own, opponent, expected):
    assert elo.expected_score(Decimal(own), Decimal(opponent)) == Decimal(expected)


@pytest.mark.parametrize(
    ("own", "opponent", "half_points", "gain"),
    [
        (1500, 1700, 2, "15.19"),
        (1500, 1700, 0, "-4.81"),
        (2100, 1500, 2, "1.82"),
        (2100, 1500, 0, "-18.18"),
        (1500, 1500, 1, "0.00"),
        (1500, 1500, 2, "10.00"),
        (1500, 1700, 1, "5.19"),
    ],
)
def test_change_with_k_20(own, opponent, half_points, gain):
    made = elo.change(settled(own), settled(opponent), half_points)
    assert (made.k, made.change, made.after) == (20, Decimal(gain), own + Decimal(gain))


@pytest.mark.parametrize(
    ("games", "reached_2400", "k"),
    [(0, False, 40), (29, False, 40), (30, False, 20), (500, False, 20), (30, True, 10), (29, True, 40)],
)
def test_k_is_40_then_20_then_10_for_good(games, reached_2400, k):
    assert elo.k_factor(settled(2300, games, reached_2400)) == k


@pytest.mark.parametrize(("rating", "reached"), [("2389.99", False), ("2390.00", True)])
def test_2400_counts_as_reached_from_2400_exactly(rating, reached):
    own = settled(rating)
    assert elo.after(own, elo.change(own, settled(rating), 2)).reached_2400 is reached


def test_2400_stays_reached_when_the_rating_drops():
    own = settled(2401, reached_2400=True)
    later = elo.after(own, elo.change(own, settled(2401), 0))
    assert later == Strength(Decimal("2396.00"), 101, True)


def test_there_is_no_floor():
    own = settled(1)
    assert elo.change(own, settled(1), 0).after == Decimal("-9.00")


def test_expected_k_and_both_ratings_before_are_kept():
    assert elo.change(settled(1500, 3), settled(1700), 2) == elo.Change(
        Decimal(1500), Decimal(1700), 2, Decimal("0.24025"), 40, Decimal("30.39")
    )


strengths = st.builds(
    Strength,
    st.decimals(min_value=-500, max_value=3500, places=2),
    st.integers(0, 60),
    st.booleans(),
)


@given(strengths, strengths, st.sampled_from([0, 1, 2]))
@settings(max_examples=150, deadline=None)
def test_what_one_gains_the_other_loses_at_the_same_k(starter, second, half_points):
    own, other = elo.rate(starter, second, half_points)
    assert own.expected + other.expected == 1
    assert own.half_points + other.half_points == 2
    if own.k == other.k:
        assert own.change == -other.change


@given(strengths, strengths)
@settings(max_examples=100, deadline=None)
def test_the_change_is_within_a_rounding_of_the_formula(own, opponent):
    distance = max(-400.0, min(400.0, float(own.rating - opponent.rating)))
    formula = elo.k_factor(own) * (1 - 1 / (1 + 10 ** (-distance / 400)))
    assert abs(float(elo.change(own, opponent, 2).change) - formula) <= 0.00501


def test_a_series_is_rated_in_order_from_the_start():
    strengths: dict[str, Strength] = {}
    gains = [
        [made.change for made in elo.rate_next(strengths, starter, second, half_points)]
        for starter, second, half_points in (("ann", "ben", 2), ("ben", "cleo", 1))
    ]
    assert gains == [[Decimal("20.00"), Decimal("-20.00")], [Decimal("1.15"), Decimal("-1.15")]]
    assert strengths == {
        "ann": Strength(Decimal("1520.00"), 1),
        "ben": Strength(Decimal("1481.15"), 2),
        "cleo": Strength(Decimal("1498.85"), 1),
    }


def test_a_series_goes_on_from_given_strengths():
    strengths = {"ann": settled(1500), "ben": settled(1700)}
    elo.rate_next(strengths, "ann", "ben", 2)
    assert strengths == {"ann": settled("1515.19", 101), "ben": settled("1684.81", 101)}


@pytest.mark.parametrize(
    ("rating", "whole"),
    [("1500.00", 1500), ("1512.49", 1512), ("1512.50", 1513), ("1511.50", 1512), ("-0.50", -1)],
)
def test_ratings_are_shown_rounded(rating, whole):
    assert elo.shown(Decimal(rating)) == whole


@pytest.mark.parametrize(
    ("difference", "score"),
    [
        (0, ".50"),
        (3, ".50"),
        (4, ".51"),
        (-4, ".49"),
        (200, ".76"),
        (-200, ".24"),
        (400, ".92"),
        (735, ".99"),
        (736, "1.00"),
        (-736, "0.00"),
    ],
)
def test_tabulated_score(difference, score):
    assert elo.tabulated_score(difference) == Decimal(score)


def test_the_table_of_scores_runs_from_50_to_99():
    assert len(elo.DIFFERENCE_LIMITS) == 50
    assert list(elo.DIFFERENCE_LIMITS) == sorted(set(elo.DIFFERENCE_LIMITS))


@pytest.mark.parametrize(
    ("percentage", "difference"),
    [(100, 800), (99, 677), (70, 149), (51, 7), (50, 0), (49, -7), (30, -149), (0, -800)],
)
def test_performance_difference(percentage, difference):
    assert elo.performance_difference(percentage) == difference


def test_the_table_of_performances_runs_from_50_to_100():
    assert len(elo.PERFORMANCE_DIFFERENCES) == 51
    assert all(one < two for one, two in itertools.pairwise(elo.PERFORMANCE_DIFFERENCES))


@pytest.mark.parametrize(
    ("half_points", "games", "percentage"), [(7, 5, 70), (1, 4, 13), (1, 8, 6), (5, 8, 31), (0, 3, 0)]
)
def test_score_percentage_rounds_a_half_up(half_points, games, percentage):
    assert elo.score_percentage(half_points, games) == percentage


def test_performance_of_three_and_a_half_of_five_against_1600():
    assert elo.performance(1600, 7, 5) == 1749


def test_the_example_of_the_table_1500_beats_1700():
    assert 20 * (1 - elo.tabulated_score(1500 - 1700)) == Decimal("15.2")
    assert 20 * (0 - elo.tabulated_score(1500 - 1700)) == Decimal("-4.8")
