"""Measures both servers, interleaved, on this machine: `python -m benchmarks.run`.

Each round plays a few batches of games on one server, then on the other. The medians over the rounds are printed as
a table; every row is kept as JSON lines in var/bench/. Compare only inside a table: the ratio is the result.
"""

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.load import open_idle, play
from benchmarks.servers import (
    ROOT,
    NaiveVenue,
    RealVenue,
    Server,
    allow_many_sockets,
    cores,
    naive_server,
    real_server,
)

Row = dict[str, Any]
IDLE_SETTLE_S = 1.0
COLUMNS = (
    ("actions/s", "actions_per_s", "{:,.0f}"),
    ("CPU per action, us", "cpu_us_per_action", "{:,.0f}"),
    ("of the load, us", "load_cpu_us_per_action", "{:,.0f}"),
    ("ack p50, ms", "ack_p50_ms", "{:.1f}"),
    ("ack p99, ms", "ack_p99_ms", "{:.1f}"),
    ("kB per idle socket", "kb_per_idle_socket", "{:.1f}"),
)


class Meter:
    """Reads a server's processor time at each call."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.readings: list[float] = []

    def __call__(self) -> None:
        self.readings.append(self._server.cpu_s())

    @property
    def seconds(self) -> float:
        return sum(
            after - before for before, after in zip(self.readings[::2], self.readings[1::2], strict=True)
        )


def measure(server: Server, venue: NaiveVenue | RealVenue, *, games: int, watchers: int, batches: int) -> Row:
    """Plays batches of games, one after another; only the time between first and last action counts."""
    meter = Meter(server)
    outcomes = []
    for batch in range(batches):
        seatings = venue.seatings(games)
        outcomes.append(asyncio.run(play(seatings, watchers=watchers, seed=batch, meter=meter)))
    actions = sum(outcome.actions for outcome in outcomes)
    acks_ms = sorted(ms for outcome in outcomes for ms in outcome.acks_ms)
    expected = actions * watchers
    return {
        "actions": actions,
        "actions_per_s": actions / sum(outcome.seconds for outcome in outcomes),
        "cpu_us_per_action": 1e6 * meter.seconds / actions,
        "load_cpu_us_per_action": 1e6 * sum(outcome.own_seconds for outcome in outcomes) / actions,
        "ack_p50_ms": acks_ms[len(acks_ms) // 2],
        "ack_p99_ms": acks_ms[len(acks_ms) * 99 // 100],
        "watcher_frames_lost": expected - sum(outcome.heard for outcome in outcomes),
    }


def idle_memory(server: Server, venue: NaiveVenue | RealVenue, sockets: int) -> float:
    """The growth of a server's memory for each socket that only listens, in kB."""

    async def grow() -> float:
        addresses = [seating.watcher for seating in venue.seatings(20)]
        for wire in await open_idle(addresses, 50):  # what the first sockets bring once
            wire.close()
        await asyncio.sleep(IDLE_SETTLE_S)
        before_kb = server.memory_kb()
        wires = await open_idle(addresses, sockets)
        await asyncio.sleep(IDLE_SETTLE_S)
        grown_kb = server.memory_kb() - before_kb
        for wire in wires:
            wire.close()
        return grown_kb

    return asyncio.run(grow()) / sockets


def run(options: argparse.Namespace) -> list[Row]:
    """All rounds; returns a row for each round and server."""
    rows: list[Row] = []
    naive_games = options.rounds * options.naive_batches * options.games + 20
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="quarto-bench-")))
        naive = stack.enter_context(naive_server(directory, naive_games))
        real = stack.enter_context(real_server(directory, synchronous=options.synchronous))
        os.sched_setaffinity(0, cores()[1])
        contestants = (
            ("naive", naive, NaiveVenue(naive), options.naive_batches),
            ("quarto", real, stack.enter_context(closing(RealVenue(real))), options.batches),
        )
        idle = {name: idle_memory(server, venue, options.idle) for name, server, venue, _n in contestants}
        for number in range(1, options.rounds + 1):
            for name, server, venue, batches in contestants:
                row = {"server": name, "round": number, "games": options.games, "watchers": options.watchers}
                row |= measure(server, venue, games=options.games, watchers=options.watchers, batches=batches)
                row["kb_per_idle_socket"] = idle[name]
                rows.append(row)
                print(f"round {number} {name}: {row['actions_per_s']:,.0f} actions/s", file=sys.stderr)
    return rows


def table(rows: list[Row]) -> str:
    """Medians over the rounds, and how many times the naive server's: by actions/s, and by processor time.

    On a machine with other work the second is the steadier one.
    """
    heads = [head for head, _key, _form in COLUMNS] + ["x naive", "x naive by CPU"]
    lines = ["| server | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    medians = {name: _medians(rows, name) for name in dict.fromkeys(row["server"] for row in rows)}
    naive = medians["naive"]
    for name, own in medians.items():
        cells = [form.format(own[key]) for _head, key, form in COLUMNS]
        cells.append(f"{own['actions_per_s'] / naive['actions_per_s']:.1f}")
        cells.append(f"{naive['cpu_us_per_action'] / own['cpu_us_per_action']:.1f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _medians(rows: list[Row], server: str) -> dict[str, float]:
    own = [row for row in rows if row["server"] == server]
    return {key: median(row[key] for row in own) for _head, key, _form in COLUMNS}


def keep(rows: list[Row], options: argparse.Namespace) -> Path:
    """Appends the rows to a file of this run."""
    folder = ROOT / "var" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}.jsonl"
    machine = {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "synchronous": options.synchronous,
    }
    path.write_text("".join(json.dumps(row | machine) + "\n" for row in rows))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=50, help="played at once")
    parser.add_argument("--watchers", type=int, default=4, help="of each game")
    parser.add_argument("--batches", type=int, default=6, help="of games a round")
    parser.add_argument("--naive-batches", type=int, default=1, help="of games a round on the naive server")
    parser.add_argument("--idle", type=int, default=1000, help="sockets opened to weigh one")
    parser.add_argument(
        "--synchronous", choices=("FULL", "NORMAL"), default="FULL", help="of the real server"
    )
    options = parser.parse_args()
    allow_many_sockets()
    rows = run(options)
    path = keep(rows, options)
    print(f"{options.games} games, {options.watchers} watchers each, SQLite {options.synchronous}\n")
    print(table(rows))
    print(f"\nrows: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
