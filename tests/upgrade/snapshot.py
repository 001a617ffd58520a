"""Makes the database of a release for the test of the next one: live games in every phase, and the demo club.

Run once for each release, in a checkout of it (with this folder copied there), with the release's own code:

    PYTHONPATH=. python tests/upgrade/snapshot.py tests/data/releases/0.1.0.sql.gz

The file is SQL; its first line says which game is in which phase.
"""

import gzip
import json
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.clients import Match, Person
from tests.server import Server, collect_static_files, migrated_database, running
from tests.upgrade.phases import OVER, PAUSED, PHASES, USUAL

HOLD = "from games.services.games import pause; pause(game_ids=[{0!r}], reason='a lamp fell')"


def make(server: Server) -> dict[str, str]:
    """Plays the games; returns their ids by phase."""
    made = server.manage("demo")
    assert made.returncode == 0, made.stderr
    ann, ben = Person(server, "annika"), Person(server, "benno")
    games = {}
    for name, before, terms in [
        *((name, phase.before, phase.terms) for name, phase in PHASES.items()),
        (PAUSED, "@5", {}),
        (OVER, "@5 a1 R1", {"rated": True}),
    ]:
        match = Match(server, ann.challenge(ben, **USUAL | terms), ann, ben)
        match.play(before)
        match.close()
        games[name] = match.id
    held = server.manage("shell", "-v0", "-c", HOLD.format(games[PAUSED]))
    assert held.returncode == 0, held.stderr
    ann.http.close(), ben.http.close()
    return games


def write(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        empty = migrated_database(Path(folder) / "empty.sqlite3")
        collect_static_files(empty)
        with running(Server(Path(folder), empty)) as server:
            games = make(server)
        with closing(sqlite3.connect(server.database)) as connection:
            dump = "\n".join(connection.iterdump())
    text = f"-- {json.dumps(games)}\n{dump}\n"
    target.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
