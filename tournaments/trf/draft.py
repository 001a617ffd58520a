"""Puts together what the records of a report file say, once everybody is known."""

from dataclasses import dataclass, field, replace
from typing import Any

from tournaments.records import Contestant, Kind, Penalty, PointSystem, RoundRecord, points_text
from tournaments.trf.cells import Cell, half_points_of, records_of, rounds_played
from tournaments.trf.lines import Line
from tournaments.trf.report import (
    CODE_TO_KIND,
    PlannedBye,
    Prohibition,
    ReportPlayer,
    TournamentReport,
    TrfError,
)

STANDINGS_ONLY = 999
"""The round of a 299 record that changes the final standings and nothing else."""
MOST_FORBIDDEN_PAIRS = 1_000_000
MOST_VIRTUAL_POINTS = 5_000_000


@dataclass
class Draft:
    """What has been read so far; numbers are checked at the end, when everybody is known."""

    lines: dict[int, Line] = field(default_factory=dict)
    players: dict[int, ReportPlayer] = field(default_factory=dict)
    rows: dict[int, tuple[Cell | None, ...]] = field(default_factory=dict)
    acceleration: dict[int, list[int]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    mentioned: list[tuple[Line, int, int]] = field(default_factory=list)
    byes: list[tuple[Line, PlannedBye]] = field(default_factory=list)
    absent: list[int] = field(default_factory=list)
    rounds_line: Line | None = None
    forbidden_pairs: int = 0
    virtual_points: int = 0

    def add(self, name: str, value: object) -> None:
        """One more of what there may be several of."""
        self.values.setdefault(name, []).append(value)

    def forbid(self, line: Line, ban: Prohibition) -> None:
        size = len(set(ban.numbers))
        self.forbidden_pairs += size * (size - 1) // 2
        if self.forbidden_pairs > MOST_FORBIDDEN_PAIRS:
            line.fail(5, "more pairs are forbidden than any event can have")
        self.add("prohibitions", ban)

    def count_virtual(self, line: Line, points: int) -> None:
        self.virtual_points += points
        if self.virtual_points > MOST_VIRTUAL_POINTS:
            line.fail(5, "there are more virtual points than any event can have")

    def mention(self, line: Line, numbers: list[tuple[int, int]]) -> tuple[int, ...]:
        """Start numbers that must exist in the end."""
        self.mentioned += [(line, number, column) for number, column in numbers]
        return tuple(number for number, _ in numbers)

    def finished(self) -> TournamentReport:
        if not self.players:
            raise TrfError(1, 1, "there is no player (001) in this file")
        for line, number, column in self.mentioned:
            if number not in self.players:
                line.fail(column, f"there is no player {number}")
        rounds = rounds_played(list(self.rows.values()))
        points = self.values.get("points", PointSystem())
        records = {number: records_of(number, self.rows, rounds, points) for number in self.players}
        self._apply_abnormal(records)
        self._check_planned(records, rounds)
        if self.rounds_line and rounds > self.values["rounds_total"]:
            self.rounds_line.fail(5, f"there are more rounds than that: {rounds}")
        players = [self._player(number, records[number], rounds, points) for number in sorted(self.players)]
        acceleration = {
            number: _trimmed(self.acceleration.get(number, [])) for number in sorted(self.players)
        }
        listed: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in self.values.items()
        }
        return TournamentReport(
            players=tuple(players),
            rounds_played=rounds,
            byes=self._planned(rounds),
            acceleration={number: virtual for number, virtual in acceleration.items() if virtual},
            **listed,
        )

    def _player(
        self, number: int, records: tuple[RoundRecord, ...], rounds: int, points: PointSystem
    ) -> ReportPlayer:
        read = self.players[number]
        penalties = tuple(
            Penalty(item.round, item.half_points)
            for item in self.values.get("abnormal", ())
            if not item.code and item.round != STANDINGS_ONLY and number in item.numbers
        )
        contestant = replace(read.contestant, records=records, penalties=penalties)
        if read.half_points is not None and read.half_points not in self._sums(contestant, rounds, points):
            counted = points_text(contestant.score())
            self.lines[number].fail(81, f"the points contradict the results, which give {counted}")
        return replace(read, contestant=contestant)

    def _sums(self, contestant: Contestant, rounds: int, points: PointSystem) -> set[int]:
        """What may stand as points: also with virtual points, or with the coming round's bye."""
        score = contestant.score() + sum(
            item.half_points
            for item in self.values.get("abnormal", ())
            if not item.code and item.round == STANDINGS_ONLY and contestant.number in item.numbers
        )
        row = self.rows[contestant.number]
        coming = row[rounds] if len(row) > rounds else None
        extra = half_points_of(coming.code, points) if coming else 0
        virtual = (self.acceleration.get(contestant.number, []) + [0] * (rounds + 1))[rounds]
        return {score, score + extra, score + virtual, score + extra + virtual}

    def _apply_abnormal(self, records: dict[int, tuple[RoundRecord, ...]]) -> None:
        """Results with points of their own."""
        for item in self.values.get("abnormal", ()):
            for number in item.numbers if item.code else ():
                own = records[number]
                if 1 <= item.round <= len(own):
                    new = replace(own[item.round - 1], half_points=item.half_points)
                    records[number] = (*own[: item.round - 1], new, *own[item.round :])

    def _check_planned(self, records: dict[int, tuple[RoundRecord, ...]], rounds: int) -> None:
        """A 240 record of a played round says what 001 says."""
        for line, bye in self.byes:
            if bye.round <= rounds and records[bye.number][bye.round - 1].kind is not bye.kind:
                line.fail(5, f"this contradicts round {bye.round} of player {bye.number}")

    def _planned(self, rounds: int) -> tuple[PlannedBye, ...]:
        """From the coming round's column, XXZ and 240; the first to speak about somebody is heard."""
        in_column = {number: row[rounds] for number, row in self.rows.items() if len(row) > rounds}
        coming = [
            PlannedBye(rounds + 1, number, CODE_TO_KIND[cell.code])
            for number, cell in in_column.items()
            if cell
        ]
        coming += [PlannedBye(rounds + 1, number, Kind.ZERO_BYE) for number in self.absent]
        coming += [bye for _, bye in self.byes if bye.round > rounds]
        found: dict[tuple[int, int], PlannedBye] = {}
        for bye in coming:
            found.setdefault((bye.round, bye.number), bye)
        return tuple(found[key] for key in sorted(found))


def _trimmed(virtual: list[int]) -> tuple[int, ...]:
    while virtual and not virtual[-1]:
        virtual.pop()
    return tuple(virtual)
