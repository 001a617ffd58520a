"""The services, and two processes at them. The fixtures of the live contract, with two servers for one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.conftest import ann, ben, cleo, http, people, sit, wire  # noqa: F401 - the same, at two servers
from tests.server import collect_static_files, manage
from tests.services.machines import Postgres, Redis, missing
from tests.services.pair import Pair, serving_pair


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.services)


@pytest.fixture(scope="session")
def _binaries() -> None:
    lacking = missing()
    if lacking and not os.environ.get("QUARTO_TESTS_SKIP_NOTHING"):
        pytest.skip(f"the tests of several processes need {' and '.join(lacking)} (Debian: apt install)")
    assert not lacking


@pytest.fixture(scope="session")
def postgres(_binaries: None) -> Iterator[Postgres]:
    postgres = Postgres()
    try:
        postgres.start()
        manage_migrated(postgres.create("empty"))
        yield postgres
    finally:
        postgres.remove()


def manage_migrated(database: str) -> None:
    made = manage(database, "migrate", "--verbosity", "0")
    assert made.returncode == 0, made.stderr
    collect_static_files(database)


@pytest.fixture(scope="session")
def redis(_binaries: None) -> Iterator[Redis]:
    redis = Redis()
    try:
        redis.start()
        yield redis
    finally:
        redis.remove()


@pytest.fixture(scope="session")
def server(postgres: Postgres, redis: Redis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two processes for all tests that leave them as they found them."""
    database = postgres.create("common", template="empty")
    with serving_pair(tmp_path_factory.mktemp("pair"), database, redis_url=redis.url) as pair:
        yield pair
