"""The long poll, for those whose network refuses websockets."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.clients import Board
from tests.server import PATIENCE_S

MANY = 200


def poll(http, game_id, **query):
    return http.get(f"/api/games/{game_id}/events/", params=query)


def test_a_newer_state_is_there_at_once(sit, http):
    match = sit()
    state = match.play("@5 a1")
    answer = poll(http, match.id, since=1, wait=60)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    answer = answer.json()
    assert answer | {"clock": None} == state | {"clock": None}


def test_the_next_state_comes_as_the_same_bytes_as_to_the_sockets(sit, http):
    match = sit()
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(poll, http, match.id, since=0, wait=60)
        await_watchers(match, 2)
        match.play("@5")
        assert waiting.result(PATIENCE_S).text == match.watcher.texts[-1]


def test_without_since_everything_but_the_beginning_is_new(sit, http):
    match = sit()
    match.play("@5")
    assert poll(http, match.id).json()["seq"] == 1


def await_watchers(match, many):
    """Returns once that many watch: a socket that comes and goes makes the server count."""
    watchers = 0
    while watchers < many:
        Board(match.server, match.id).close()
        watchers = match.watcher.receive_kind("presence")["watchers"]


@pytest.mark.parametrize("since", [1, 7, 10**15 - 1])
def test_without_news_the_answer_is_empty_after_the_wait(sit, http, since):
    match = sit()
    match.play("@5")
    answer = poll(http, match.id, since=since, wait=1)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.elapsed.total_seconds() >= 1


@pytest.mark.parametrize(
    "query",
    ["since=-1", "since=x", "since=1.5", "since=", "wait=-1", "wait=nan", "since=1e3", "since=" + "9" * 400],
)
def test_numbers_that_are_none_are_refused(sit, http, query):
    answer = http.get(f"/api/games/{sit().id}/events/?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_events_can_only_be_read(sit, http, method):
    answer = http.request(method, f"/api/games/{sit().id}/events/")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


def test_two_hundred_who_wait_hold_no_thread_and_delay_nobody(sit, http, server):
    match = sit()
    threads = server.status("Threads")
    with ThreadPoolExecutor(MANY) as pool:
        waiting = [pool.submit(poll, http, match.id, since=0, wait=60) for _one in range(MANY)]
        await_watchers(match, MANY + 1)
        for address in ("/healthz", "/api/games/", f"/api/games/{match.id}/"):
            assert http.get(address, timeout=2).status_code == 200
        assert server.status("Threads") < threads + 20
        match.play("@5")
        answers = [one.result(PATIENCE_S) for one in waiting]
    assert {answer.text for answer in answers} == {match.watcher.texts[-1]}


def test_who_leaves_while_waiting_is_forgotten(sit, http):
    match = sit()
    with pytest.raises(httpx.ReadTimeout):
        http.get(f"/api/games/{match.id}/events/?wait=60", timeout=0.3)
    match.two.close()
    while match.watcher.receive_kind("presence") != {
        "type": "presence",
        "seats": [True, False],
        "watchers": 1,
    }:
        pass
