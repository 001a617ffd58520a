"""The records of an event as standings and tie-breaks read them, and FIDE's rules for unplayed rounds.

FIDE C.07 in force since 1 March 2026, articles 15 and 16. In a round robin every forfeit is a regular
game (15.2) and rounds without an opponent do not exist; article 16 is for Swiss events.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from tournaments.records import (
    ON_BOARD,
    REQUESTED_BYES,
    STANDARD,
    VOLUNTARY,
    Contestant,
    Kind,
    PointSystem,
    RoundRecord,
)


class System(StrEnum):
    """How opponents are found: by results, or before the start (single and double round robins)."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"


class Contribution(NamedTuple):
    """One round's share in Buchholz and Sonneborn-Berger, in half points.

    ``score`` is the opponent's (or dummy's), ``gained`` what was scored, ``voluntary`` marks a VUR.
    """

    score: int
    gained: int
    voluntary: bool


@dataclass(frozen=True)
class Event:
    """Contestants with the records that count, after ``rounds`` rounds of ``rounds_total``."""

    contestants: tuple[Contestant, ...]
    rounds: int
    rounds_total: int
    system: System
    points: PointSystem

    @cached_property
    def _by_number(self) -> dict[int, Contestant]:
        return {entry.number: entry for entry in self.contestants}

    def records_of(self, number: int) -> tuple[RoundRecord, ...]:
        """The records of one start number."""
        return self._by_number[number].records

    @cached_property
    def scores(self) -> dict[int, int]:
        """Half points by start number."""
        return {entry.number: entry.score() for entry in self.contestants}

    @cached_property
    def adjusted(self) -> dict[int, int]:
        """Each contestant's score for the tie-breaks of opponents (16.3)."""
        if self.system is System.ROUND_ROBIN:
            return self.scores
        return {
            entry.number: self.scores[entry.number] + _adjustment(entry.records, self.points.draw)
            for entry in self.contestants
        }

    @cached_property
    def contributions(self) -> dict[int, list[Contribution]]:
        """Each contestant's rounds in order (16.4), without those that do not exist."""
        find = self._scheduled if self.system is System.ROUND_ROBIN else self._evaluated
        return {entry.number: find(entry) for entry in self.contestants}

    @cached_property
    def fore(self) -> "Event":
        """The same event as if all paired games of its last round had been drawn (8.3)."""
        if self.rounds < self.rounds_total or not self.rounds:
            return self
        return replace(self, contestants=tuple(self._drawn_at_last(entry) for entry in self.contestants))

    def _scheduled(self, entry: Contestant) -> list[Contribution]:
        return [
            Contribution(self.scores[record.opponent], record.half_points, False)
            for record in entry.records
            if record.opponent is not None
        ]

    def _evaluated(self, entry: Contestant) -> list[Contribution]:
        """Unplayed rounds are games against a dummy with the own score, capped (16.4.1, 16.4.2)."""
        own = self.scores[entry.number]
        cap = self.points.draw * self.rounds
        adjusted = self.adjusted
        found = []
        for record in entry.records:
            if record.opponent is None:
                score = min(own, cap)
            elif record.kind in ON_BOARD:
                score = adjusted[record.opponent]
            else:
                score = min(own, adjusted[record.opponent])
            found.append(Contribution(score, record.half_points, record.kind in VOLUNTARY))
        return found

    def _drawn_at_last(self, entry: Contestant) -> Contestant:
        if len(entry.records) < self.rounds or entry.records[-1].opponent is None:
            return entry
        last = entry.records[-1]
        drawn = RoundRecord(Kind.PLAYED, last.opponent, last.seat or 1, self.points.draw, last.rated)
        return replace(entry, records=(*entry.records[:-1], drawn))


def _adjustment(records: Sequence[RoundRecord], draw: int) -> int:
    """Requested byes followed only by voluntary unplayed rounds, or by none, count as draws (16.2.5, 16.3.2)."""
    more = 0
    for record in reversed(records):
        if record.kind not in VOLUNTARY:
            break
        if record.kind in REQUESTED_BYES:
            more += draw - record.half_points
    return more


def event_after(
    contestants: Sequence[Contestant],
    *,
    system: System,
    rounds_total: int,
    after: int | None = None,
    points: PointSystem = STANDARD,
) -> Event:
    """The event as it stands after round ``after`` (default: the last round with a record)."""
    rounds = max((len(entry.records) for entry in contestants), default=0) if after is None else after
    cut = tuple(replace(entry, records=entry.records[:rounds]) for entry in contestants)
    return Event(cut, rounds, rounds_total, system, points)


def without_games_of(event: Event, numbers: frozenset[int]) -> Event:
    """The event without ``numbers`` and without every game against them."""
    if not numbers:
        return event
    kept = tuple(
        replace(entry, records=tuple(r for r in entry.records if r.opponent not in numbers))
        for entry in event.contestants
        if entry.number not in numbers
    )
    return replace(event, contestants=kept)
