"""Two processes of the site behind each proxy. Both proxies stand in front of the same two."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.clients import Person
from tests.proxies.fronts import Caddy, Front, Nginx, missing
from tests.services.conftest import _binaries, postgres, redis  # noqa: F401 - the same services
from tests.services.machines import Postgres, Redis
from tests.services.pair import Pair, serving_pair

SIGNUPS_PER_HOUR = 4  # for the people of all tests, wherever they sign up


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.services)


@pytest.fixture(scope="session")
def _proxies() -> None:
    lacking = missing()
    if lacking and not os.environ.get("QUARTO_TESTS_SKIP_NOTHING"):
        pytest.skip(f"the tests of the proxies need {' and '.join(lacking)} (Debian: apt install)")
    assert not lacking


@pytest.fixture(scope="module")
def pair(
    _proxies: None,
    postgres: Postgres,  # noqa: F811
    redis: Redis,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Pair]:
    """Two processes, on the settings that the documents have for a site behind one proxy."""
    database = postgres.create("proxied", template="empty")
    settings = {
        "redis_url": redis.url,
        "https": 1,
        "trusted_proxies": "127.0.0.1",
        "signups_per_hour": SIGNUPS_PER_HOUR,
    }
    with serving_pair(tmp_path_factory.mktemp("proxied"), database, **settings) as pair:
        yield pair


@pytest.fixture(scope="module")
def fronts(pair: Pair) -> Iterator[list[Front]]:
    with ExitStack() as stack:
        fronts: list[Front] = []
        for kind in (Nginx, Caddy):
            fronts.append(kind([server.port for server in pair.both]))

            stack.callback(fronts[-1].remove)
            fronts[-1].start()
        yield fronts


@pytest.fixture(scope="module", params=[0, 1], ids=["nginx", "caddy"])
def front(request: pytest.FixtureRequest, fronts: list[Front]) -> Front:
    return fronts[request.param]


@pytest.fixture(scope="module")
def people(fronts: list[Front]) -> Iterator[dict[Front, list[Person]]]:
    """Two at each proxy."""
    people = {front: [Person(front, f"{name}{front.port}") for name in ("ann", "ben")] for front in fronts}
    yield people
    for person in (one for pair in people.values() for one in pair):
        person.http.close()
