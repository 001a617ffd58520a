"""The tie-breaks of FIDE C.07 (in force since 1 March 2026), exact and from the records alone.

============  =====================================  =======  ===========  ==========
code          name                                   article  modifiers    done
============  =====================================  =======  ===========  ==========
DE            direct encounter                       6                     encounter
WIN           rounds with a win's points             7.1                   yes
WON           games won over the board               7.2                   yes
BPG           games played as second player          7.3                   yes
BWG           games won as second player             7.4                   yes
PS            sum of progressive scores              7.5      C1 C2        yes
REP STD TPN   rounds played in, standard points, no  7.6-7.8               not offered
BH            Buchholz (not in round robins)         8.1      C1 C2 M1 M2  yes
AOB           mean of the opponents' Buchholz        8.2                   yes
FB            fore Buchholz                          8.3      C1 C2 M1 M2  yes
SB            Sonneborn-Berger                       9.1      C1 C2 M1 M2  yes
KS            Koya                                   9.2      limit: no    yes
ARO           average rating of opponents            10.1     C1 C2 M1 M2  yes
TPR           tournament performance rating          10.2                  yes
PTP           perfect tournament performance         10.3                  yes
APRO APPO     opponents' mean performances           10.4-5                not offered
RTNG          rating                                 10.6                  not offered
============  =====================================  =======  ===========  ==========

"Second player" stands for FIDE's Black. The ratings-based ones are blank for all where anybody is
unrated (10). Cuts follow 14 and 16.5; unplayed rounds 15 and 16 (:mod:`tournaments.event`).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tournaments.event import Contribution, Event, System
from tournaments.performance import average_rating, perfect_performance, tournament_performance
from tournaments.records import ON_BOARD, Contestant, Kind, PointSystem, RoundRecord

SWISS_PRESET = ("BH-C1", "BH", "SB", "DE", "WIN")
ROUND_ROBIN_PRESET = ("DE", "SB", "WIN", "KS")

Number = int | Fraction
Values = Mapping[int, Number | None]
"""A tie-break's value by start number; None is blank, and behind every number."""


class UnknownTieBreak(ValueError):
    """There is no such tie-break, or it cannot be modified like that."""

    code = "unknown_tie_break"


class TieBreakNotOffered(ValueError):
    """Buchholz and its kin must not be used in a round robin (C.07 article 8, note, 2026)."""

    code = "tie_break_not_offered"


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One item of an event's list: a code and how many values are cut at the low and the high end."""

    name: str
    modifier: str = ""

    @property
    def low(self) -> int:
        return int(self.modifier[1]) if self.modifier else 0

    @property
    def high(self) -> int:
        return self.low if self.modifier.startswith("M") else 0

    @property
    def report_code(self) -> str:
        """As report files write it (202, 212): BH/C1."""
        return f"{self.name}/{self.modifier}" if self.modifier else self.name

    def __str__(self) -> str:
        return f"{self.name}-{self.modifier}" if self.modifier else self.name


def parse_tie_break(text: str) -> TieBreak:
    """Reads ``BH-C1`` or, as report files write it, ``BH/C1``; in any case. Raises UnknownTieBreak.

    >>> str(parse_tie_break("bh/c1"))
    'BH-C1'
    """
    found = re.fullmatch(r"([A-Z]+)(?:[-/]([CM][12]))?", text.strip().upper())
    if not found or found[1] not in _RULES or (found[2] or "") not in _RULES[found[1]].modifiers:
        raise UnknownTieBreak(f"no such tie-break: {text}")
    return TieBreak(found[1], found[2] or "")


def check_offered(tie_break: TieBreak, system: System) -> None:
    """Raises TieBreakNotOffered where the system rules this tie-break out."""
    if system is System.ROUND_ROBIN and _RULES[tie_break.name].swiss_only:
        raise TieBreakNotOffered(f"{tie_break} is not used in a round robin")


def offered(*, round_robin: bool) -> tuple[str, ...]:
    """Every code that can be chosen, modifiers included."""
    return tuple(
        str(TieBreak(name, modifier))
        for name, rule in _RULES.items()
        for modifier in rule.modifiers
        if not (round_robin and rule.swiss_only)
    )


def values_of(tie_break: TieBreak, event: Event) -> Values:
    """The tie-break's value for everybody; greater is better. Not for DE, which asks who is tied."""
    rule = _RULES[tie_break.name]
    assert rule.compute is not None
    return rule.compute(event, tie_break)


def print_value(tie_break: TieBreak, value: Number | None) -> str:
    """The value as it is printed: counts and ratings whole, points as decimals, blank as nothing.

    >>> print_value(TieBreak("SB"), 37)
    '9.25'
    """
    if value is None:
        return ""
    per_point = _RULES[tie_break.name].per_point
    return str(value) if per_point == 1 else decimal(Fraction(value) / per_point)


def decimal(value: Fraction) -> str:
    """Points as people read them: one decimal, or two where they are needed; halves rounded up.

    >>> decimal(Fraction(8)), decimal(Fraction(37, 4)), decimal(Fraction(25, 3))
    ('8.0', '9.25', '8.33')
    """
    hundredths = (200 * value.numerator + value.denominator) // (2 * value.denominator)
    whole, rest = divmod(abs(hundredths), 100)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{whole}.{rest:02}".removesuffix("0")


# --- type B: the own record (article 7) ---


def _counter(counts: Callable[[RoundRecord, PointSystem], bool]) -> "Compute":
    def compute(event: Event, _: TieBreak) -> Values:
        points = event.points
        return {e.number: sum(counts(r, points) for r in e.records) for e in event.contestants}

    return compute


def _won(record: RoundRecord, points: PointSystem) -> bool:
    return record.kind is Kind.PLAYED and record.half_points >= points.win


