"""Two `serve` processes on one PostgreSQL and one Redis; every new client goes to the other one."""

import itertools
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.server import Server, running


class Node(Server):
    """One process of several; its database is looked at with PostgreSQL's own client."""

    def rows(self, query: str, *arguments: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(str(self.database)) as connection:
            return connection.execute(query.replace("?", "%s"), arguments).fetchall()

    def change(self, query: str, *arguments: Any) -> None:
        with psycopg.connect(str(self.database)) as connection:
            connection.execute(query.replace("?", "%s"), arguments)


class Pair(Node):
    """The first of two processes; `other` is the second. Clients are sent to them in turn."""

    def __init__(self, folder: Path, database: str, **settings: object) -> None:
        super().__init__(folder, database, log_name="one.log", **settings)
        self.other = Node(folder, database, log_name="two.log", **settings)
        self._turns = itertools.cycle((self, self.other))

    @property
    def both(self) -> tuple[Node, Node]:
        return self, self.other

    def next_url(self) -> str:
        return next(self._turns).url

    def next_socket_url(self) -> str:
        return next(self._turns).socket_url


@contextmanager
def serving_pair(folder: Path, database: str, **settings: object) -> Iterator[Pair]:
    """Both for the time of a block; at its end both must have gone well."""
    pair = Pair(folder, database, **settings)
    with ExitStack() as stack:
        stack.enter_context(running(pair))
        stack.enter_context(running(pair.other))
        yield pair
