"""Requests that the schema describes, and such as break it, by everybody: answered as the schema says."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import given
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.hostile.amount import examples
from tests.hostile.site import ROLES, Site, furnished
from tests.server import serving

EXAMPLES = 10  # for each operation
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
PATIENCE_S = 30


@pytest.fixture(scope="module")
def site(empty_database, tmp_path_factory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("rest"), empty_database) as server:
        site = furnished(server)
        yield site
        site.close()


@pytest.fixture(scope="module")
def operations(site) -> list[Any]:
    read = httpx.get(
        f"{site.server.url}/api/schema/", headers={"Accept": "application/json"}, trust_env=False
    )
    schema = schemathesis.openapi.from_dict(read.json())
    return [found.ok() for found in schema.get_all_operations()]


def cases(site: Site, operation: Any) -> st.SearchStrategy[Any]:
    """Requests of one operation, right and wrong ones, mostly about things that exist."""
    usual = operation.as_strategy(schemathesis.GenerationMode.POSITIVE)
    wrong = operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)
    return st.tuples(usual | wrong, st.randoms(use_true_random=False)).map(
        lambda drawn: about_what_exists(site, *drawn)
    )


def about_what_exists(site: Site, case: Any, chance: Any) -> Any:
    exists = {
        name: chance.choice(site.known[name]) for name in case.path_parameters or {} if chance.random() < 0.9
    }
    if exists:
        case.path_parameters = dict(case.path_parameters) | exists  # whose own may be shared
    if case.operation.path.endswith("/events/") and not isinstance(
        (case.query or {}).get("wait"), str | list
    ):
        case.query = dict(case.query or {}) | {"wait": 0}  # a long poll is not to be waited for
    return case


def test_every_operation_answers_everybody_as_the_schema_says(site, operations):
    assert len(operations) > 35
    with requests.Session() as session:
        session.trust_env = False
        for operation in operations:

            @examples(EXAMPLES)
            @given(cases(site, operation), st.sampled_from(ROLES))
            def answers(case: Any, role: str) -> None:
                headers = site.headers(role)
                answer = case.call(
                    base_url=site.server.url, session=session, headers=headers, timeout=PATIENCE_S
                )
                case.validate_response(answer, checks=CHECKS)
                if answer.status_code >= 400 and "/actions/" not in case.path:
                    assert set(answer.json()) == {"code", "detail"}

            answers()
    proof = site.server.manage("verify")
    assert proof.returncode == 0, proof.stdout + proof.stderr
