"""What several processes cost: the same load on SQLite, PostgreSQL, with Redis, and at two processes.

`python -m benchmarks.many` starts PostgreSQL and Redis of its own. The processor time is that of the
`serve` processes alone; all of them run on one core and the load, PostgreSQL and Redis on what is left.
"""

import argparse
import asyncio
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from benchmarks.load import play
from benchmarks.servers import RealVenue, Server, allow_many_sockets, cores, real_servers
from tests.services.machines import Postgres, Redis


def measure(
    servers: list[Server], venue: RealVenue, options: argparse.Namespace, seed: int
) -> tuple[float, float, float]:
    """Actions a second, microseconds of the servers' processors for each, and the median answer in ms."""
    marks: list[float] = []
    outcome = asyncio.run(
        play(
            venue.seatings(options.games),
            watchers=options.watchers,
            seed=seed,
            meter=lambda: marks.append(sum(server.cpu_s() for server in servers)),
        )
    )
    used_us = 1_000_000 * (marks[1] - marks[0]) / outcome.actions
    return outcome.actions / outcome.seconds, used_us, median(outcome.acks_ms)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=50, help="played at once")
    parser.add_argument("--watchers", type=int, default=4, help="of each game")
    options = parser.parse_args()
    allow_many_sockets()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="quarto-bench-")))
        postgres, redis = Postgres(), Redis()
        stack.callback(postgres.remove), stack.callback(redis.remove)
        postgres.start(), redis.start()
        layouts = {
            "one, SQLite": (1, f"sqlite:///{folder / 'one.sqlite3'}", {}, False),
            "one, PostgreSQL": (1, postgres.create("one"), {}, False),
            "one, PostgreSQL and Redis": (
                1,
                postgres.create("layer"),
                {"QUARTO_REDIS_URL": redis.url},
                False,
            ),
            "two, each game at one": (2, postgres.create("whole"), {"QUARTO_REDIS_URL": redis.url}, False),
            "two, players apart": (2, postgres.create("apart"), {"QUARTO_REDIS_URL": redis.url}, True),
        }
        os.sched_setaffinity(0, cores()[1])
        contestants = {}
        for number, (name, (count, database, settings, split)) in enumerate(layouts.items()):
            (folder / str(number)).mkdir()
            servers = stack.enter_context(real_servers(folder / str(number), count, database, **settings))
            venue = RealVenue(*servers, split=split)
            stack.callback(venue.close)
            contestants[name] = servers, venue
        rows: dict[str, list[tuple[float, float, float]]] = {name: [] for name in contestants}
        for seed in range(options.rounds):
            for name, (servers, venue) in contestants.items():
                rows[name].append(measure(servers, venue, options, seed))
    print("| serve processes | actions/s | CPU per action, us | answer p50, ms |\n|---|---|---|---|")
    for name, own in rows.items():
        speed, used_us, ack_ms = (median(column) for column in zip(*own, strict=True))
        print(f"| {name} | {speed:,.0f} | {used_us:,.0f} | {ack_ms:.1f} |")


if __name__ == "__main__":
    main()
