"""A line in the log: one for each event, whoever wrote the words in it, with its fields and no secret."""

import json
import logging
import re
import sys
from contextlib import closing

import pytest

from quarto_site.logs import JsonFormatter, TextFormatter, WithRequest, request_id
from tests.clients import PASSWORD, Match, Person, cookies_of
from tests.server import manage

FORMATTERS = {"text": TextFormatter(), "json": JsonFormatter()}
HOSTILE = [
    "ann\n2026-11-30 20:15:00,000 ERROR games: lost",
    "\r\x1b[2J\x1b[H",
    "\u2028x\u2029",
    "a\u202eb",
    "\x85\0",
]


def record(message, *arguments, error=None, **fields):
    made = logging.LogRecord("games.watch", logging.WARNING, "", 1, message, arguments, error)
    vars(made).update(fields)
    return made


def trace_of(error):
    try:
        raise error
    except ValueError:
        return sys.exc_info()


@pytest.mark.parametrize("formatter", FORMATTERS.values(), ids=FORMATTERS)
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_no_text_of_a_stranger_begins_a_line_or_moves_the_cursor(formatter, text):
    line = formatter.format(record("the name is %s", text, player=7, action=text))
    assert line.isprintable()


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_in_a_trace_it_begins_no_line_of_its_own_either(text):
    first, *trace = TextFormatter().format(record("failed", error=trace_of(ValueError(text)))).split("\n")
    assert all(line.isprintable() for line in (first, *trace))
    assert trace and all(line.startswith("  | ") for line in trace)
    assert trace[-1].startswith("  | ")
    assert JsonFormatter().format(record("failed", error=trace_of(ValueError(text)))).isprintable()


def test_a_text_shows_its_fields_behind_the_sentence():
    line = TextFormatter().format(
        record("judged %s", "Zoë", game="k3J9xQ2a", seat=1, action="c-17", code=None)
    )
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} WARNING games\.watch: "
        r"judged Zoë \[game=k3J9xQ2a seat=1 action=c-17\]",
        line,
    )


def test_a_value_of_a_field_cannot_pass_for_another_field():
    line = TextFormatter().format(record("judged", game="k3J9xQ2a", action='x seat=2 "'))
    assert line.endswith(r'[game=k3J9xQ2a action="x seat=2 \""]')


def test_json_is_an_object_with_the_fields():
    line = json.loads(
        JsonFormatter().format(
            record("judged %s", "a\nb", game="k3J9xQ2a", seat=2, error=trace_of(ValueError("no")))
        )
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert line.pop("error").endswith("ValueError: no")
    assert line == {
        "level": "WARNING", "logger": "games.watch", "message": "judged a\nb", "game": "k3J9xQ2a", "seat": 2,
    }  # fmt: skip


def test_a_line_belongs_to_the_request_that_is_answered():
    mark = request_id.set("abc")
    try:
        other = record("failed", request=object())  # Django's own lines carry the request itself
        assert WithRequest().filter(other) and other.request == "abc"
    finally:
        request_id.reset(mark)


def test_every_answer_tells_its_request_and_no_client_chooses_it(client):
    first, second = (client.get("/healthz", headers={"X-Request-ID": "mine"}) for _request in range(2))
    ids = {response.headers["X-Request-ID"] for response in (first, second)}
    assert len(ids) == 2 and all(re.fullmatch("[0-9a-f]{12}", one) for one in ids)


def test_no_library_writes_the_tokens_that_a_command_sends(empty_database):
    told = (
        "import logging; names = ('httpx', 'httpcore.http11', 'websockets.client', 'games');"
        "print(*[name for name in names if logging.getLogger(name).isEnabledFor(logging.DEBUG)])"
    )
    run = manage(empty_database, "shell", "-v0", "-c", told, log_level="DEBUG")
    assert run.stdout.split() == ["games"], run.stderr


def test_a_server_tells_who_did_what_and_no_secret(serve):
    server = serve(log_level="DEBUG", log_format="json")
    ann, ben = Person(server, "ann"), Person(server, "ben")
    with closing(ann.browser()) as browser:
        cookies = cookies_of(browser)
        missing = browser.get("/games/nothing/?token=" + ann.token)
    match = Match(server, ann.challenge(ben), ann, ben)
    match.play("@5")
    reply = match.one.ask({"do": "give", "piece": "6", "seq": 1, "id": "c x"}, "c x")
    posted = match.persons[2].post_action(match.id, "place", 1, square="a1", id="p-1")
    match.close()
    ann.http.close(), ben.http.close()
    server.stop()
    lines = [json.loads(line) for line in server.log().splitlines()]

    judged = {line["action"]: line for line in lines if line["message"] == "judged"}
    assert judged["c x"].items() >= {
        "game": match.id, "seat": 1, "do": "give", "seq": 1, "code": reply["code"],
    }.items()  # fmt: skip
    assert judged["p-1"].items() >= {"game": match.id, "seat": 2, "do": "place", "seq": 1}.items()
    answered = {line["request"]: line for line in lines if line["message"] == "answered"}
    assert answered[missing.headers["X-Request-ID"]].items() >= {
        "route": "games/<str:game_id>/", "method": "GET", "status": 404,
    }.items()  # fmt: skip
    assert answered[posted.headers["X-Request-ID"]]["route"] == "api/games/<str:game_id>/actions/"
    sockets = [(line["message"], line["socket"]) for line in lines if "socket" in line]
    assert sockets.count(("a socket opened", "game")) == sockets.count(("a socket closed", "game")) == 3

    secrets = [PASSWORD, ann.token, ben.token, *(part.partition("=")[2] for part in cookies.split("; "))]
    assert len(secrets) == 6
    assert [secret for secret in secrets if secret in server.log()] == []
