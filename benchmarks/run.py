"""Measures this server and its peers, interleaved, on this machine: `python -m benchmarks.run`.

The medians over the rounds are printed as tables; every row is kept as a JSON line in var/bench/. Compare only inside
a table: the ratio is the result, not the time.
"""

import argparse
import json
import os
import platform
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.field import Field
from benchmarks.sections import affinity, crowd, idle, lists, paced, same_load, season, stored, sweep
from benchmarks.servers import ROOT, allow_many_sockets, cores
from benchmarks.sizes import QUICK, Sizes
from benchmarks.tables import Asked, say, table

# Those who share servers come first; memory is weighed before anything was played.
SECTIONS: dict[str, Any] = {
    "idle": idle,
    "same-load": same_load,
    "crowd": crowd,
    "paced": paced,
    "stored": stored,
    "affinity": affinity,
    "sweep": sweep,
    "season": season,
    "lists": lists,
}


class Journal:
    """The file of this run: every row as a JSON line, with what is known of the machine."""

    def __init__(self, **about: object) -> None:
        folder = ROOT / "var" / "bench"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}.jsonl"
        self.about = about | {"python": platform.python_version(), "cores": os.cpu_count()}

    def keep(self, section: str, rows: list[dict[str, Any]]) -> None:
        busy = {"load_average": os.getloadavg()[0]}
        with self.path.open("a") as file:
            for row in rows:
                file.write(json.dumps({"section": section} | row | self.about | busy) + "\n")


def run(names: list[str], sizes: Sizes, journal: Journal) -> dict[str, list[dict[str, Any]]]:
    """Measures the named sections; returns the rows of each, and keeps them section by section."""
    own_cores = os.sched_getaffinity(0)
    rows = {}
    with (
        tempfile.TemporaryDirectory(prefix="quarto-bench-") as directory,
        Field(Path(directory), sizes, str(journal.about["synchronous"])) as field,
    ):
        os.sched_setaffinity(0, cores()[1])
        try:
            for name in names:
                started_at = time.monotonic()
                rows[name] = SECTIONS[name].run(field, sizes)
                say(f"{name}: {time.monotonic() - started_at:.0f} s")
                journal.keep(name, rows[name])
        finally:
            os.sched_setaffinity(0, own_cores)
    return rows


def told(rows: dict[str, list[dict[str, Any]]], sizes: Sizes) -> str:
    """The tables of all sections, and last what is asked for."""
    texts: list[str] = []
    asked: list[Asked] = []
    for name, own in rows.items():
        text, lines = SECTIONS[name].report(own, sizes)
        texts.append(text)
        asked += lines
    heads = ["asked for", "measured", "at least", "aim"]
    summary = table(heads, [[one.what, one.measured, one.at_least, one.aim] for one in asked])
    return "\n\n".join([*texts, f"Asked for\n\n{summary}"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--only", action="append", choices=list(SECTIONS), help="may be given several times")
    parser.add_argument("--quick", action="store_true", help="a small load, to see that everything runs")
    parser.add_argument("--rounds", type=int, help="of the same load, for steadier medians")
    parser.add_argument("--synchronous", choices=("FULL", "NORMAL"), default="FULL", help="of this server")
    options = parser.parse_args()
    sizes = QUICK if options.quick else Sizes()
    sizes = replace(sizes, rounds=options.rounds or sizes.rounds)
    names = [name for name in SECTIONS if name in (options.only or SECTIONS)]
    allow_many_sockets()
    started_at = time.monotonic()
    journal = Journal(synchronous=options.synchronous, quick=options.quick)
    rows = run(names, sizes, journal)
    seconds = round(time.monotonic() - started_at)
    print(told(rows, sizes))
    print(
        f"\nSQLite {options.synchronous}; {seconds} s; load average {os.getloadavg()[1]:.1f} on {os.cpu_count()}"
    )
    print(f"rows: {journal.path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
