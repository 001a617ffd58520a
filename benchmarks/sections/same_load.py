"""The same load for every server: so many games with watchers, in a closed loop, interleaved."""

import asyncio
from collections.abc import Sequence
from typing import Any

from benchmarks.field import (
    BOARDGAME,
    CEILING,
    COLYSEUS,
    NAIVE,
    QUARTO,
    TITLES,
    WS,
    Contestant,
    Field,
    Meter,
    in_turn,
)
from benchmarks.load import Outcome, play
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, medians, percentile, table

CONTESTANTS = (NAIVE, QUARTO, CEILING, BOARDGAME, COLYSEUS, WS)
WARM_UP_S = 1.0
COLUMNS = (
    ("actions/s", "actions_per_s", "{:,.0f}"),
    ("CPU per action, us", "cpu_us_per_action", "{:,.0f}"),
    ("of the load, us", "load_cpu_us_per_action", "{:,.0f}"),
    ("ack p50, ms", "ack_p50_ms", "{:.1f}"),
    ("ack p99, ms", "ack_p99_ms", "{:.1f}"),
)
ASKED = ((NAIVE, "the naive consumer", 15, 40), (BOARDGAME, "boardgame.io", 2, 4), (COLYSEUS, "Colyseus", 0.5, 1),
         (CEILING, "the ceiling", 0.5, 0.8))  # fmt: skip


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    contestants = [field.contestant(name) for name in CONTESTANTS]
    for contestant in contestants:
        _batch(contestant, sizes, Meter(contestant.server), seed=0, limit_s=WARM_UP_S)
    return in_turn(
        "same load",
        sizes.rounds,
        contestants,
        lambda contestant: measure(contestant, sizes),
        lambda row: f"{row['actions_per_s']:,.0f} actions/s",
    )


def measure(contestant: Contestant, sizes: Sizes) -> dict[str, Any]:
    """Batches of games, one after another; only the time between first and last action counts."""
    meter = Meter(contestant.server)
    outcomes: list[Outcome] = []
    left_s = sizes.slice_s
    while left_s > 0 and len(outcomes) < sizes.batches_at_most:
        outcomes.append(_batch(contestant, sizes, meter, seed=len(outcomes) + 1, limit_s=left_s))
        left_s -= outcomes[-1].seconds
    return summary(outcomes, meter)


def summary(outcomes: Sequence[Outcome], meter: Meter) -> dict[str, Any]:
    actions = sum(outcome.actions for outcome in outcomes)
    acks_ms = [ms for outcome in outcomes for ms in outcome.acks_ms]
    return {
        "actions": actions,
        "actions_per_s": actions / sum(outcome.seconds for outcome in outcomes),
        "cpu_us_per_action": 1e6 * meter.seconds / actions,
        "load_cpu_us_per_action": 1e6 * sum(outcome.own_seconds for outcome in outcomes) / actions,
        "ack_p50_ms": percentile(acks_ms, 50),
        "ack_p99_ms": percentile(acks_ms, 99),
        "watcher_frames_lost": sum(outcome.lost for outcome in outcomes),
    }


def _batch(contestant: Contestant, sizes: Sizes, meter: Meter, *, seed: int, limit_s: float) -> Outcome:
    seatings = contestant.venue.seatings(sizes.games, sizes.watchers)
    return asyncio.run(play(seatings, contestant.venue.dialect, seed=seed, limit_s=limit_s, meter=meter))


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    own = {name: medians(rows, name) for name in CONTESTANTS}
    lines = []
    for name, row in own.items():
        cells = [form.format(row[key]) for _head, key, form in COLUMNS]
        ratios = (row["actions_per_s"] / own[NAIVE]["actions_per_s"],
                  own[NAIVE]["cpu_us_per_action"] / row["cpu_us_per_action"])  # fmt: skip
        lines.append([TITLES[name], *cells, *(f"{ratio:.1f}" for ratio in ratios)])
    heads = ["server", *(head for head, _key, _form in COLUMNS), "x naive", "x naive by CPU"]
    asked = [
        Asked(
            f"actions/s against {words}",
            f"{own[QUARTO]['actions_per_s'] / own[name]['actions_per_s']:.2f}"
            f" (by CPU {own[name]['cpu_us_per_action'] / own[QUARTO]['cpu_us_per_action']:.2f})",
            str(at_least),
            str(aim),
        )
        for name, words, at_least, aim in ASKED
    ]
    title = f"Same load: {sizes.games} games, 2 players and {sizes.watchers} watchers each, closed loop"
    return f"{title}\n\n{table(heads, lines)}", asked
