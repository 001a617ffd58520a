"""Texts on their way into PostgreSQL, which knows no NUL in them."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper


def without_nul(sender: Any, connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Makes a new connection write U+FFFD for NUL: what was asked for is then not found, as with SQLite,
    where the database would otherwise refuse the whole statement."""
    if connection.vendor == "postgresql":
        from psycopg.types.string import StrDumperUnknown

        class NulFree(StrDumperUnknown):
            def dump(self, obj: str) -> Any:
                return super().dump(obj.replace("\x00", "\ufffd"))

        connection.connection.adapters.register_dumper(str, NulFree)
