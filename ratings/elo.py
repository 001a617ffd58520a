"""Elo ratings: what one game does to two ratings. Pure.

The rules are those of the FIDE Rating Regulations, Handbook B.02, in force since 1 March 2024, with
the amendment of 1 October 2025, applied live after each game. Where this list differs from the
handbook, the function says so.

Numbers are `Decimal`, never floats. Ratings and changes have two decimal places, expected scores
five. Rounding is half to even, which is symmetric about zero: two players with the same K always
exchange the same amount, so that the sum of a pool changes only through different K.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from typing import Final, TypeVar

HUNDREDTH: Final = Decimal("0.01")
EXPECTED_PLACES: Final = Decimal("0.00001")
START: Final = Decimal("1500.00")
PROVISIONAL_GAMES: Final = 30
MASTER: Final = Decimal(2400)
CAP: Final = Decimal(400)

Key = TypeVar("Key", bound=Hashable)


def _exact() -> Context:
    """28 digits, half to even, whatever context the thread has."""
    return Context(prec=28, rounding=ROUND_HALF_EVEN)


LN10_BY_400: Final = Decimal(10).ln(_exact()) / 400


@dataclass(frozen=True, slots=True)
class Strength:
    """A player in one pool: his rating, his rated games in it, and whether he ever reached 2400."""

    rating: Decimal = START
    games: int = 0
    reached_2400: bool = False

    @property
    def provisional(self) -> bool:
        """Shown with a `?` until he has played 30 rated games in the pool."""
        return self.games < PROVISIONAL_GAMES


@dataclass(frozen=True, slots=True)
class Change:
    """What one game did to one rating; `half_points` is his score: 2 won, 1 drawn, 0 lost."""

    before: Decimal
    opponent_before: Decimal
    half_points: int
    expected: Decimal
    k: int
    change: Decimal

    @property
    def after(self) -> Decimal:
        return self.before + self.change


def _exact_expected(own: Decimal, opponent: Decimal) -> Decimal:
    exact = _exact()
    distance = min(abs(own - opponent), CAP)
    stronger = exact.divide(1, 1 + exact.exp(exact.multiply(-distance, LN10_BY_400)))
    return stronger if own >= opponent else 1 - stronger


def expected_score(own: Decimal, opponent: Decimal) -> Decimal:
    """The share of the point that `own` is expected to make, 0 to 1, to five places.

    B.02 article 8.3.1: a difference of more than 400 counts as one of 400. (Since 1 October 2025 the
    handbook lifts the cap for players of 2650 and more; here it holds for everybody.) The curve is
    1 / (1 + 10^(-d/400)), d own minus opponent's, whose rounded values article 8.1.2 tabulates. The
    two players' expected scores add up to exactly 1.
    """
    return _exact_expected(own, opponent).quantize(EXPECTED_PLACES, context=_exact())


def k_factor(strength: Strength) -> int:
    """How much a game counts for him.

    B.02 article 8.3.3: 40 for the first 30 games, then 20 below 2400, and 10 for good once 2400 was
    reached, even if the rating drops again. (The handbook's rules for juniors and for many games in
    one period do not apply.)
    """
    if strength.games < PROVISIONAL_GAMES:
        return 40
    return 10 if strength.reached_2400 else 20


def change(own: Strength, opponent: Strength, half_points: int) -> Change:
    """What a game against `opponent` does to `own`, who made `half_points` (0, 1 or 2) in it.

    B.02 article 8.3.2: K times the difference of score and expected score. It is computed from the
    unrounded expectation and rounded once, to hundredths (the handbook rounds the sum of a period to
    whole points, article 8.3.4).
    """
    assert half_points in (0, 1, 2)
    exact = _exact()
    gain = exact.subtract(Decimal(half_points) / 2, _exact_expected(own.rating, opponent.rating))
    k = k_factor(own)
    return Change(
        before=own.rating,
        opponent_before=opponent.rating,
        half_points=half_points,
        expected=expected_score(own.rating, opponent.rating),
        k=k,
        change=exact.multiply(gain, k).quantize(HUNDREDTH, context=exact),
    )


def after(own: Strength, made: Change) -> Strength:
    """The strength after that change: one game more, and 2400 remembered once reached."""
    return Strength(made.after, own.games + 1, own.reached_2400 or made.after >= MASTER)


def rate(starter: Strength, second: Strength, half_points: int) -> tuple[Change, Change]:
    """Both players' changes by one game, from the ratings that both had before it."""
    return change(starter, second, half_points), change(second, starter, 2 - half_points)


def rate_next(
    strengths: dict[Key, Strength], starter: Key, second: Key, half_points: int
) -> tuple[Change, Change]:
    """Both players' changes by the next game of a series, from what earlier games made of them.

    `strengths` is brought up to date; who is not in it is at the start. Called with every game that
    counts, in order, it rebuilds a whole pool.
    """
    before = strengths.get(starter, Strength()), strengths.get(second, Strength())
    changes = rate(*before, half_points)
    strengths[starter], strengths[second] = after(before[0], changes[0]), after(before[1], changes[1])
    return changes


def shown(rating: Decimal) -> int:
    """The rating as people see it: whole, a half away from zero (B.02 article 8.3.4)."""
    return int(rating.quantize(Decimal(1), rounding=ROUND_HALF_UP))


# --- FIDE's tables, for reports only: the list itself never uses them ---

# B.02 article 8.1.2: the greatest difference for which the stronger player's expectation is still
# .50, .51, ... .99; above the last it is 1.00.
DIFFERENCE_LIMITS: Final = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68),
    *(76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
    *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235),
    *(245, 256, 267, 278, 290, 302, 315, 328, 344, 357),
    *(374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)

# B.02 article 8.1.1: dp for p = .50, .51, ... 1.00.
PERFORMANCE_DIFFERENCES: Final = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)


def tabulated_score(difference: int) -> Decimal:
    """FIDE's expected score for a difference of whole points, to hundredths (B.02 article 8.1.2).

    Not capped: article 8.3.1 is the caller's.
    """
    steps = sum(abs(difference) > limit for limit in DIFFERENCE_LIMITS)
    stronger = HUNDREDTH * (50 + steps)
    return stronger if difference >= 0 else 1 - stronger


def score_percentage(half_points: int, games: int) -> int:
    """The score in hundredths of a point a game, .5 up: 7 half points of 5 games are 70."""
    assert 0 <= half_points <= 2 * games and games
    return (half_points * 100 + games) // (2 * games)


def performance_difference(percentage: int) -> int:
    """dp: how far above its opponents a score of so many hundredths lies (B.02 article 8.1.1)."""
    if percentage >= 50:
        return PERFORMANCE_DIFFERENCES[percentage - 50]
    return -PERFORMANCE_DIFFERENCES[50 - percentage]


def performance(opponents_average: int, half_points: int, games: int) -> int:
    """The rating that such a score against such opponents stands for: their average and dp."""
    return opponents_average + performance_difference(score_percentage(half_points, games))
