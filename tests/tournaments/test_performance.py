"""Rating performances (C.07 article 10, tables of B.02 8.1)."""

import pytest

from tournaments.performance import (
    RATING_DIFFERENCE,
    UPPER_LIMITS,
    average_rating,
    expected_percent,
    perfect_performance,
    tournament_performance,
)


def test_the_tables_have_a_line_for_every_percent():
    assert len(RATING_DIFFERENCE) == 51
    assert len(UPPER_LIMITS) == 50
    assert sorted(UPPER_LIMITS) == list(UPPER_LIMITS)
    assert sorted(RATING_DIFFERENCE, reverse=True) == list(RATING_DIFFERENCE)


@pytest.mark.parametrize(
    ("ratings", "average"), [([], None), ([1500, 1501], 1501), ([1500, 1500, 1501], 1500)]
)
def test_average_rating_rounds_halves_up(ratings, average):
    assert average_rating(ratings) == average


@pytest.mark.parametrize(
    ("difference", "percent"),
    [(0, 50), (3, 50), (4, 51), (-3, 50), (-4, 49), (400, 92), (735, 99), (736, 100), (-736, 0)],
)
def test_expected_percent(difference, percent):
    assert expected_percent(difference) == percent


@pytest.mark.parametrize(
    ("scores", "performance"),
    [
        ([2, 2, 2, 1, 0], 1749),
        ([2, 2], 2400),
        ([0, 0], 800),
        ([1, 1], 1600),
        ([2, 0, 0], 1475),  # .33: -125
        ([2, 2, 0], 1725),  # .67: +125
        ([1, 0, 0, 0], 1278),  # .125 is .13: -322
    ],
)
def test_tournament_performance_against_1600(scores, performance):
    assert tournament_performance([(1600, score) for score in scores]) == performance


@pytest.mark.parametrize(
    ("games", "performance"),
    [
        ([], None),
        ([(1600, 0), (1500, 0)], 700),
        ([(1600, 1)], 1597),  # the lowest rating that still expects a half
        ([(1600, 2)], 2336),
        ([(1600, 2), (1600, 0)], 1597),
        ([(1400, 2), (1800, 0)], 1598),
    ],
)
def test_perfect_performance(games, performance):
    assert perfect_performance(games) == performance
