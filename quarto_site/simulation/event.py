"""Plays the tournament: signs people up, has the rounds paired and started, sits everybody down."""

import asyncio
import secrets
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from quarto_site.simulation.chair import Chair
from quarto_site.simulation.ear import Ear, Stuck
from quarto_site.simulation.plan import SYLLABLES, Person, Plan, full_rounds, made_up_name
from quarto_site.simulation.site import Site, Trouble
from quarto_site.simulation.witness import Doubts, Witness

SIGNUPS_AT_ONCE = 8
ROUND_PATIENCE_S = 200.0


@dataclass(slots=True)
class Table:
    """One board of one round as it was played: the players by username, seat 1 first."""

    round: int
    board: int
    players: tuple[str, str]
    witness: Witness
    result: str | None = None
    acks_ms: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Event:
    """What was played and what was seen. `byes` are usernames by round.

    `stuck`: a board could not go on, and there is no more to check than what was seen.
    """

    plan: Plan
    doubts: Doubts
    slug: str = ""
    name: str = ""
    rounds: int = 0
    organiser: Person | None = None
    people: dict[str, Person] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    byes: dict[int, list[str]] = field(default_factory=dict)
    stuck: bool = False

    @property
    def path(self) -> str:
        return f"/api/tournaments/{self.slug}"


async def play_event(site: Site, plan: Plan, doubts: Doubts) -> Event:
    """Play the whole tournament, or up to a round in which a board got stuck; raises Trouble."""
    event = Event(plan, doubts)
    await _gather_people(site, event)
    await _open(site, event)
    for number in range(1, event.rounds + 1):
        await _play_round(site, event, number)
        if event.stuck:
            break
    return event


async def _gather_people(site: Site, event: Event) -> None:
    """The organiser is number -1, so that he never shares a stream of chance with a player."""
    suffix = "".join(secrets.choice(SYLLABLES) for _again in range(2))
    at_once = asyncio.Semaphore(SIGNUPS_AT_ONCE)

    async def join(number: int) -> Person:
        name = made_up_name(number, suffix) if number >= 0 else f"desk-{suffix}"
        account = {"username": name, "password": secrets.token_urlsafe(15)}
        async with at_once:
            await site.post("/api/accounts/", account)
            return Person(number, name, (await site.post("/api/tokens/", account))["token"])

    event.organiser, *people = await asyncio.gather(*map(join, range(-1, event.plan.players)))
    event.people = {person.username: person for person in people}


async def _open(site: Site, event: Event) -> None:
    """Create the tournament; everybody enters himself."""
    plan, organiser = event.plan, event.organiser
    assert organiser is not None
    event.rounds = plan.rounds if plan.format == "swiss" else full_rounds(plan.players, plan.format)
    event.name = f"Simulation {organiser.username.removeprefix('desk-')}"
    wanted = {"name": event.name, "format": plan.format, "rounds": event.rounds, **plan.terms}
    tournament = await site.post("/api/tournaments/", wanted, organiser.token)
    event.slug = tournament["slug"]
    told = {key: tournament.get(key) for key in wanted}
    event.doubts.same(f"tournament {event.slug}", "what was asked for", told, wanted)
    for person in event.people.values():
        await site.post(f"{event.path}/entries/", {}, person.token)


async def _play_round(site: Site, event: Event, number: int) -> None:
    assert event.organiser is not None
    await site.post(f"{event.path}/rounds/", {}, event.organiser.token)
    await site.post(f"{event.path}/rounds/{number}/start/", {}, event.organiser.token)
    round_ = await site.get(f"{event.path}/rounds/{number}/")
    event.doubts.same(f"round {number}", "number", round_["number"], number)
    event.byes[number] = [username(bye) for bye in round_["byes"]]
    tables = [_table(event, number, board) for board in round_["boards"]]
    event.tables += tables
    await asyncio.gather(*(_play_table(site, event, table) for table in tables))
    if not event.stuck:
        await _wait_for_results(site, event, number, tables)


def username(told: Any) -> str:
    """The username in an entry, told as an object or plainly."""
    return str(told["player"]) if isinstance(told, dict) else str(told)


def _table(event: Event, number: int, board: dict[str, Any]) -> Table:
    where = f"round {number} board {board['board']}"
    if board["game"] is None:
        raise Trouble(_("%(where)s has no game.") % {"where": where})
    terms = {
        **event.plan.terms,
        "id": board["game"],
        "tournament": {"slug": event.slug, "name": event.name, "round": number, "board": board["board"]},
    }
    players = username(board["starter"]), username(board["second"])
    return Table(number, board["board"], players, Witness(board["game"], terms, event.doubts))


async def _play_table(site: Site, event: Event, table: Table) -> None:
    """Two players and a spectator, all at once."""
    plan = event.plan
    chairs = [
        Chair(
            site,
            table.witness,
            who=name,
            token=event.people[name].token,
            seat=seat,
            rng=plan.stream("player", event.people[name].number, "round", table.round),
            miss=plan.miss,
        )
        for seat, name in enumerate(table.players, start=1)
    ]
    spectator = Ear(site, table.witness, who="a spectator", token=None, seat=None)
    ends = await asyncio.gather(
        *(chair.play() for chair in chairs), spectator.listen(), return_exceptions=True
    )
    for end in ends:
        if isinstance(end, (Stuck, KeyError, TypeError, ValueError)):
            event.stuck = True
            words = str(end) if isinstance(end, Stuck) else f"a frame without sense ({end!r})"
            event.doubts.raise_unless(False, f"round {table.round} board {table.board}: {words}")
        elif isinstance(end, BaseException):
            raise end
    table.acks_ms = [ms for chair in chairs for ms in chair.acks_ms]


async def _wait_for_results(site: Site, event: Event, number: int, tables: list[Table]) -> None:
    """Until the round is complete: results are written with the games, the round's state soon after."""
    wait_s, waited_s = 0.05, 0.0
    while (round_ := await site.get(f"{event.path}/rounds/{number}/"))["status"] != "complete":
        if waited_s > ROUND_PATIENCE_S:
            raise Trouble(_("Round %(number)s does not end.") % {"number": number})
        await asyncio.sleep(wait_s)
        waited_s, wait_s = waited_s + wait_s, min(1.0, 1.5 * wait_s)
    results = {board["board"]: board["result"] for board in round_["boards"]}
    for table in tables:
        table.result = results[table.board]
