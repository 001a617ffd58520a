"""An organiser who clicks twice, or two who click at once: over real HTTP, each thing happens once."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.clients import Person

CLICKS = 6
VERBS = "SELECT count(*) FROM tournaments_auditevent WHERE verb = ? AND tournament_id = ?"
numbers = itertools.count(1)


def at_once(*calls):
    """The answers to requests that set out together: statuses and bodies."""
    gate = threading.Barrier(len(calls))

    def send(call):
        gate.wait()
        answer = call()
        return answer.status_code, answer.json()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(send, calls))


class Desk:
    """A tournament of four with live games, and the organiser's requests."""

    def __init__(self, server, organiser, players):
        self.server, self.http = server, organiser.http
        terms = {"name": f"Double {next(numbers)}", "rounds": 2, "rated": True}
        made = self.http.post("/api/tournaments/", json=terms)
        assert made.status_code == 201, made.text
        self.path = f"/api/tournaments/{made.json()['slug']}"
        for player in players:
            entered = player.http.post(f"{self.path}/entries/", json={})
            assert entered.status_code == 201, entered.text
        [(self.id,)] = server.rows(
            "SELECT id FROM tournaments_tournament WHERE slug = ?", made.json()["slug"]
        )

    def pair(self):
        return self.http.post(f"{self.path}/rounds/")

    def start(self, number=1):
        return self.http.post(f"{self.path}/rounds/{number}/start/")

    def enter(self, board, result):
        return self.http.put(f"{self.path}/rounds/1/boards/{board}/result/", json={"result": result})

    def round(self, number=1):
        return self.http.get(f"{self.path}/rounds/{number}/").json()

    def noted(self, verb):
        """How often the log says that something was done."""
        return self.server.rows(VERBS, verb, self.id)[0][0]


@pytest.fixture
def desk(server, ann, ben, cleo):
    dora = Person(server, f"dora{next(numbers)}")
    yield Desk(server, ann, (ann, ben, cleo, dora))
    dora.http.close()


def test_each_click_of_an_organiser_counts_once(desk):
    paired = at_once(*[desk.pair] * CLICKS)
    assert sorted(status for status, _body in paired) == [200] * (CLICKS - 1) + [201]
    assert all(body == paired[0][1] for _status, body in paired)
    assert desk.noted("paired") == 1

    started = at_once(*[desk.start] * CLICKS)
    assert {status for status, _body in started} == {200}
    games = {board["game"] for _status, body in started for board in body["boards"]}
    assert len(games) == 2 and None not in games
    assert desk.noted("started") == 1

    entered = at_once(*[lambda: desk.enter(1, "1-0")] * CLICKS)
    assert {(status, body["result"]) for status, body in entered} == {(200, "1-0")}
    assert desk.noted("result") == 1

    early = at_once(*[desk.pair] * CLICKS)
    assert {(status, body["code"]) for status, body in early} == {(409, "round_unfinished")}

    two = at_once(*[lambda result=result: desk.enter(2, result) for result in ("1-0", "0-1") * (CLICKS // 2)])
    assert {status for status, _body in two} == {200}
    assert desk.round()["status"] == "complete"
    assert desk.round()["boards"][1]["result"] in ("1-0", "0-1")

    closed = at_once(*[desk.pair] * CLICKS)
    assert sorted(status for status, _body in closed) == [200] * (CLICKS - 1) + [201]
    assert len(desk.http.get(f"{desk.path}/rounds/").json()["results"]) == 2
