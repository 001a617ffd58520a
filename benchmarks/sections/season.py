"""A large Swiss tournament: how long a pairing takes, and how many queries its pages."""

import secrets
from typing import Any

from benchmarks.field import Field
from benchmarks.servers import run_module
from benchmarks.sizes import Sizes
from benchmarks.tables import Asked, say, table


def run(field: Field, sizes: Sizes) -> list[dict[str, Any]]:
    field.stop()
    rows = []
    for players, rounds, *how in (
        (sizes.pairing_players, sizes.season_rounds),
        (sizes.page_players, sizes.season_rounds),
        (sizes.standings_players, sizes.standings_rounds, "--by-hand"),
    ):
        environment = {
            "DJANGO_SETTINGS_MODULE": "quarto_site.settings",
            "QUARTO_SECRET_KEY": secrets.token_hex(),
            "QUARTO_DATABASE_URL": f"sqlite:///{field.directory}/season-{players}.sqlite3",
            "QUARTO_LOG_LEVEL": "WARNING",
        }
        arguments = ["--players", str(players), "--rounds", str(rounds), *how]
        rows.append({"server": "quarto"} | run_module("season", *arguments, environment=environment))
        say(f"season of {players}: a pairing takes at most {max(rows[-1]['pairing_s']):.2f} s")
    return rows


def report(rows: list[dict[str, Any]], sizes: Sizes) -> tuple[str, list[Asked]]:
    *rows, large = rows
    pairings = [[f"{row['players']}", *(f"{f(row['pairing_s']):.2f}" for f in (min, max))] for row in rows]
    pages = [
        [f"`{page['path']}`", str(page["queries"]), f"{page['ms']:.0f}", f"{page['kb']:.0f}"]
        for page in rows[-1]["pages"]
    ]
    most = max(rows[-1]["pages"], key=lambda page: page["queries"])
    rounds = sizes.season_rounds
    asked = [
        Asked(f"pairing a Swiss round of {sizes.pairing_players}", f"{max(rows[0]['pairing_s']):.2f} s at most", "2 s",
              "0.5 s"),
        Asked(f"a tournament page of {sizes.page_players} players, {rounds} rounds",
              f"{most['queries']} queries at most", "15 queries", "8"),
    ]  # fmt: skip
    text = f"Pairing a round of a Swiss ({rounds} rounds), by the service, s\n\n"
    text += table(["players", "fastest", "slowest"], pairings)
    text += f"\n\nPages of a tournament of {sizes.page_players} players, {rounds} rounds\n\n"
    text += table(["page", "queries", "ms", "kB"], pages)
    text += f"\n\nStandings of {large['players']:,} players after {large['rounds']} rounds\n\n"
    lines = [["computed, cells and all", "", f"{large['standings_ms']:.0f}", ""]]
    lines += [
        [f"`{page['path']}`", str(page["queries"]), f"{page['ms']:.0f}", f"{page['kb']:.0f}"]
        for page in large["pages"]
        if page["path"].endswith("standings/")
    ]
    return text + table(["", "queries", "ms", "kB"], lines), asked
