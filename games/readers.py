"""Threads in which sockets read the database, so that the event loop never waits for it.

Their connections stay open between reads; one that failed is closed and opened anew.
A database server that was restarted has dropped them all, which only the next query finds out:
it is asked once more on a new connection.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection, connections

T = TypeVar("T")

_readers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="reader")


async def read(query: Callable[..., T], *args: Any) -> T:
    """Runs a query function in a reader thread and returns its answer."""
    return await asyncio.get_running_loop().run_in_executor(_readers, _run, query, args)


def _run(query: Callable[..., T], args: tuple[Any, ...]) -> T:
    try:
        return query(*args)
    except (OperationalError, InterfaceError):
        connections.close_all()
        if connection.vendor == "sqlite":
            raise
        return _run_again(query, args)
    except DatabaseError:
        connections.close_all()
        raise


def _run_again(query: Callable[..., T], args: tuple[Any, ...]) -> T:
    try:
        return query(*args)
    except DatabaseError:
        connections.close_all()
        raise
