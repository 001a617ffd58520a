"""The proof that what is stored agrees with what it follows from.

Three parts, each a function that yields its differences in words and counts what it looked at:
games against their records, ratings against the games, tournaments against their boards. They
only read, and they read one moment: a site that is being played on may be verified.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from quarto_site.verification.games import game_differences
from quarto_site.verification.ratings import rating_differences
from quarto_site.verification.tournaments import tournament_differences

PARTS = (game_differences, rating_differences, tournament_differences)

# A plain transaction would take SQLite's only write lock and stop every live game meanwhile.
# On PostgreSQL it may take its time between two reads, which no other transaction may.
SNAPSHOT = {
    "sqlite": ("BEGIN",),
    "postgresql": (
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        "SET LOCAL idle_in_transaction_session_timeout = 0",
    ),
}


def differences(counts: Counter[str]) -> Iterator[str]:
    """Everything that does not agree; `counts` is filled on the way."""
    with _snapshot():
        for part in PARTS:
            yield from part(counts)


@contextmanager
def _snapshot() -> Iterator[None]:
    """All reads inside see the same moment; nobody who writes waits."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        for statement in SNAPSHOT[connection.vendor]:
            cursor.execute(statement)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
