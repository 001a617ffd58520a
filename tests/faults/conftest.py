"""People at servers of their own, and the table of what the faults did."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.clients import Person
from tests.faults.trial import HEAD, verdicts
from tests.server import Server


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if verdicts:
        terminalreporter.section("faults")
        for line in (HEAD, *(verdict.row() for verdict in verdicts)):
            terminalreporter.write_line(line)


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
