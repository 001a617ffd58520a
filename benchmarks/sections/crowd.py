"""A thousand watchers at one board: when has the last one heard of an action?"""

import asyncio
import random
from time import perf_counter
from typing import Any

from benchmarks.dialects import STATE, Dialect
from benchmarks.field import CEILING, QUARTO, TITLES, WS, Contestant, Field, Meter, in_turn
from benchmarks.load import Board, play_paced
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, medians, percentile, table

CONTESTANTS = (QUARTO, CEILING, WS)
PRESENCE_S = 1.0  # until everybody has been told who is there


class Ears:
    """The moment at which the last watcher heard each seq."""

    def __init__(self, dialect: Dialect) -> None:
        self._read = dialect.read
        self.last_at: dict[int, float] = {}
        self.heard: dict[int, int] = {}

    def hear(self, frame: bytes) -> None:
        kind, seq = self._read(frame)
        if kind == STATE and seq > 0:  # the first state may come with the opening
            self.heard[seq] = self.heard.get(seq, 0) + 1
            self.last_at[seq] = perf_counter()


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    contestants = [field.contestant(name) for name in CONTESTANTS]
    return in_turn(
        "crowd",
        sizes.crowd_rounds,
        contestants,
        lambda contestant: asyncio.run(measure(contestant, sizes)),
        lambda row: f"the last after {row['last_p50_ms']:.1f} ms",
    )


async def measure(contestant: Contestant, sizes: Sizes) -> dict[str, Any]:
    venue = contestant.venue
    [seating] = venue.seatings(1, sizes.crowd)
    board = Board(seating, venue.dialect, random.Random(sizes.crowd), paced=True)
    ears, meter = Ears(venue.dialect), Meter(contestant.server)
    try:
        await board.open()
        for wire in board.watchers:
            wire.hear = ears.hear
        await asyncio.sleep(PRESENCE_S)
        await play_paced(
            [board],
            per_second=sizes.crowd_per_s,
            seconds=sizes.crowd_actions / sizes.crowd_per_s,
            meter=meter,
        )
        await asyncio.sleep(0.5)
    finally:
        board.close()
    last_ms = [1000 * (ears.last_at[seq] - at) for seq, at in enumerate(board.sent_at, 1)]
    return {
        "actions": board.actions,
        "last_p50_ms": percentile(last_ms, 50),
        "last_p99_ms": percentile(last_ms, 99),
        "ack_p50_ms": percentile(board.acks_ms, 50),
        "cpu_us_per_watcher": 1e6 * meter.seconds / board.actions / sizes.crowd,
        "watcher_frames_lost": board.actions * sizes.crowd - sum(ears.heard.values()),
    }


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    own = {name: medians(rows, name) for name in CONTESTANTS}
    keys = ("last_p50_ms", "last_p99_ms", "ack_p50_ms", "cpu_us_per_watcher")
    lines = [[TITLES[name], *(f"{row[key]:.1f}" for key in keys)] for name, row in own.items()]
    heads = ["server", "last watcher p50, ms", "p99, ms", "player's ack p50, ms", "CPU per watcher, us"]
    ratio = own[QUARTO]["last_p50_ms"] / own[WS]["last_p50_ms"]
    asked = Asked(
        f"last of {sizes.crowd:,} spectators against bare ws", f"{ratio:.2f}x", "within 2x", "equal"
    )
    return f"{sizes.crowd:,} watchers at one board\n\n{table(heads, lines)}", [asked]
