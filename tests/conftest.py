"""Real servers for the tests that need one."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server import Server, collect_static_files, migrated_database, serving

REAL = {"server", "serve", "empty_database"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what needs a real process, so that one may run the rest alone: `-m "not server"`."""
    for item in items:
        if REAL & set(getattr(item, "fixturenames", ())):
            item.add_marker("server")


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file, to be copied, and static files that are up to date."""
    path = migrated_database(tmp_path_factory.mktemp("database") / "empty.sqlite3")
    collect_static_files(path)
    return path


@pytest.fixture
def serve(empty_database: Path, tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts a server of one's own, with `settings` by their names in lower case without the prefix."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(serving(tmp_path, empty_database, **settings))


@pytest.fixture(scope="session")
def server(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as they found it."""
    with serving(tmp_path_factory.mktemp("server"), empty_database) as server:
        yield server
