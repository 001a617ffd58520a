"""Every address, every method, every role: what docs/permissions.md says is what happens."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.messages import ERROR, get_messages
from django.db import connection, transaction
from django.http import HttpResponseBase
from django.test import Client

from tests.access.bodies import BODIES, BY_HAND
from tests.access.headers import lacks
from tests.access.matrix import ANYTHING, METHODS, ROLES, ROWS, Row, site_addresses
from tests.access.world import SITUATIONS, World, world_of

SIGN_IN = "/accounts/sign-in/"
WRITES = ("INSERT", "UPDATE", "DELETE")
HTTP_ROWS = [row for row in ROWS if not row.is_live]


def test_every_address_has_a_row_and_every_row_an_address():
    listed = {row.address for row in ROWS if not row.address.startswith("/ws/")}
    assert listed == site_addresses()


def test_no_row_comes_twice_and_each_says_something_known():
    assert [
        key for key, count in Counter((r.method, r.address, r.where) for r in ROWS).items() if count > 1
    ] == []
    assert {row.method for row in HTTP_ROWS} <= {*METHODS, "any"}
    assert {row.situation for row in HTTP_ROWS} <= SITUATIONS.keys()
    assert {one for row in HTTP_ROWS for one in row.answers.values()} <= {
        "yes", "sign in", "no", "hidden", "refused", "sent on",
    }  # fmt: skip
    assert BODIES.keys() <= {(row.method, row.address, row.where) for row in HTTP_ROWS}


client = Client(raise_request_exception=False)
"""For everybody: what is expensive about one is its beginning."""


class Visitor:
    """Sends requests as somebody; what they did to the database is undone after each."""

    def __init__(self, world: World, role: str) -> None:
        self._world = world
        self._session = None
        self.wrote = False
        if role != "anonymous":
            client.cookies.clear()
            client.force_login(world[role].user)
            self._session = client.cookies["sessionid"].value

    def request(
        self, method: str, address: str, body: dict | None = None, **values: object
    ) -> HttpResponseBase:
        for name, value in (self._world.values | values).items():
            address = address.replace(f"<{name}>", str(value))
        address = address.replace(ANYTHING, "nothing/at/all/")
        client.cookies.clear()
        if self._session is not None:
            client.cookies["sessionid"] = self._session
        is_program = address.startswith("/api/")
        sent = {"data": self._world.hand if body == BY_HAND else body or {}} | (
            {"content_type": "application/json"} if is_program else {}
        )
        with undone(), connection.execute_wrapper(self._watch):
            self.wrote = False
            if method in ("GET", "TRACE", "OPTIONS"):
                return getattr(client, method.lower())(address)
            return getattr(client, method.lower())(address, **sent)

    def _watch(self, execute, sql, params, many, context):
        self.wrote |= sql.startswith(WRITES) and "quarto_site_tries" not in sql
        return execute(sql, params, many, context)


@contextmanager
def undone() -> Iterator[None]:
    mark = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(mark)


def meaning(response: HttpResponseBase, *, is_program: bool) -> str:
    """An answer in the words of the document."""
    status = response.status_code
    if status == 302 and response["Location"].startswith(f"{SIGN_IN}?next="):
        return "sign in"
    if status == 302 and any(
        one.level >= ERROR for one in get_messages(response.wsgi_request)._queued_messages
    ):
        return "refused"
    plain = {403: "no", 404: "hidden"} | ({401: "sign in", 409: "refused"} if is_program else {})
    return "yes" if status in (200, 201, 204, 302) else plain.get(status, str(status))


def answer(visitor: Visitor, row: Row, expected: str, method: str) -> str:
    response = visitor.request(method, row.address, BODIES.get((row.method, row.address, row.where)))
    found = meaning(response, is_program=row.address.startswith("/api/"))
    if expected == "sent on" and found == "yes":
        found = "sent on" if response.status_code == 302 and response["Location"] == "/" else "yes"
    if visitor.wrote != (found == "yes" and method != "GET"):
        found += " and wrote" if visitor.wrote else " and wrote nothing"
    missing = lacks(response.headers, response.cookies.values())
    return f"{found} without {missing}" if missing else found


@pytest.mark.django_db
@pytest.mark.parametrize("situation", SITUATIONS)
def test_each_role_gets_what_the_table_says(situation):
    world = world_of(situation)
    visitors = {role: Visitor(world, role) for role in ROLES}
    wrong = []
    for row in HTTP_ROWS:
        if row.situation == situation:
            for method in METHODS[:5] if row.method == "any" else (row.method,):
                for role, expected in row.answers.items():
                    found = answer(visitors[role], row, expected, method)
                    if found != expected:
                        wrong.append(f"{row}, {role}: {found}, not {expected}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.django_db
def test_a_draft_is_hidden_at_each_address_of_its_tournament():
    world = world_of("draft")
    outsiders = {role: Visitor(world, role) for role in ("anonymous", "player", "seat", "other organiser")}
    wrong = []
    for row in HTTP_ROWS:
        if "<slug>" in row.address:
            body = BODIES.get((row.method, row.address, row.where))
            for role, visitor in outsiders.items():
                response = visitor.request(row.method, row.address, body)
                found = meaning(response, is_program=row.address.startswith("/api/"))
                if found not in ("hidden", "sign in") or (found == "sign in") != (
                    row.answers[role] == "sign in"
                ):
                    wrong.append(f"{row}, {role}: {found}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.django_db
def test_a_method_without_a_row_is_not_allowed():
    """To anybody: staff are asked, who may do most."""
    listed = {(row.method, row.address) for row in ROWS}
    world = world_of("running")
    world.values |= {"challenge_id": "nothing", "token_key": "nothing"}
    staff = Visitor(world, "staff")
    wrong = []
    for address in sorted(site_addresses()):
        for method in METHODS:
            if (method, address) not in listed and ("any", address) not in listed:
                status = staff.request(method, address).status_code
                if status != 405:
                    wrong.append(f"{method} {address}: {status}")
    assert not wrong, "\n".join(wrong)
