"""The acknowledgement under a steady load on many sockets: actions come at moments of their own."""

import asyncio
import random
from typing import Any

from benchmarks.field import CEILING, QUARTO, TITLES, WS, Contestant, Field, Meter, in_turn
from benchmarks.load import Board, open_boards, play_paced
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, medians, percentile, table

CONTESTANTS = (QUARTO, CEILING, WS)


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    contestants = [field.contestant(name) for name in CONTESTANTS]
    return in_turn(
        "steady load",
        sizes.paced_rounds,
        contestants,
        lambda contestant: asyncio.run(measure(contestant, sizes)),
        lambda row: f"ack p99 {row['ack_p99_ms']:.1f} ms",
    )


async def measure(contestant: Contestant, sizes: Sizes) -> dict[str, Any]:
    venue, meter = contestant.venue, Meter(contestant.server)
    seatings = venue.seatings(sizes.paced_games, sizes.watchers)
    boards = [
        Board(seating, venue.dialect, random.Random(number), paced=True)
        for number, seating in enumerate(seatings)
    ]
    try:
        await open_boards(boards)
        await play_paced(boards, per_second=sizes.paced_per_s, seconds=sizes.paced_s, meter=meter)
        await asyncio.sleep(0.2)
    finally:
        for board in boards:
            board.close()
    acks_ms = [ms for board in boards for ms in board.acks_ms]
    actions = sum(board.actions for board in boards)
    return {
        "actions": actions,
        "unanswered": actions - len(acks_ms),
        "ack_p50_ms": percentile(acks_ms, 50),
        "ack_p99_ms": percentile(acks_ms, 99),
        "cpu_us_per_action": 1e6 * meter.seconds / actions,
    }


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    own = {name: medians(rows, name) for name in CONTESTANTS}
    keys = ("ack_p50_ms", "ack_p99_ms", "cpu_us_per_action")
    lines = [[TITLES[name], *(f"{row[key]:.1f}" for key in keys)] for name, row in own.items()]
    sockets = sizes.paced_games * (2 + sizes.watchers)
    load = f"{sizes.paced_per_s:.0f} actions/s over {sockets:,} sockets"
    ratio = own[QUARTO]["ack_p99_ms"] / own[WS]["ack_p99_ms"]
    asked = Asked(f"ack p99 at {load} against bare ws", f"{ratio:.1f}x", "within 5x", "3x")
    heads = ["server", "ack p50, ms", "ack p99, ms", "CPU per action, us"]
    return f"A steady load: {load}\n\n{table(heads, lines)}", [asked]
