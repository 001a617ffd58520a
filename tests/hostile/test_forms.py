"""Every form of the site, filled in by somebody hostile: refused in words, never an error of the server."""

import re
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile.amount import TIMES, examples
from tests.hostile.mutants import TEXTS
from tests.tournaments.evening import enter_players, open_tournament, pair_and_start, person

EXAMPLES = 100
CUP, NOW = "/tournaments/cup", "/tournaments/now"
LETTERS = [
    "Ann",
    "Ολγα",
    "Аня",
    "آنا",
    "安",
    "แอน",
    "ann ben",
    "a" * 31,
    "n",
    "1",
    "0",
    "-1",
    "99999999999999999999",
]
HOSTILE = [text.encode(errors="ignore").decode() for text in TEXTS] + [
    *LETTERS, "x" * 5_000, "\n" * 300, "a\n" * 3_000, "٣", "1e5", "1.5", " 1 ", "turn=1e9", "turn=0", "bank=-1",
    "turn=99999999999999999999", "turn=1 turn=2", "inc=5", "strikes=0", "strikes=99999", "BH, BH", "BH-C99999", ",",
    "2", "4", "8", "16", "true", "on", "swiss", "arena", "//evil.example", "https://evil.example/", "/\\evil.example",
]  # fmt: skip
TERMS = {
    "time": "other",
    "other_time": "turn=60",
    "lines": "L",
    "attributes": ["1", "2", "4", "8"],
    "claims": "lose",
}
REGULATIONS = TERMS | {
    "name": "Thursday", "format": "swiss", "rounds": "3", "no_show_s": "120", "bye": "2", "late": "0",
    "tiebreaks": "BH", "description": "Bring a clock.",
}  # fmt: skip

# Who fills in which form, and with what if he meant well.
FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "/accounts/sign-up/": ("", {"username": "dora", "password": "four in a row"}),
    "/accounts/sign-in/": ("", {"username": "ann", "password": "four in a row", "next": "/ratings/"}),
    "/accounts/password/": ("ben", {"old_password": "one in a row", "new_password": "four in a row"}),
    "/challenges/": ("ben", TERMS | {"opponent": "ann", "rated": "on", "draws_allowed": "on"}),
    "/tournaments/new/": ("ann", REGULATIONS),
    f"{CUP}/manage/regulations/": ("ann", REGULATIONS),
    f"{CUP}/manage/entries/": ("ann", {"names": "ben\nOlga\nDora"}),
    f"{CUP}/manage/staff/": ("ann", {"username": "ben", "role": "arbiter"}),
    f"{CUP}/manage/by-hand/": (
        "ann",
        {"starter1": "1", "second1": "2", "starter2": "3", "second2": "4", "bye": "5"},
    ),
    f"{CUP}/manage/entries/1/absence/1/": ("ann", {"kind": "half"}),
    f"{NOW}/manage/rounds/1/boards/1/": ("ann", {"result": "1-0", "reason": "agreed"}),
    f"{NOW}/manage/pause/": ("ann", {"reason": "lunch"}),
}
SHOWN_AGAIN = (200, 429)
SECRET = {"password", "old_password", "new_password"}


@pytest.fixture
def clients(db) -> dict[str, Client]:
    ann, ben = person("ann"), person("ben")
    enter_players(open_tournament(ann, name="Cup", rounds=3), ann, 5)
    running = open_tournament(ann, name="Now", rounds=3)
    enter_players(running, ann, 4)
    pair_and_start(running, ann)
    clients = {"": Client(), "ann": Client(), "ben": Client()}
    clients["ann"].force_login(ann.user), clients["ben"].force_login(ben.user)
    return clients


def filled_in(chance: Random) -> tuple[str, dict[str, Any]]:
    """A form and what is typed into it."""
    path = chance.choice([*FORMS, "/tournaments/new/", "/challenges/"])
    fields = dict(FORMS[path][1])
    for _change in range(chance.choice([1, 1, 1, 2, 3])):
        name = chance.choice(list(fields)) if fields else "x"
        match chance.randrange(10):
            case 0:
                fields.pop(name, None)
            case 1:
                fields[name] = [chance.choice(HOSTILE) for _value in range(3)]
            case _:
                fields[name] = chance.choice(HOSTILE)
    return path, fields


def test_no_form_fails_and_what_is_refused_is_shown_again_as_it_was_typed(clients):
    refused = set()

    @examples(EXAMPLES)
    @given(st.randoms(use_true_random=False).map(filled_in))
    def holds(typed: tuple[str, dict[str, Any]]) -> None:
        path, fields = typed
        client = clients[FORMS[path][0]]
        page = client.post(path, fields)
        if path == "/accounts/sign-up/" and page.status_code == 302:
            client.logout()
        assert page.status_code in SHOWN_AGAIN or own_address(page["Location"])
        if page.status_code in SHOWN_AGAIN:
            refused.add(path)
            assert re.search('class="(error|errorlist|message message--error)', page.text), page.text
            for name in kept(path, fields):
                assert escape(fields[name]) in page.text or is_closed(name, page.text), name

    holds()
    assert TIMES > 1 or len(refused) > 6, refused


def is_closed(name: str, page: str) -> bool:
    """Whether nobody can type into the field any more, as after the first round."""
    return re.search(rf'<(?:input|textarea)[^>]*name="{name}"[^>]* disabled', page) is not None


def kept(path: str, fields: dict[str, Any]) -> list[str]:
    """The fields that people type, of which the form has each, once."""
    typed = (
        "username",
        "opponent",
        "other_time",
        "name",
        "names",
        "description",
        "rounds",
        "no_show_s",
        "tiebreaks",
    )
    return [
        name for name in typed if name in fields and name in FORMS[path][1] and isinstance(fields[name], str)
    ]


QUERIES = {
    "/ratings/": ("pool", "name", "page"),
    "/players/{}/": ("page",),
    "/games/{}/": (),
    "/tournaments/": ("page", "status"),
    "/tournaments/new/": ("players", "minutes"),
    "/tournaments/cup/standings/": ("after", "page"),
    "/challenges/": ("opponent",),
    "/accounts/sign-in/": ("next",),
    "/api/ratings/": ("pool", "name", "page", "page_size"),
    "/api/games/": ("status", "page"),
    "/api/players/{}/": (),
    "/api/tournaments/cup/standings/": ("after",),
    "/api/tournaments/cup/export.trf": ("dialect",),
}


def test_no_address_fails_whatever_it_is_asked(clients):
    @examples(EXAMPLES)
    @given(st.randoms(use_true_random=False))
    def holds(chance: Random) -> None:
        path = chance.choice(list(QUERIES))
        asked = {name: chance.choice(HOSTILE)[:2_000] for name in QUERIES[path] if chance.random() < 0.7}
        address = path.format(re.sub("[/?#\r\n\t]", "_", chance.choice(HOSTILE)[:500]) or "x")
        page = clients["ben"].get(address, asked)
        assert page.status_code in (200, 400, 404) or own_address(page["Location"])

    holds()


def own_address(location: str) -> bool:
    """Whether a redirect stays on the site."""
    return location.startswith("/") and not location.startswith(("//", "/\\"))


def test_a_form_of_bytes_that_are_no_text_is_no_error(clients):
    for path, (who, _fields) in FORMS.items():
        for body in (b"\xff\xfe=%ff&%00=%zz", b"=&=&&&", b"username=%ed%a0%80&names=%f4%90%80%80&reason=%ff"):
            page = clients[who].generic("POST", path, body, "application/x-www-form-urlencoded")
            assert page.status_code in (200, 302)