def _progressive(event: Event, tie_break: TieBreak) -> Values:
    """Each round's points stand in every later sum; a cut leaves out the sums after the first rounds."""

    def total(entry: Contestant) -> int:
        running, sums = 0, 0
        for index, record in enumerate(entry.records):
            running += record.half_points
            sums += running if index >= tie_break.low else 0
        return sums

    return {entry.number: total(entry) for entry in event.contestants}


# --- opponents' results (articles 8, 9, 14, 16.5) ---


def _worth_alone(contribution: Contribution) -> int:
    return contribution.score


def _worth_times_gained(contribution: Contribution) -> int:
    return contribution.score * contribution.gained


Worth = Callable[[Contribution], int]


def _cut_sum(rounds: list[Contribution], worth: Worth, tie_break: TieBreak) -> int:
    """The sum of what is left after the cuts, least significant values first (14.3, 14.4)."""
    left = list(rounds)
    for _ in range(min(tie_break.low, len(left))):
        left.remove(_least(left, worth))
    for _ in range(min(tie_break.high, len(left))):
        left.remove(max(left, key=lambda c: (c.score, worth(c))))
    return sum(map(worth, left))


def _least(rounds: list[Contribution], worth: Worth) -> Contribution:
    """The lowest-scoring opponent's contribution, or the lowest voluntary one unless that is lower (16.5)."""
    least = min(rounds, key=lambda c: (c.score, worth(c)))
    voluntary = [contribution for contribution in rounds if contribution.voluntary]
    lowest = min(voluntary, key=lambda c: (worth(c), c.score), default=least)
    return lowest if worth(lowest) >= worth(least) else least


def _summed(worth: Worth) -> "Compute":
    def compute(event: Event, tie_break: TieBreak) -> Values:
        return {number: _cut_sum(found, worth, tie_break) for number, found in event.contributions.items()}

    return compute


_buchholz = _summed(_worth_alone)


def _fore_buchholz(event: Event, tie_break: TieBreak) -> Values:
    return _buchholz(event.fore, tie_break)


def _average_of_buchholz(event: Event, _: TieBreak) -> Values:
    """Over the opponents met over the board."""
    buchholz = _buchholz(event, TieBreak("BH"))

    def mean(entry: Contestant) -> Fraction | None:
        found = [buchholz[r.opponent] or 0 for r in entry.records if r.kind in ON_BOARD and r.opponent]
        return Fraction(sum(found)) / len(found) if found else None

    return {entry.number: mean(entry) for entry in event.contestants}


def _koya(event: Event, _: TieBreak) -> Values:
    """Points against everybody with at least half of what could be scored; a rest could not score."""
    counted = {e.number: [r for r in e.records if r.opponent is not None] for e in event.contestants}
    most = event.rounds if event.system is System.SWISS else max(map(len, counted.values()), default=0)
    good = {number for number, score in event.scores.items() if 2 * score >= event.points.win * most}
    return {
        number: sum(record.half_points for record in records if record.opponent in good)
        for number, records in counted.items()
    }


# --- ratings (article 10) ---


def _rating_based(rate: Callable[[list[tuple[int, int]], TieBreak], int | None]) -> "Compute":
    def compute(event: Event, tie_break: TieBreak) -> Values:
        ratings = {entry.number: entry.rating for entry in event.contestants}
        if None in ratings.values():
            return dict.fromkeys(ratings)
        return {e.number: rate(_rated_games(e, ratings, event.points), tie_break) for e in event.contestants}

    return compute


def _rated_games(
    entry: Contestant, ratings: Mapping[int, int | None], points: PointSystem
) -> list[tuple[int, int]]:
    """Opponent's rating and half points, a win counted as 2 in every point system."""
    found = []
    for record in entry.records:
        if record.kind is Kind.PLAYED and record.opponent is not None:
            worth = (record.half_points >= points.win) + (record.half_points >= points.draw)
            found.append((ratings[record.opponent] or 0, worth))
    return found


def _average_rating(games: list[tuple[int, int]], tie_break: TieBreak) -> int | None:
    ratings = sorted(rating for rating, _ in games)[tie_break.low :]
    return average_rating(ratings[: len(ratings) - tie_break.high] if tie_break.high else ratings)


Compute = Callable[[Event, TieBreak], Values]


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a code is computed, how many of its units make a point, and how it may be used."""

    compute: Compute | None
    per_point: int = 1
    modifiers: tuple[str, ...] = ("",)
    swiss_only: bool = False


_CUTS = ("", "C1", "C2")
_ALL = (*_CUTS, "M1", "M2")

_RULES = {
    "DE": _Rule(None, per_point=2),
    "WIN": _Rule(_counter(lambda record, points: record.half_points >= points.win)),
    "WON": _Rule(_counter(_won)),
    "BPG": _Rule(_counter(lambda record, _: record.kind in ON_BOARD and record.seat == 2)),
    "BWG": _Rule(_counter(lambda record, points: record.seat == 2 and _won(record, points))),
    "PS": _Rule(_progressive, per_point=2, modifiers=_CUTS),
    "BH": _Rule(_buchholz, per_point=2, modifiers=_ALL, swiss_only=True),
    "AOB": _Rule(_average_of_buchholz, per_point=2, swiss_only=True),
    "FB": _Rule(_fore_buchholz, per_point=2, modifiers=_ALL, swiss_only=True),
    "SB": _Rule(_summed(_worth_times_gained), per_point=4, modifiers=_ALL),
    "KS": _Rule(_koya, per_point=2),
    "ARO": _Rule(_rating_based(_average_rating), modifiers=_ALL),
    "TPR": _Rule(_rating_based(lambda games, _: tournament_performance(games))),
    "PTP": _Rule(_rating_based(lambda games, _: perfect_performance(games))),
}
