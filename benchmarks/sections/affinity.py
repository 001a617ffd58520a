"""What an action costs on two processes of one site, each game at one of them, against one process.

PostgreSQL and Redis are started for it, on free ports; only the processor time of this site's processes counts,
and all of them share one core.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from benchmarks.field import Contestant, Field, in_turn
from benchmarks.load import Seating
from benchmarks.sections.same_load import measure
from benchmarks.servers import Server, serving, site_environment
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, medians, say, table
from benchmarks.venues import RealVenue
from tests.services.machines import Postgres, Redis, missing

ALONE, ONE, TWO = "alone", "one", "two"
TITLES = {
    ALONE: "one process, PostgreSQL alone",
    ONE: "one process, PostgreSQL and Redis",
    TWO: "two processes, each game at one of them",
}
WHAT = "CPU per action on two processes with affinity, against one"


@dataclass(frozen=True, slots=True)
class Site:
    """The processes of one site, as one server."""

    processes: tuple[Server, ...]

    def cpu_s(self) -> float:
        return sum(process.cpu_s() for process in self.processes)


class SpreadVenue:
    """Each game at one of the processes, by turns."""

    def __init__(self, site: Site, games: list[dict[str, Any]]) -> None:
        count = len(site.processes)
        self._venues = [RealVenue(one, games[turn::count]) for turn, one in enumerate(site.processes)]
        self.dialect = self._venues[0].dialect

    def seatings(self, count: int, watchers: int) -> list[Seating]:
        share = count // len(self._venues)
        return list(chain.from_iterable(venue.seatings(share, watchers) for venue in self._venues))


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    field.stop()
    lacking = missing()
    if lacking:
        say(f"affinity: skipped, {' and '.join(lacking)} is missing")
        return []
    played = replace(sizes, batches_at_most=2)
    with ExitStack() as stack:
        postgres, redis = (stack.enter_context(_running(machine)) for machine in (Postgres(), Redis()))
        contestants = [
            stack.enter_context(_contestant(field, name, postgres, redis, played)) for name in TITLES
        ]
        for contestant in contestants:  # to be warm
            measure(contestant, replace(played, batches_at_most=1))
        return in_turn(
            "affinity",
            sizes.affinity_rounds,
            contestants,
            lambda contestant: measure(contestant, played),
            lambda row: f"{row['cpu_us_per_action']:.0f} us",
        )


@contextmanager
def _running(machine: Any) -> Iterator[Any]:
    try:
        machine.start()
        yield machine
    finally:
        machine.remove()


@contextmanager
def _contestant(
    field: Field, name: str, postgres: Postgres, redis: Redis, sizes: Sizes
) -> Iterator[Contestant]:
    environment = site_environment(postgres.create(f"affinity_{name}"))
    if name != ALONE:
        environment["QUARTO_REDIS_URL"] = redis.url
    games = sizes.games * (sizes.affinity_rounds * sizes.batches_at_most + 1)
    processes = 2 if name == TWO else 1
    with serving(field.directory, name, environment, "--live", str(games), processes=processes) as (
        servers,
        told,
    ):
        site = Site(tuple(servers))
        yield Contestant(name, site, SpreadVenue(site, told["games"]))


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    title = (
        f"{sizes.games} games with {sizes.watchers} watchers on several processes of one site, on one core"
    )
    if not rows:
        asked = Asked(WHAT, "not measured", "1.2x", "equal")
        return f"{title}\n\nNot measured: PostgreSQL or Redis is missing.", [asked]
    own = {name: medians(rows, name) for name in TITLES}
    cpu_us = {name: row["cpu_us_per_action"] for name, row in own.items()}
    lines = [
        [
            TITLES[name],
            f"{row['actions_per_s']:,.0f}",
            f"{cpu_us[name]:.0f}",
            f"{cpu_us[name] / cpu_us[ONE]:.2f}",
        ]
        for name, row in own.items()
    ]
    measured = f"{cpu_us[TWO] / cpu_us[ONE]:.2f}x ({cpu_us[TWO] / cpu_us[ALONE]:.2f}x of one without Redis)"
    heads = ["`serve`", "actions/s", "CPU per action, us", "x one with Redis"]
    return f"{title}\n\n{table(heads, lines)}", [Asked(WHAT, measured, "1.2x", "equal")]
