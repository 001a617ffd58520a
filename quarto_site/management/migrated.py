"""Commands that need the database as this release wants it say so, before they ask it for anything."""

from pathlib import Path

from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.migrations.executor import MigrationExecutor


def database_file() -> Path | None:
    """Where the database is, if it is an SQLite file."""
    connection = connections[DEFAULT_DB_ALIAS]
    if not isinstance(connection, DatabaseWrapper) or connection.is_in_memory_db():
        return None
    return Path(connection.settings_dict["NAME"])


def refuse_missing_file() -> None:
    """Raises CommandError where the database is a file that is not there: SQLite would make an empty one."""
    path = database_file()
    if path is None:
        return
    try:
        path.stat()
    except FileNotFoundError as error:
        raise CommandError(
            f"There is no database {path}: look at QUARTO_DATABASE_URL, or make one with `manage.py migrate`."
        ) from error
    except OSError as error:
        raise CommandError(f"The database of QUARTO_DATABASE_URL cannot be used: {error}.") from error


def refuse_unapplied_migrations() -> None:
    """Raises CommandError where a migration is missing, or no database can be reached."""
    refuse_missing_file()
    try:
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"The database of QUARTO_DATABASE_URL cannot be used: {error}.") from error
    if plan:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _backwards in plan[:5])
        raise CommandError(f"The database lacks migrations ({names} ...): run `manage.py migrate` first.")
