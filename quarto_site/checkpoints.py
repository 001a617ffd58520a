"""SQLite's write-ahead log is moved into the database by a thread of its own.

By itself SQLite lets the commit that fills the log do it, which then takes ten times as long as any other,
and everybody at every board waits for it. Here a thread looks at the log each second and moves it once it
is large, while others write; only what they wrote meanwhile is moved while they wait, and the log begins
anew. Where the thread finds no gap between them, or is not there, a commit does it far beyond that.
"""

import logging
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
LARGE_BYTES = 4 * 1024 * 1024
BOUND_PAGES = 8_000  # 32 MB
WAIT_S = 0.01  # for writers and readers, who wait as long themselves
STOP_LIMIT_S = 5.0


class Checkpoints:
    """The thread, for one database file."""

    def __init__(self, database: str | Path, *, look_every_s: float = LOOK_EVERY_S) -> None:
        self._database, self._look_every_s = database, look_every_s
        self._log = Path(f"{database}-wal")
        self._stopping = threading.Event()
        self._failed = False
        self._thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)

    def start(self) -> None:
        connection_created.connect(leave_to_the_thread, dispatch_uid="quarto_site.checkpoints")
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(STOP_LIMIT_S)
        connection_created.disconnect(dispatch_uid="quarto_site.checkpoints")

    def _run(self) -> None:
        while not self._stopping.wait(self._look_every_s):
            try:
                if self._log.exists() and self._log.stat().st_size >= LARGE_BYTES:
                    move(self._database)
                self._failed = False
            except (sqlite3.Error, OSError) as error:
                if not self._failed:
                    logger.warning("the log of the database could not be moved: %s", error)
                self._failed = True


def move(database: str | Path) -> bool:
    """Moves the log into the database; whether it begins anew. A reader of an old state can prevent that."""
    with closing(sqlite3.connect(database, timeout=WAIT_S)) as connection:
        _busy, log, moved = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if moved < log:
            return False  # nobody is to wait for what cannot succeed
        busy, _log, _moved = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy


def leave_to_the_thread(connection: BaseDatabaseWrapper, **_about: Any) -> None:
    """A new connection's commits leave the log alone, up to its bound."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA wal_autocheckpoint={BOUND_PAGES}")
