"""A second opinion on tie-breaks: the pairing library's own, which shares no code with this project's."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from gacrux.tiebreak import tiebreak

from tournaments.records import ON_BOARD, Contestant, Kind

POINTS = {"W": "1", "D": "0.5", "L": "0", "F": "1", "H": "0.5", "Z": "0", "P": "1", "A": "0.5", "U": "0"}
LETTERS = {2: "W", 1: "D", 0: "L"}


def second_opinion(
    contestants: Sequence[Contestant], code: str, *, rounds_total: int, after: int, round_robin: bool
) -> dict[int, tuple[Decimal | None, int]]:
    """Value and rank (by points, then by this tie-break alone) by start number."""
    event: dict[str, Any] = {
        "tournamentType": "",
        "tournamentInfo": {},
        "teamTournament": False,
        "numRounds": rounds_total,
        "currentRound": after,
        "rankOrder": [],
        "scoreSystem": {"game": {letter: Decimal(points) for letter, points in POINTS.items()}},
        "competitors": [_competitor(entry) for entry in contestants],
        "gameList": list(_games(contestants)),
        "matchList": [],
    }
    terms = {
        "pre_determined": round_robin,
        "swiss": not round_robin,
        "unrated": None,
        "check": False,
        "tiebreak": ["PTS", code.replace("-", "/")],
    }
    tiebreak(event, after, terms).compute_tiebreaks(event, terms)
    return {c["cid"]: (c["tiebreakScore"][1], c["rank"]) for c in event["competitors"]}


def _competitor(entry: Contestant) -> dict[str, Any]:
    rating = None if entry.rating is None else {"rating": entry.rating}
    return {"cid": entry.number, "rating": rating, "rank": 0, "random": entry.number}


def _games(contestants: Sequence[Contestant]) -> Iterator[dict[str, Any]]:
    for entry in contestants:
        for index, record in enumerate(entry.records):
            played = record.kind in ON_BOARD
            letter = LETTERS[record.half_points] if played or record.half_points else "Z"
            white = {"cid": entry.number, "result": "P" if record.kind is Kind.PAIRING_BYE else letter}
            game = {"round": index + 1, "white": white, "black": None, "played": played, "rated": played}
            if record.opponent is None:
                yield game | {"played": record.kind is Kind.PAIRING_BYE}
            elif record.seat == 1:
                other = contestants[record.opponent - 1].records[index]
                letter = LETTERS[other.half_points] if played or other.half_points else "Z"
                yield game | {"black": {"cid": record.opponent, "result": letter}}
