"""A server for everything hostile that leaves its people and games alone."""

from collections.abc import Iterator

import pytest

from tests.hostile.table import Field
from tests.server import serving


@pytest.fixture(scope="session")
def field(empty_database, tmp_path_factory) -> Iterator[Field]:
    """At its end the server must have stopped well, without a traceback in its log."""
    with serving(tmp_path_factory.mktemp("hostile"), empty_database) as server:
        field = Field(server)
        yield field
        field.close()
