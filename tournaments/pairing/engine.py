"""The wrapper round the Swiss engine: the library gacrux, Dutch system in force since 1 February 2026.

The library has no stable interface: this module alone knows its tournament dictionary, makes a fresh
one for each call (it is changed by it) and takes nothing back but numbers. The version is pinned, and
the reference pairings in the tests guard every upgrade.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch

from tournaments.records import ON_BOARD, Contestant, Kind, PointSystem, RoundRecord

Pairs = list[tuple[int, int]]

_OWN_LETTERS = {Kind.PAIRING_BYE: "P", Kind.ADJOURNED: "A", Kind.FULL_BYE: "W"}


def dutch_pairs(
    contestants: Sequence[Contestant],
    *,
    round_number: int,
    rounds_total: int,
    first_seat: int,
    absent: Collection[int],
    forbidden: Collection[frozenset[int]],
    acceleration: Mapping[int, Sequence[int]],
    points: PointSystem,
) -> Pairs | None:
    """Pairs ``(starter, second)`` in no particular order, the bye as ``(number, 0)``; None: none is legal.

    Contestants are numbered 1, 2, ... without gaps and have records for all earlier rounds.
    """
    tournament = {
        "tournamentType": "Swiss",
        "teamTournament": False,
        "numRounds": rounds_total,
        "currentRound": round_number - 1,
        "topColor": "w" if first_seat == 1 else "b",
        "rankOrder": [],
        "scoreSystem": {"game": _score_system(points)},
        "competitors": [_competitor(entry, absent) for entry in contestants],
        "gameList": list(_games(contestants, round_number - 1, points)),
        "matchList": [],
        "prohibited": [
            {"firstRound": 1, "lastRound": rounds_total, "competitors": sorted(pair)} for pair in forbidden
        ],
        "accelerated": {"name": "Acc", "values": list(_virtual_points(acceleration))},
    }
    engine = pairing_dutch(tournament, round_number, {"experimental": [], "verbose": 0})
    try:
        brackets = engine.compute_pairing(False, 0)
    except GacruxNoLegalPairing:
        return None
    return [(int(pair["w"]), int(pair["b"])) for bracket in brackets if bracket for pair in bracket["pairs"]]


def _points(half_points: int) -> Decimal:
    return Decimal(half_points) / 2


def _score_system(points: PointSystem) -> dict[str, Decimal]:
    """The library's letters: win, draw, loss, full bye, half bye, absence, pairing bye, adjourned, unknown."""
    worth = {"W": points.win, "D": points.draw, "L": points.loss, "F": points.win, "H": points.draw}
    worth |= {"Z": points.absence, "P": points.bye, "A": points.draw, "U": points.absence}
    return {letter: _points(half_points) for letter, half_points in worth.items()}


def _competitor(entry: Contestant, absent: Collection[int]) -> dict[str, Any]:
    """``random`` is only there to keep the library from drawing a lot of its own."""
    penalties = [
        {"points": _points(p.half_points), "round": p.round, "pairing": True} for p in entry.penalties
    ]
    return {
        "cid": entry.number,
        "rank": entry.number,
        "random": entry.number,
        "present": entry.number not in absent,
        "adjust": penalties,
    }


def _games(contestants: Sequence[Contestant], rounds: int, points: PointSystem) -> Iterator[dict[str, Any]]:
    """Every board once, in the word of its starter, and every round without an opponent."""
    by_number = {entry.number: entry for entry in contestants}
    for entry in contestants:
        for index, record in enumerate(entry.records[:rounds]):
            own = _side(entry.number, record, points)
            if record.opponent is None:
                played = record.kind is Kind.PAIRING_BYE
                yield {"round": index + 1, "white": own, "black": None, "played": played, "rated": False}
            elif record.seat == 1 or (record.seat is None and entry.number < record.opponent):
                other = _side(record.opponent, by_number[record.opponent].records[index], points)
                played = record.kind in ON_BOARD
                yield {"round": index + 1, "white": own, "black": other, "played": played, "rated": played}


def _side(number: int, record: RoundRecord, points: PointSystem) -> dict[str, Any]:
    return {"cid": number, "result": _letter(record, points), "score": _points(record.half_points)}


def _letter(record: RoundRecord, points: PointSystem) -> str:
    if record.kind in _OWN_LETTERS:
        return _OWN_LETTERS[record.kind]
    if record.half_points >= points.win:
        return "W"
    if record.half_points >= points.draw:
        return "D"
    return "L" if record.kind is Kind.PLAYED else "Z"


def _virtual_points(acceleration: Mapping[int, Sequence[int]]) -> Iterator[dict[str, Any]]:
    for number, by_round in acceleration.items():
        for round_number, half_points in enumerate(by_round, 1):
            yield {
                "matchPoints": Decimal(0),
                "gamePoints": _points(half_points),
                "firstRound": round_number,
                "lastRound": round_number,
                "firstCompetitor": number,
                "lastCompetitor": number,
            }
