"""Standings: a pure function of the records, computed whenever they are asked for, never edited.

By points, then by the event's ordered list of tie-breaks, each applied to those still tied (FIDE C.07
4.2, 2026). What is tied after the last one shares a place.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.encounter import direct_encounter
from tournaments.event import Event, System, event_after, without_games_of
from tournaments.records import STANDARD, Contestant, Kind, PointSystem, points_text
from tournaments.tiebreaks import (
    Number,
    TieBreak,
    Values,
    check_offered,
    parse_tie_break,
    print_value,
    values_of,
)

Group = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings.

    ``tiebreaks`` are the printed values by code, in the order of the list; ``keys`` the exact ones,
    greater is better, None is blank. ``counts`` is False for who left a round robin too early.
    """

    rank: int
    number: int
    half_points: int
    tiebreaks: dict[str, str]
    keys: tuple[Number | None, ...]
    counts: bool = True

    @property
    def points(self) -> str:
        """The points as a decimal string."""
        return points_text(self.half_points)


def standings(
    contestants: Sequence[Contestant],
    tiebreaks: Iterable[str],
    *,
    system: System = System.SWISS,
    rounds_total: int,
    after: int | None = None,
    points: PointSystem = STANDARD,
) -> tuple[Row, ...]:
    """The standings after round ``after`` (default: the last with a record), best first.

    ``tiebreaks`` are codes such as ``BH-C1``. A record may be missing at the end: that game is still
    on. Raises UnknownTieBreak and TieBreakNotOffered.
    """
    codes = [parse_tie_break(code) for code in tiebreaks]
    for code in codes:
        check_offered(code, system)
    whole = event_after(contestants, system=system, rounds_total=rounds_total, after=after, points=points)
    gone = early_leavers(whole)
    event = without_games_of(whole, gone)
    columns = _Columns(event, codes)
    places = columns.ordered()
    ranked = [
        columns.row(rank, number)
        for rank, group in zip(_ranks(places), places, strict=True)
        for number in group
    ]
    return (*ranked, *(_uncounted(len(ranked) + 1, number, codes) for number in sorted(gone)))


def early_leavers(event: Event) -> frozenset[int]:
    """Who left a round robin with less than half of the scheduled games played (FIDE C.05, 2026).

    Their results stay in the table and for rating, but do not count in the standings.
    """
    if event.system is System.SWISS:
        return frozenset()
    size = len(event.contestants)
    scheduled = event.rounds_total * (size - 1) // (size - 1 + size % 2)
    return frozenset(
        entry.number
        for entry in event.contestants
        if entry.left and 2 * sum(record.kind is Kind.PLAYED for record in entry.records) < scheduled
    )


class _Columns:
    """Splits the field, tie-break by tie-break, and keeps the values for print."""

    def __init__(self, event: Event, codes: Sequence[TieBreak]) -> None:
        self._event = event
        self._codes = codes
        self._values: list[Values] = []

    def ordered(self) -> list[Group]:
        """The places from best to worst; more than one number share a place."""
        groups = _split(tuple(sorted(self._event.scores)), self._event.scores)
        for code in self._codes:
            if code.name == "DE":
                groups = self._split_by_encounter(groups)
            else:
                values = values_of(code, self._event)
                self._values.append(values)
                groups = [smaller for group in groups for smaller in _split(group, values)]
        return groups

    def row(self, rank: int, number: int) -> Row:
        keys = tuple(values.get(number) for values in self._values)
        printed = {str(c): print_value(c, key) for c, key in zip(self._codes, keys, strict=True)}
        return Row(rank, number, self._event.scores[number], printed, keys)

    def _split_by_encounter(self, groups: list[Group]) -> list[Group]:
        sums: dict[int, Number | None] = {}
        split: list[Group] = []
        for group in groups:
            if len(group) == 1:
                split.append(group)
                continue
            found = direct_encounter(self._event, group)
            sums |= found.sums
            split += found.groups
        self._values.append(sums)
        return split


def _split(group: Group, values: Values) -> list[Group]:
    if len(group) == 1:
        return [group]

    def order(number: int) -> tuple[bool, Number]:
        value = values[number]
        return (value is None, 0 if value is None else -value)

    return [tuple(tied) for _, tied in groupby(sorted(group, key=order), key=order)]


def _ranks(places: Sequence[Group]) -> list[int]:
    ranks, rank = [], 1
    for group in places:
        ranks.append(rank)
        rank += len(group)
    return ranks


def _uncounted(rank: int, number: int, codes: Sequence[TieBreak]) -> Row:
    return Row(rank, number, 0, {str(code): "" for code in codes}, (None,) * len(codes), counts=False)
