"""Of an SQLite file there is one server: two would judge the same games without hearing each other."""

import fcntl
from typing import IO

from django.core.management.base import CommandError

from quarto_site.management.migrated import database_file


def serve_alone() -> IO[bytes] | None:
    """Locks the database file for servers, as long as what is returned is kept, or until this process ends,
    however it does; None where the database is no file. Raises CommandError where another server has it.

    The lock is of a file beside it, since SQLite locks the database itself.
    """
    database = database_file()
    if database is None:
        return None
    database = database.resolve()
    try:
        lock = database.with_name(f"{database.name}-serve").open("ab")
    except OSError as error:
        raise CommandError(f"The lock of the database file cannot be opened: {error}.") from error
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise CommandError(
            f"Another server uses {database} already. Stop it first; several at once need PostgreSQL and Redis."
        ) from error
    return lock
