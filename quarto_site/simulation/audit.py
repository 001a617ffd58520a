"""What a finished tournament claims about itself, held against what was seen of it and worked out again."""

import asyncio
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from quarto_site.simulation.board import Impossible
from quarto_site.simulation.event import Event, Table, username
from quarto_site.simulation.replay import Onlooker, replay
from quarto_site.simulation.site import Site
from quarto_site.simulation.tally import PROVISIONAL_GAMES, Tally
from quarto_site.simulation.tokens import Unreadable, split_record

UNRATED = ("no-show", "aborted", "adjudication")
HUNDREDTHS_A_GAME = 0.01
"""How far a stored rating may be from the exact one for each game: changes are rounded to hundredths."""


async def audit(site: Site, event: Event) -> tuple[list[dict[str, Any]], list[Onlooker]]:
    """Check all that can be read of the event; returns the served table with ratings, and the replays."""
    replays = [
        game for table in event.tables if (game := await _check_record(site, event, table)) is not None
    ]
    await _check_records(site, event)
    tally = _tally(event)
    _check_pairings(event, tally)
    table = await site.get(f"{event.path}/standings/")
    rows = table["results"] if isinstance(table, dict) else table
    await _check_standings(site, event, tally, rows)
    await _check_ratings(site, event, tally, rows)
    tournament = await site.get(f"{event.path}/")
    event.doubts.same(f"tournament {event.slug}", "status", tournament.get("status"), "complete")
    return rows, replays


async def _check_record(site: Site, event: Event, table: Table) -> Onlooker | None:
    """Replay a record; returns where it led to, or None where it cannot be read."""
    game_id = table.witness.game_id
    where = f"record of game {game_id}"
    text, told = await asyncio.gather(
        site.get_text(f"/api/games/{game_id}/record/"), site.get(f"/api/games/{game_id}/")
    )
    try:
        record = split_record(text)
        game = replay(record)
    except (Impossible, Unreadable) as broken:
        event.doubts.raise_unless(False, f"{where}: {broken}")
        return None
    same = event.doubts.same
    terms = event.plan.terms
    headers = {
        **{"Rules": terms["rules"], "Claims": terms["claims"], "TimeControl": terms["control"]},
        **{"Player1": table.players[0], "Player2": table.players[1]},
        **{"Event": event.name, "Round": str(table.round), "Board": str(table.board)},
    }
    same(where, "set of headers", {key: record.headers.get(key) for key in headers}, headers)
    last = table.witness.last
    same(where, "movetext", record.movetext, last["record"].removesuffix(record.result).rstrip())
    same(where, "outcome", (record.result, game.termination), (last["result"], last["termination"]))
    forfeit = "F" if game.termination == "no-show" else ""
    same(where, "result of the board", table.result, f"{game.result}{forfeit}")
    table.witness.hear_game({"type": "game", **told}, who="a reader", seat=None)
    return game


async def _check_records(site: Site, event: Event) -> None:
    """The records of the whole event are those of its games."""
    whole = await site.get_text(f"{event.path}/records/")
    movetexts = [line for line in whole.split("\n") if line and not line.startswith("[")]
    states = [table.witness.last for table in event.tables]
    told = [f"{state['record']} {state['result']}".lstrip() for state in states]
    event.doubts.same("the records of the event", "movetexts", sorted(movetexts), sorted(told))


def _tally(event: Event) -> Tally:
    tally = Tally(list(event.people))
    rated = event.plan.terms["rated"]
    for number in range(1, event.rounds + 1):
        for table in (table for table in event.tables if table.round == number):
            _check_strengths(event, tally, table)
        for table in (table for table in event.tables if table.round == number):
            counts = rated and table.witness.last["termination"] not in UNRATED
            tally.add_game(*table.players, table.result or "0-0", rated=counts)
        for name in event.byes[number] if event.plan.format == "swiss" else []:
            tally.add_bye(name)  # who rests in a round robin has no game and no points
    return tally


