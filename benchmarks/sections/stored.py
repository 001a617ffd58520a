"""Does an action cost more when the database has grown?"""

from dataclasses import replace
from typing import Any

from benchmarks.field import QUARTO, Contestant, Field, in_turn
from benchmarks.sections.same_load import measure
from benchmarks.servers import real_server
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, medians, table
from benchmarks.venues import RealVenue

FEW, MANY = "few", "many"
BATCHES = 2  # of games a round


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    """Two servers, one of which stores many finished games, play the same in turn."""
    field.stop()
    played = replace(sizes, games=sizes.stored_games, watchers=0, batches_at_most=BATCHES)
    games = str(sizes.stored_games * (sizes.stored_rounds * BATCHES + 1))
    with (
        real_server(field.directory, FEW, "--live", games, synchronous=field.synchronous) as few,
        real_server(
            field.directory,
            MANY,
            "--live",
            games,
            "--stored",
            str(sizes.stored),
            synchronous=field.synchronous,
        ) as many,
    ):
        contestants = [
            Contestant(name, server, RealVenue(server, told["games"]))
            for name, (server, told) in ((FEW, few), (MANY, many))
        ]
        for contestant in contestants:  # to be warm
            measure(contestant, replace(played, batches_at_most=1))
        return in_turn(
            "stored games",
            sizes.stored_rounds,
            contestants,
            lambda contestant: measure(contestant, played),
            lambda row: f"{row['cpu_us_per_action']:.0f} us",
        )


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    own = {name: medians(rows, name) for name in (FEW, MANY)}
    words = {FEW: "no others", MANY: f"{sizes.stored:,} others"}
    keys = ("cpu_us_per_action", "ack_p50_ms")
    lines = [[words[name], *(f"{row[key]:.1f}" for key in keys)] for name, row in own.items()]
    ratio = own[MANY]["cpu_us_per_action"] / own[FEW]["cpu_us_per_action"]
    what = f"cost of one action, {sizes.stored_games} live games against {sizes.stored:,} stored ones"
    title = f"{sizes.stored_games} games played while the database stores ({QUARTO}, no watchers)"
    heads = ["stored", "CPU per action, us", "ack p50, ms"]
    return f"{title}\n\n{table(heads, lines)}", [Asked(what, f"{ratio:.2f}x", "flat", "flat")]
