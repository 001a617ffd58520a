"""Two players and somebody who watches, at the common server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.clients import Match, Person, Wire, http_client, sitting
from tests.server import Server


@pytest.fixture(scope="session")
def http(server: Server) -> Iterator[httpx.Client]:
    """A stranger's requests."""
    with http_client(server) as client:
        yield client


@pytest.fixture(scope="session")
def people(server: Server) -> Iterator[dict[str, Person]]:
    people = {name: Person(server, name) for name in ("ann", "ben", "cleo")}
    yield people
    for person in people.values():
        person.http.close()


@pytest.fixture(scope="session")
def ann(people: dict[str, Person]) -> Person:
    return people["ann"]


@pytest.fixture(scope="session")
def ben(people: dict[str, Person]) -> Person:
    return people["ben"]


@pytest.fixture(scope="session")
def cleo(people: dict[str, Person]) -> Person:
    return people["cleo"]


@pytest.fixture
def sit(server: Server, ann: Person, ben: Person) -> Iterator[Callable[..., Match]]:
    """Starts a game of ann and ben on the terms given, everybody's socket open."""
    with ExitStack() as stack:
        yield lambda **terms: stack.enter_context(sitting(server, ann, ben, **terms))


@pytest.fixture
def wire(server: Server) -> Iterator[Callable[..., Wire]]:
    """Opens a socket by its path."""
    with ExitStack() as stack:

        def open_wire(path: str, **options: str) -> Wire:
            opened = Wire(server, path, **options)
            stack.callback(opened.close)
            return opened

        yield open_wire
