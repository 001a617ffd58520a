"""Real servers for the tests that need one, the order in which workers share all tests, and the table of faults."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.faults.trial import HEAD, verdicts
from tests.server import Server, collect_static_files, migrated_database, serving

REAL = {"server", "serve", "empty_database"}

FIRST = ("services", "proxies", "faults", "browser", "hostile", "upgrade", "access", "live")
"""What waits more than it works comes first, so that something is left to be done meanwhile."""

TOGETHER = ("tests/services", "tests/browser")
"""Folders that one worker runs as a whole, since what their tests share takes seconds to start."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what needs a real process, so that one may run the rest alone: `-m "not server"`."""
    for item in items:
        if REAL & set(getattr(item, "fixturenames", ())):
            item.add_marker("server")
    items.sort(key=_turn)  # the order within a turn stays random


def _turn(item: pytest.Item) -> int:
    folder = item.path.parent.name
    return FIRST.index(folder) if folder in FIRST else len(FIRST)


class ByFolderOrFile(LoadScopeScheduling):
    """Shares the tests among the workers: a file is run by one, in the order above."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        folder = file.rpartition("/")[0]
        return folder if folder in TOGETHER and "fault" not in file else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFolderOrFile:
    config.option.loadscopereorder = False
    return ByFolderOrFile(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if verdicts:
        terminalreporter.section("faults")
        for line in (HEAD, *(verdict.row() for verdict in verdicts)):
            terminalreporter.write_line(line)


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
