"""Direct encounter: the games among those who are tied (FIDE C.07 article 6, in force since 1 March 2026)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from tournaments.event import Event, System
from tournaments.records import FORFEITS, ON_BOARD, RoundRecord

Group = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Encounters:
    """A tied group put in order: ``groups`` from best to worst, those still tied together.

    ``sums`` are the half points from games within the whole group; empty where these say nothing.
    """

    groups: tuple[Group, ...]
    sums: Mapping[int, Fraction]


def direct_encounter(event: Event, tied: Sequence[int]) -> Encounters:
    """Orders ``tied`` by their own games, as far as article 6 goes.

    Where all have met, the sums decide, and article 6 is applied again to each smaller group that is
    still tied (6.2). Where not all have met, in a Swiss, only those are put first who are alone at the
    top whatever the missing games bring; then it is applied again to the others (6.3). Forfeits are
    games in a round robin only (6.1.1, 15.2); several games of two players count as their mean (6.1.2).
    """
    among = _games_among(event, tied)
    sums = {number: sum(games.values(), Fraction(0)) for number, games in among.items()}
    all_met = all(len(games) == len(tied) - 1 for games in among.values())
    if all_met:
        groups = _by_sum(tied, sums)
    elif event.system is System.SWISS:
        groups = _certain_leaders(tied, sums, among, event.points.win)
    else:
        groups = (tuple(tied),)
    if len(groups) == 1:
        return Encounters(groups, sums if all_met else {})
    refined = [
        smaller
        for group in groups
        for smaller in (direct_encounter(event, group).groups if len(group) > 1 else (group,))
    ]
    return Encounters(tuple(refined), sums)


def _games_among(event: Event, tied: Collection[int]) -> dict[int, dict[int, Fraction]]:
    """For each of ``tied``, what was scored against each other one that was met."""
    counted = ON_BOARD if event.system is System.SWISS else ON_BOARD | FORFEITS
    among: dict[int, dict[int, Fraction]] = {}
    inside = frozenset(tied)
    for number in tied:
        met: dict[int, list[RoundRecord]] = {}
        for record in event.records_of(number):
            opponent = record.opponent
            if record.kind in counted and opponent is not None and opponent in inside:
                met.setdefault(opponent, []).append(record)
        among[number] = {
            opponent: Fraction(sum(record.half_points for record in games), len(games))
            for opponent, games in met.items()
        }
    return among


def _by_sum(tied: Sequence[int], sums: Mapping[int, Fraction]) -> tuple[Group, ...]:
    ordered = sorted(tied, key=lambda number: (-sums[number], number))
    return tuple(tuple(group) for _, group in groupby(ordered, key=lambda number: sums[number]))


def _certain_leaders(
    tied: Sequence[int],
    sums: Mapping[int, Fraction],
    among: Mapping[int, Mapping[int, Fraction]],
    win: int,
) -> tuple[Group, ...]:
    """One leader after the other, each with more than all behind him could still reach."""
    most = {number: sums[number] + win * (len(tied) - 1 - len(among[number])) for number in tied}
    rest = sorted(tied, key=lambda number: (-sums[number], number))
    leaders: list[Group] = []
    while len(rest) > 1 and sums[rest[0]] > max(most[number] for number in rest[1:]):
        leaders.append((rest.pop(0),))
    return (*leaders, tuple(sorted(rest)))
