"""Of an SQLite file there is one server: two would judge the same games without hearing each other."""

import fcntl
from pathlib import Path
from typing import IO

from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connections


def serve_alone() -> IO[bytes] | None:
    """Locks the database file for servers, as long as what is returned is kept, or until this process ends,
    however it does; None for PostgreSQL. Raises CommandError where another server has it.

    The lock is of a file beside it, since SQLite locks the database itself.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "sqlite":
        return None
    database = Path(connection.settings_dict["NAME"]).resolve()
    lock = database.with_name(f"{database.name}-serve").open("ab")
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise CommandError(
            f"Another server uses {database} already. Stop it first; several at once need PostgreSQL and Redis."
        ) from error
    return lock
