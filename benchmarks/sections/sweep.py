"""How late is a deadline settled, that nobody claims? Heard from outside, on the event's own socket."""

import asyncio
import json
import sqlite3
import time
from pathlib import Path
from typing import Any

from benchmarks.field import Field
from benchmarks.servers import real_server
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, percentile, say, table
from benchmarks.wire import open_wire

SETTLED_AFTER_MS = 250
LEAD_S = 15.0  # until the server runs
PATIENCE_S = 15.0

Heard = dict[int, list[tuple[float, str]]]


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    field.stop()
    seed = ["--deadlines", str(sizes.deadlines), "--after-ms", str(int(1000 * LEAD_S))]
    seed += ["--during-ms", str(int(1000 * sizes.deadlines_s))]
    with real_server(field.directory, "sweep", *seed, synchronous=field.synchronous) as (server, told):
        due_ms = {int(board): ms for board, ms in told["due_ms"].items()}
        say(f"sweep: {len(due_ms)} deadlines, the last in {max(due_ms.values()) / 1000 - time.time():.0f} s")
        cpu_before = server.cpu_s()
        heard = asyncio.run(_listen(server.port, told["slug"], due_ms))
        cpu_s = server.cpu_s() - cpu_before
    return [summary(due_ms, heard, _rows(field.directory / "sweep.sqlite3")) | {"cpu_s": cpu_s}]


async def _listen(port: int, slug: str, due_ms: dict[int, int]) -> Heard:
    """What the event's socket tells of each board, with the moment at which it was heard."""
    heard: Heard = {}

    def hear(frame: bytes) -> None:
        at_ms = 1000 * time.time()
        told = json.loads(frame)
        if told["type"] == "board":
            heard.setdefault(told["board"], []).append((at_ms, told["status"]))

    wire = await open_wire(f"ws://127.0.0.1:{port}/ws/tournaments/{slug}/", hear)
    if 1000 * time.time() > min(due_ms.values()):
        raise RuntimeError("the server was not up before the first deadline: more lead is needed")
    end = max(due_ms.values()) / 1000 + PATIENCE_S
    while time.time() < end and len(heard) < len(due_ms):  # noqa: ASYNC110 - the end comes by itself
        await asyncio.sleep(0.1)
    await asyncio.sleep(1.0)  # for what might be told twice
    wire.close()
    return heard


def _rows(database: Path) -> dict[int, tuple[int, int, str]]:
    """Each board's seq, moment of its end and way of ending, read after the server has stopped."""
    with sqlite3.connect(database) as connection:
        found = connection.execute("SELECT event, seq, ended_ms, termination FROM games_game").fetchall()
    return {
        json.loads(event)["board"]: (seq, ended_ms, termination)
        for event, seq, ended_ms, termination in found
    }


def summary(due_ms: dict[int, int], heard: Heard, rows: dict[int, tuple[int, int, str]]) -> dict[str, Any]:
    """`early` and `not_once` count boards; lateness is beyond deadline, grace and the 250 ms."""
    late_ms = [heard[board][0][0] - due - SETTLED_AFTER_MS for board, due in due_ms.items() if board in heard]
    early = sum(rows[board][1] - due < SETTLED_AFTER_MS for board, due in due_ms.items() if rows[board][1])
    once = sum(len(heard.get(board, [])) == 1 and rows[board][0] == 1 for board in due_ms)
    return {
        "server": "quarto",
        "deadlines": len(due_ms),
        "early": early,
        "not_once": len(due_ms) - once,
        "late_p50_ms": percentile(late_ms, 50),
        "late_p99_ms": percentile(late_ms, 99),
        "late_most_ms": max(late_ms),
    }


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    [row] = rows
    cells = [f"{row[key]:.0f}" for key in ("late_p50_ms", "late_p99_ms", "late_most_ms", "early", "not_once")]
    cells.append(f"{row['cpu_s']:.1f}")
    heads = ["late p50, ms", "p99, ms", "most, ms", "early", "not exactly once", "CPU, s"]
    title = f"{sizes.deadlines:,} deadlines in {sizes.deadlines_s:.0f} s"
    what = f"lateness of the sweep past deadline, grace and its 250 ms, {title}"
    measured = f"p99 {row['late_p99_ms']:.0f} ms, {row['early']} early, {row['not_once']} not exactly once"
    asked = Asked(what, measured, "p99 300 ms, none early, each once", "p99 50 ms")
    return f"{title}, settled by the server alone\n\n{table(heads, [cells])}", [asked]
