"""The database of an earlier release, and people who come back to it."""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.clients import Person, http_client
from tests.server import ROOT, Server

PREVIOUS = ROOT / "tests/data/releases/0.1.0.sql.gz"


def restore(path: Path) -> dict[str, str]:
    """Makes the database as the previous release left it; returns its games by phase."""
    dump = gzip.decompress(PREVIOUS.read_bytes()).decode()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump)
    return json.loads(dump.partition("\n")[0].removeprefix("-- "))


class Returning(Person):
    """Somebody who has an account already."""

    def __init__(self, server: Server, name: str, password: str) -> None:
        self.server, self.name = server, name
        self.http = http_client(server)
        made = self.http.post("/api/tokens/", json={"username": name, "password": password})
        assert made.status_code == 201, made.text
        self.token = made.json()["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"
