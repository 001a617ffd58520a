"""Rating performances for tie-breaks (FIDE C.07 article 10, 2026; tables of B.02 8.1, 1 March 2024).

Of games played over the board. Games are ``(rating of the opponent, half points)`` with a win as 2.
"""

from bisect import bisect_left
from collections.abc import Sequence

Game = tuple[int, int]

# fmt: off
RATING_DIFFERENCE = (
    800, 677, 589, 538, 501, 470, 444, 422, 401, 383, 366, 351, 336, 322, 309, 296, 284, 273, 262, 251, 240,
    230, 220, 211, 202, 193, 184, 175, 166, 158, 149, 141, 133, 125, 117, 110, 102, 95, 87, 80, 72, 65, 57, 50,
    43, 36, 29, 21, 14, 7, 0,
)
"""By percent of points from 100 down to 50 (8.1.1); below 50 the negative of its counterpart."""

UPPER_LIMITS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188,
    197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517,
    559, 619, 735,
)
"""The largest difference that is worth 50, 51, ... 99 percent (8.1.2); above the last it is 100."""
# fmt: on


def average_rating(ratings: Sequence[int]) -> int | None:
    """ARO (10.1): the mean, halves rounded up; None without games.

    >>> average_rating([1600, 1601])
    1601
    """
    if not ratings:
        return None
    return (2 * sum(ratings) + len(ratings)) // (2 * len(ratings))


def tournament_performance(games: Sequence[Game]) -> int | None:
    """TPR (10.2): ARO and the difference that the score, to two decimals, is worth; None without games.

    >>> tournament_performance([(1600, 2), (1600, 2), (1600, 2), (1600, 1), (1600, 0)])
    1749
    """
    average = average_rating([rating for rating, _ in games])
    if average is None:
        return None
    scored, count = sum(half_points for _, half_points in games), len(games)
    percent = (100 * scored + count) // (2 * count)
    if percent < 50:
        return average - RATING_DIFFERENCE[percent]
    return average + RATING_DIFFERENCE[100 - percent]


def expected_percent(difference: int) -> int:
    """The percentage of points to be expected at a rating difference (own minus opponent's).

    >>> expected_percent(-200), expected_percent(0), expected_percent(736)
    (24, 50, 100)
    """
    if difference < 0:
        return 100 - expected_percent(-difference)
    return 50 + bisect_left(UPPER_LIMITS, difference)


def perfect_performance(games: Sequence[Game]) -> int | None:
    """PTP (10.3): the lowest rating whose expected score reaches the score; None without games.

    >>> perfect_performance([(1600, 0), (1500, 0)])
    700
    """
    if not games:
        return None
    ratings = [rating for rating, _ in games]
    scored = sum(half_points for _, half_points in games)
    if not scored:
        return min(ratings) - 800
    candidates = range(min(ratings) - 800, max(ratings) + 801)
    return candidates[
        bisect_left(
            candidates,
            50 * scored,
            key=lambda rating: sum(expected_percent(rating - opponent) for opponent in ratings),
        )
    ]