def _check_strengths(event: Event, tally: Tally, table: Table) -> None:
    """A game tells the ratings with which its players sat down, as its record does not change any more."""
    told = (table.witness.game or {}).get("players", [])
    for player, name in zip(told, table.players, strict=False):
        score = tally.scores[name]
        where = f"game {table.witness.game_id} as to {name}"
        event.doubts.same(where, "seat's player", player["player"], name)
        _check_rating(event, where, player["rating"], score.rating, score.rated_games)
        event.doubts.same(where, "provisional", player["provisional"], score.rated_games < PROVISIONAL_GAMES)


def _check_rating(event: Event, where: str, told: int, exact: float, games: int) -> None:
    near = abs(told - exact) <= 0.5 + HUNDREDTHS_A_GAME * games
    event.doubts.raise_unless(near, f"{where}: the rating is {told}, expected {exact:.2f}")


def _check_pairings(event: Event, tally: Tally) -> None:
    """Everybody once a round; nobody twice against the same in Swiss, as often as it should be elsewhere."""
    meetings = Counter(
        frozenset(table.players) for table in event.tables if not (table.result or "").endswith("F")
    )
    for number in range(1, event.rounds + 1):
        seated = [name for table in event.tables if table.round == number for name in table.players]
        present = sorted(seated + event.byes[number])
        event.doubts.same(f"round {number}", "set of players", present, sorted(event.people))
    most = 2 if event.plan.format == "double_round_robin" else 1
    for pair, times in meetings.items():
        event.doubts.raise_unless(times <= most, f"{' and '.join(sorted(pair))} met {times} times")
    if event.plan.format == "swiss":
        for name, score in tally.scores.items():
            event.doubts.raise_unless(score.byes <= 1, f"{name} had {score.byes} byes")
    else:
        pairs = len(event.people) * (len(event.people) - 1) // 2
        event.doubts.same("the round robin", "number of games", len(event.tables), most * pairs)


async def _check_standings(site: Site, event: Event, tally: Tally, rows: list[dict[str, Any]]) -> None:
    where = "the standings"
    same = event.doubts.same
    same(where, "set of players", sorted(username(row) for row in rows), sorted(event.people))
    played = not any(score.forfeits for score in tally.scores.values())
    for row in rows:
        name = username(row)
        exact = tally.scores[name]
        same(f"{where}, {name}", "points", Fraction(Decimal(row["points"])), exact.points)
        known = tally.tiebreaks(name) if played else {}
        for code, value in row["tiebreaks"].items():
            if code in known and value:
                same(f"{where}, {name}", code, Fraction(Decimal(value)), known[code])
    _check_order(event, rows)


def _check_order(event: Event, rows: list[dict[str, Any]]) -> None:
    """Points first, then the tie-breaks as listed; equals share the rank, and the next one counts them."""
    keys = [(Decimal(row["points"]), *map(_number, row["tiebreaks"].values())) for row in rows]
    for place, (above, below) in enumerate(pairwise(keys), start=1):
        event.doubts.raise_unless(
            above >= below, f"the standings: place {place + 1} is better than place {place}"
        )
    for row, key in zip(rows, keys, strict=True):
        event.doubts.same(f"the standings, {username(row)}", "rank", row["rank"], keys.index(key) + 1)


def _number(value: Any) -> Decimal:
    return Decimal(0) if value in (None, "") else Decimal(value)


async def _check_ratings(site: Site, event: Event, tally: Tally, rows: list[dict[str, Any]]) -> None:
    """Every player's rating, and that nobody gained what nobody lost. Puts the ratings into the rows."""
    total, games = 0, 0
    for row in rows:
        name = username(row)
        score = tally.scores[name]
        player = await site.get(f"/api/players/{name}/")
        told = next((rating for rating in player["ratings"] if rating["pool"] == event.plan.pool), None)
        row["rating"] = told["rating"] if told else 1500
        total, games = total + row["rating"], games + score.rated_games
        event.doubts.same(
            f"player {name}", "number of rated games", told["games"] if told else 0, score.rated_games
        )
        _check_rating(event, f"player {name}", row["rating"], score.rating, score.rated_games)
    if all(score.rated_games <= PROVISIONAL_GAMES for score in tally.scores.values()):
        away = abs(total - 1500 * len(rows))
        event.doubts.raise_unless(
            away <= len(rows) / 2, f"the ratings add up to {total} for {len(rows)} players"
        )
