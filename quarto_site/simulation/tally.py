"""The final table worked out a second time: points, tie-breaks and ratings, from the results alone."""

from dataclasses import dataclass, field
from fractions import Fraction

START, MOST_DIFFERENCE, PROVISIONAL_GAMES = 1500.0, 400.0, 30
NOTHING, HALF, WIN = Fraction(0), Fraction(1, 2), Fraction(1)
POINTS = {
    "1-0": (WIN, NOTHING),
    "0-1": (NOTHING, WIN),
    "1/2-1/2": (HALF, HALF),
    "0-0": (NOTHING, NOTHING),
}


def split_points(result: str) -> tuple[Fraction, Fraction]:
    """What a board's result, played or forfeited, gives to seat 1 and to seat 2.

    >>> split_points("0-1F")
    (Fraction(0, 1), Fraction(1, 1))
    """
    return POINTS[result.removesuffix("F")]


@dataclass(slots=True)
class Score:
    """One player's rounds: (points, opponent), without an opponent for a bye; and his rating."""

    rounds: list[tuple[Fraction, str | None]] = field(default_factory=list)
    rating: float = START
    rated_games: int = 0
    forfeits: bool = False

    @property
    def points(self) -> Fraction:
        return sum((points for points, _opponent in self.rounds), Fraction(0))

    @property
    def opponents(self) -> list[str]:
        return [opponent for _points, opponent in self.rounds if opponent is not None]

    @property
    def byes(self) -> int:
        return len(self.rounds) - len(self.opponents)


def expected(own: float, other: float) -> float:
    """The expected score; a difference counts up to 400 (FIDE B.02, 8.3.1, from 1 October 2025)."""
    difference = max(-MOST_DIFFERENCE, min(MOST_DIFFERENCE, own - other))
    return float(1 / (1 + 10 ** (-difference / 400)))


class Tally:
    """The scores of everybody, by username."""

    def __init__(self, usernames: list[str]) -> None:
        self.scores = {name: Score() for name in usernames}

    def add_game(self, first: str, second: str, result: str, *, rated: bool) -> None:
        """One board. Everybody plays once a round, so the order within a round matters to no rating."""
        for name, points, other in zip((first, second), split_points(result), (second, first), strict=True):
            self.scores[name].rounds.append((points, other))
            self.scores[name].forfeits |= result.endswith("F")
        if rated:
            self._rate(first, second, float(split_points(result)[0]))

    def add_bye(self, name: str) -> None:
        """A pairing-allocated bye, worth a win."""
        self.scores[name].rounds.append((Fraction(1), None))

    def _rate(self, first: str, second: str, points: float) -> None:
        one, two = self.scores[first], self.scores[second]
        hope = expected(one.rating, two.rating)
        for score, change in ((one, points - hope), (two, hope - points)):
            score.rating += (40 if score.rated_games < PROVISIONAL_GAMES else 20) * change
            score.rated_games += 1

    def tiebreaks(self, name: str) -> dict[str, Fraction]:
        """The tie-breaks that need no rule for requested byes (C.07, 2026): nobody asks for one here.

        A bye counts as a game against a dummy with the player's own final score, at most half a point for
        each round (art. 16.4).
        """
        score = self.scores[name]
        most = Fraction(len(score.rounds), 2)
        dummy = min(score.points, most)
        met = [(points, self.scores[other].points if other else dummy) for points, other in score.rounds]
        strengths = sorted(strength for _points, strength in met)
        buchholz = sum(strengths, Fraction(0))
        return {
            "BH": buchholz,
            "BH-C1": buchholz - (strengths[0] if strengths else 0),
            "KS": sum(
                (points for points, strength in met if strength >= Fraction(len(score.rounds), 2)),
                Fraction(0),
            ),
            "SB": sum((points * strength for points, strength in met), Fraction(0)),
            "WIN": Fraction(sum(points == 1 for points, _strength in met)),
        }
