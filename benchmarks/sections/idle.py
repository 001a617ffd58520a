"""The memory of a socket that only listens, by the growth of the server's resident memory."""

import asyncio
from itertools import chain
from typing import Any

from benchmarks.field import QUARTO, TITLES, Contestant, Field
from benchmarks.load import open_idle
from benchmarks.sections.same_load import CONTESTANTS
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, medians, say, table

GAMES = 20
FIRST = 100
SETTLE_S = 1.0


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    rows = []
    for name in CONTESTANTS:
        kb = asyncio.run(_grow(field.contestant(name), sizes.idle))
        rows.append({"server": name, "sockets": sizes.idle, "kb_per_socket": kb})
        say(f"idle sockets, {name}: {kb:.1f} kB")
    return rows


async def _grow(contestant: Contestant, sockets: int) -> float:
    """Opens sockets at a few games; the first ones, which bring what comes once, do not count."""
    venue = contestant.venue
    seatings = venue.seatings(GAMES, (sockets + FIRST) // GAMES)
    places = list(chain.from_iterable(seating.watchers for seating in seatings))
    wires = await open_idle(places[:FIRST], venue.dialect)
    await asyncio.sleep(SETTLE_S)
    before_kb = contestant.server.memory_kb()
    wires += await open_idle(places[FIRST:], venue.dialect)
    await asyncio.sleep(SETTLE_S)
    grown_kb = contestant.server.memory_kb() - before_kb
    for wire in wires:
        wire.close()
    return grown_kb / (len(places) - FIRST)


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    kb = {name: medians(rows, name)["kb_per_socket"] for name in CONTESTANTS}
    lines = [[TITLES[name], f"{kb[name]:.1f}"] for name in CONTESTANTS]
    title = f"Memory of an idle socket, of {sizes.idle}"
    asked = Asked("memory per idle socket", f"{kb[QUARTO]:.1f} kB", "40 kB", "20 kB")
    return f"{title}\n\n{table(['server', 'kB'], lines)}", [asked]
