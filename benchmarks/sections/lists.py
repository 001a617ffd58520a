"""Do the lobby and the lists take longer when the site has grown?"""

from typing import Any

from benchmarks.field import Field
from benchmarks.servers import run_module, site_environment
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, say, table


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    field.stop()
    rows = []
    for players in (sizes.few_players, sizes.many_players):
        environment = site_environment(f"sqlite:///{field.directory}/lists-{players}.sqlite3")
        rows.append(
            {"server": "quarto"} | run_module("lists", "--players", str(players), environment=environment)
        )
        say(f"lists of {players} players: {max(page['ms'] for page in rows[-1]['pages']):.0f} ms at most")
    return rows


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    few, many = rows
    lines = [
        [
            f"`{one['path']}`",
            f"{one['queries']} / {other['queries']}",
            f"{one['ms']:.0f} / {other['ms']:.0f}",
            f"{other['kb']:.0f}",
        ]
        for one, other in zip(few["pages"], many["pages"], strict=True)
    ]
    heads = ["page", "queries", "ms", "kB"]
    title = f"The lobby and lists with {few['players']:,} / {many['players']:,} players"
    return f"{title}\n\n{table(heads, lines)}", []
