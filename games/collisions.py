"""Transactions that met: the database ended one of them, which may be tried again from its beginning."""

from collections.abc import Callable
from typing import TypeVar

from django.db import OperationalError

T = TypeVar("T")

TRIES_AT_MOST = 4
COLLISIONS = frozenset(("40001", "40P01"))  # PostgreSQL's serialization_failure and deadlock_detected


def collided(error: BaseException) -> bool:
    """Whether a transaction failed for no other reason than that it met another."""
    return isinstance(error, OperationalError) and getattr(error.__cause__, "sqlstate", None) in COLLISIONS


def again(unit: Callable[..., T], *arguments: object) -> T:
    """Calls what is one whole transaction, and calls it again as long as it only collided."""
    for _try in range(TRIES_AT_MOST - 1):
        try:
            return unit(*arguments)
        except OperationalError as error:
            if not collided(error):
                raise
    return unit(*arguments)
