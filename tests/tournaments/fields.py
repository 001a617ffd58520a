"""Fields of contestants for the tests of pairing, standings and report files."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tournaments.pairing import Pairing, PairingError
from tournaments.pairing.swiss import most_rounds, pair_round
from tournaments.records import Contestant, Kind, RoundRecord

PAIRING_CASES = Path(__file__).parent.parent / "data" / "pairing"
CASES = sorted(path.stem for path in PAIRING_CASES.glob("*.json"))

RESULTS = {
    "1-0": (Kind.PLAYED, 2, Kind.PLAYED, 0),
    "0-1": (Kind.PLAYED, 0, Kind.PLAYED, 2),
    "=": (Kind.PLAYED, 1, Kind.PLAYED, 1),
    "+-": (Kind.FORFEIT_WIN, 2, Kind.FORFEIT_LOSS, 0),
    "-+": (Kind.FORFEIT_LOSS, 0, Kind.FORFEIT_WIN, 2),
    "--": (Kind.DOUBLE_FORFEIT, 0, Kind.DOUBLE_FORFEIT, 0),
    "*": (Kind.ADJOURNED, 0, Kind.ADJOURNED, 0),
}
BYES = {"U": (Kind.PAIRING_BYE, 2), "F": (Kind.FULL_BYE, 2), "H": (Kind.HALF_BYE, 1), "Z": (Kind.ZERO_BYE, 0)}


def case(name: str) -> dict[str, Any]:
    """One position with the reference engine's pairing."""
    position: dict[str, Any] = json.loads((PAIRING_CASES / f"{name}.json").read_text())
    return position


def board(starter: int, second: int, result: str) -> dict[int, RoundRecord]:
    """Both records of one board; `result` as in RESULTS."""
    kind, half_points, other_kind, other_half_points = RESULTS[result]
    rated = kind is Kind.PLAYED
    return {
        starter: RoundRecord(kind, second, 1, half_points, rated),
        second: RoundRecord(other_kind, starter, 2, other_half_points, rated),
    }


def field(size: int, *rounds: str, ratings: Sequence[int | None] = ()) -> list[Contestant]:
    """Contestants 1 to `size`; a round is like "1-2 1-0, 3-4 =, 5 U", who is not named has a zero-point bye."""
    played = [_round(size, text) for text in rounds]
    return [
        Contestant(
            number,
            f"Player {number}",
            ratings[number - 1] if ratings else 2000 - number,
            tuple(records[number] for records in played),
        )
        for number in range(1, size + 1)
    ]


def _round(size: int, text: str) -> dict[int, RoundRecord]:
    records = {number: RoundRecord(Kind.ZERO_BYE) for number in range(1, size + 1)}
    for item in filter(None, text.split(", ")):
        who, result = item.split(" ")
        if "-" in who:
            starter, second = map(int, who.split("-"))
            records |= board(starter, second, result)
        else:
            kind, half_points = BYES[result]
            records[int(who)] = RoundRecord(kind, half_points=half_points)
    return records


def cross_table(*rows: str) -> list[Contestant]:
    """A single round robin from rows such as "x1=0": results against 1, 2, 3, ...; row by row a round each."""
    worth = {"1": 2, "=": 1, "0": 0}
    return [
        Contestant(
            number,
            records=tuple(
                RoundRecord(Kind.PLAYED, opponent, 1 if number < opponent else 2, worth[result], rated=True)
                for opponent, result in enumerate(row, 1)
                if opponent != number
            ),
        )
        for number, row in enumerate(rows, 1)
    ]


def play_swiss(
    rng: random.Random, size: int, rounds_total: int, check: Callable[[Sequence[Contestant], Pairing], None]
) -> Iterator[list[Contestant]]:
    """A whole event with byes, forfeits, withdrawals and late entries, after each round; `check` sees each pairing.

    Ends early where no pairing is legal.
    """
    share = {name: rng.choice((0, 0.05, 0.15)) for name in ("away", "forfeit")}
    draws = rng.choice((0, 0.1, 0.4))
    first_seat = rng.choice((1, 2))
    late = {number: rng.randint(1, 2) for number in range(2, size + 1) if rng.random() < 0.1}
    contestants = [Contestant(number, rating=2000 - number) for number in range(1, size + 1)]
    for round_number in range(1, rounds_total + 1):
        away = {
            entry.number: _away(rng, entry, late.get(entry.number, 0), share["away"]) for entry in contestants
        }
        records = {number: record for number, record in away.items() if record}
        try:
            pairing = pair_round(
                contestants,
                round_number=round_number,
                rounds_total=rounds_total,
                first_seat=first_seat,
                absent=records.keys(),
            )
        except PairingError:
            return
        check(contestants, pairing)
        if pairing.bye:
            records[pairing.bye] = RoundRecord(Kind.PAIRING_BYE, half_points=2)
        for starter, second in pairing.boards:
            records |= board(starter, second, _result(rng, share["forfeit"], draws))
        contestants = [
            replace(entry, records=(*entry.records, records[entry.number])) for entry in contestants
        ]
        yield contestants


def _away(rng: random.Random, entry: Contestant, late: int, share: float) -> RoundRecord | None:
    if entry.records and entry.records[-1].kind is Kind.WITHDRAWN:
        return entry.records[-1]
    if len(entry.records) < late:
        return RoundRecord(Kind.NOT_ENTERED)
    if rng.random() < share:
        kind = rng.choice((Kind.HALF_BYE, Kind.ZERO_BYE, Kind.ABSENT, Kind.WITHDRAWN))
        return RoundRecord(kind, half_points=int(kind is Kind.HALF_BYE))
    return None


def _result(rng: random.Random, forfeits: float, draws: float) -> str:
    if rng.random() < forfeits:
        return rng.choice(("+-", "-+", "--"))
    return "=" if rng.random() < draws else rng.choice(("1-0", "0-1"))


def random_swiss(rng: random.Random, largest: int) -> tuple[list[Contestant], int]:
    """A random event's field after its last round that could be paired, and its number of rounds."""
    size = rng.randint(2, largest)
    rounds_total = rng.randint(1, min(most_rounds(size), 9))
    after = [[Contestant(number, rating=2000 - number) for number in range(1, size + 1)]]
    after += play_swiss(rng, size, rounds_total, lambda contestants, pairing: None)
    return after[-1], rounds_total
