"""People at servers of their own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.clients import Person
from tests.server import Server

collect_ignore = ["stepping"]  # for other processes


@pytest.fixture
def people() -> Iterator[Callable[[Server], tuple[Person, Person]]]:
    """Signs ann and ben up at a server."""
    with ExitStack() as stack:

        def sign_up(server: Server) -> tuple[Person, Person]:
            ann, ben = Person(server, "ann"), Person(server, "ben")
            stack.callback(ann.http.close)
            stack.callback(ben.http.close)
            return ann, ben

        yield sign_up
