"""A copy of the whole database at one moment, while the site is played on.

The copy appears under its name when it is complete and on the disk, and not before. It holds hashes of
passwords, so nobody else may read it.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from django.db.backends.postgresql.client import DatabaseClient


class NoBackup(Exception):
    """Why there is none, in words."""


def backup(database: Mapping[str, Any], path: Path) -> None:
    """Copies a database, given by its settings, into a new file; raises NoBackup.

    SQLite: a database file without companions. PostgreSQL: an archive for `pg_restore`.
    """
    _refuse_taken(path)
    is_sqlite = database["ENGINE"].endswith("sqlite3")
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        _copied(partial, _copy_sqlite if is_sqlite else _dump_postgres, database)
        _name(partial, path)
        _sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        raise NoBackup(str(error)) from error
    finally:
        with suppress(OSError):
            partial.unlink()


def _refuse_taken(path: Path) -> None:
    if path.exists():
        raise NoBackup(f"{path} is there already; a backup never replaces another one.")


def _name(partial: Path, path: Path) -> None:
    """Gives the copy its name, unless another one took it meanwhile; `partial` may stay."""
    try:
        os.link(partial, path)  # a rename would replace what is there
    except OSError:  # the name is taken, or the file system has no links, as on a memory stick
        _refuse_taken(path)
        partial.replace(path)


def _copied(
    partial: Path, copy: Callable[[Mapping[str, Any], Path], None], database: Mapping[str, Any]
) -> None:
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    copy(database, partial)
    _sync(partial)


def _copy_sqlite(database: Mapping[str, Any], partial: Path) -> None:
    """By SQLite's own means, as one read of one moment: whoever writes does not wait."""
    name = Path(database["NAME"])
    if not name.exists():
        raise NoBackup(f"There is no database {name}.")
    with closing(sqlite3.connect(name, timeout=20)) as source, closing(sqlite3.connect(partial)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, whoever opens it


def _dump_postgres(database: Mapping[str, Any], partial: Path) -> None:
    program = shutil.which("pg_dump")
    if program is None:
        raise NoBackup("pg_dump is missing (Debian: apt install postgresql-client).")
    (_psql, *where), environment = DatabaseClient.settings_to_cmd_args_env(dict(database), [])
    done = subprocess.run(  # noqa: S603 - the operator's own program and settings
        [program, "--format=custom", "--no-owner", f"--file={partial}", *where],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoBackup(done.stderr.strip())


def _sync(path: Path) -> None:
    """Returns when a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
