"""Games over REST: actions by POST, the game object, lists and records."""

import pytest

from tests.live.test_contract import GAME_KEYS, STATE_KEYS
from tests.positions import DARK_ROW

JSON = {"Content-Type": "application/json"}


def without_now(state):
    return state | {"clock": state["clock"] | {"now": None}}


def test_an_accepted_action_by_post_is_told_to_the_sockets(sit):
    match = sit()
    answer = match.persons[1].post_action(match.id, "give", 0, piece="5", id="p-1")
    assert (answer.status_code, answer.json()) == (200, {"type": "reply", "id": "p-1", "ok": True, "seq": 1})
    match.reach(1)
    assert match.two.state["position"].split()[1] == "5"


def test_a_repeat_by_post_is_acknowledged_once_more(sit):
    match = sit()
    for _again in range(3):
        answer = match.persons[1].post_action(match.id, "give", 0, piece="5")
        assert (answer.status_code, answer.json()["seq"]) == (200, 1)
    assert match.one.ask({"do": "give", "piece": "5", "seq": 0, "id": "x"}, "x")["ok"]


REFUSED = [
    (1, {"do": "give", "piece": "G", "seq": 0}, 400, "bad_request"),
    (1, {"do": "give", "piece": "5", "seq": 7}, 409, "stale"),
    (2, {"do": "give", "piece": "5", "seq": 0}, 409, "not_your_turn"),
    (1, {"do": "place", "square": "a1", "seq": 0}, 409, "wrong_phase"),
    (1, {"do": "claim", "line": "a1-d1", "seq": 0}, 409, "no_window"),
    (1, {"do": "flag", "seq": 0}, 409, "flag_not_down"),
    (1, {"do": "offer_draw", "seq": 0}, 409, "not_allowed"),
    (None, {"do": "give", "piece": "5", "seq": 0}, 403, "not_a_player"),
    (1, {"do": "dance", "seq": 0}, 400, "bad_request"),
    (1, {"do": "dance", "seq": 7}, 400, "bad_request"),
    (1, {"do": ["give"], "seq": 0}, 400, "bad_request"),
    (1, {"do": "give", "piece": "5", "seq": "0"}, 400, "bad_request"),
    (1, {"do": "give", "piece": "5", "seq": True}, 400, "bad_request"),
    (1, {"do": "give", "piece": "5", "seq": 0.0}, 400, "bad_request"),
    (1, {"do": "give", "piece": "5"}, 400, "bad_request"),
    (1, {"do": "give", "piece": "5", "seq": 0, "id": 1.5}, 400, "bad_request"),
    (1, {"do": "give", "piece": "5", "seq": 0, "id": "x" * 65}, 400, "bad_request"),
    (1, {}, 400, "bad_request"),
]


@pytest.mark.parametrize(("seat", "body", "status", "code"), REFUSED, ids=str)
def test_a_refusal_by_post_is_the_sockets_refusal_with_a_status(sit, cleo, seat, body, status, code):
    match = sit(draws_allowed=False)
    person = cleo if seat is None else match.persons[seat]
    body = {"id": "r-1"} | body
    posted = person.http.post(f"/api/games/{match.id}/actions/", json=body)
    board = person.board(match.id)
    replied = board.ask(body, body["id"] if isinstance(body["id"], str) and len(body["id"]) < 65 else None)
    board.close()
    assert (posted.status_code, posted.json()["code"]) == (status, code)
    for reply in (posted.json(), replied):
        reply["state"] = without_now(reply["state"])
    assert posted.json() | {"state": None} == replied | {"state": None}
    assert without_now(posted.json()["state"]) == replied["state"] == without_now(match.watcher.sync())


@pytest.mark.parametrize(
    "body",
    [
        b"", b"nope", b"[1]", b'"give"', b"null", b"{", b"\xff\xfe", b"[" * 50_000, b'{"do": NaN}',
        b'{"do": "give", "piece": "5", "seq": 1e999}', b'{"do": "give", "seq": ' + b"9" * 5_000 + b"}",
        b'{"do": "give", "seq": 0, "id": "' + b"x" * 70_000 + b'"}',
    ],
    ids=lambda body: repr(body[:30]),
)  # fmt: skip
def test_a_body_that_cannot_be_understood_is_refused_in_words(sit, body):
    match = sit()
    answer = match.persons[1].http.post(f"/api/games/{match.id}/actions/", content=body, headers=JSON)
    assert (answer.status_code, answer.json()["code"], answer.json()["ok"]) == (400, "bad_request", False)
    assert match.watcher.sync()["seq"] == 0


def test_an_action_needs_somebody_who_is_signed_in(sit, http):
    match = sit()
    body = {"do": "give", "piece": "5", "seq": 0}
    for headers in ({}, {"Authorization": "Bearer nope"}, {"Authorization": "Bearer \xff".encode("latin1")}):
        answer = http.post(f"/api/games/{match.id}/actions/", json=body, headers=headers)
        assert answer.status_code == 401
        assert set(answer.json()) == {"code", "detail"}
    assert match.watcher.sync()["seq"] == 0


def test_the_game_object_is_the_sockets_game_with_its_state(sit, http):
    match = sit(rules="LS:F")
    state = match.play("@5 a1")
    for get, you in ((match.persons[1].http.get, 1), (match.persons[2].http.get, 2), (http.get, None)):
        answer = get(f"/api/games/{match.id}/")
        assert answer.status_code == 200
        game = answer.json()
        assert list(game) == GAME_KEYS
        assert list(game["state"]) == STATE_KEYS
        assert without_now(game.pop("state")) == without_now(state)
        assert game | {"state": None} == match.watcher.game | {"you": you, "state": None}


def test_running_games_are_listed_newest_first_and_finished_ones_are_not(sit, http):
    over, newer = sit(), sit()
    over.play("R1")
    newer.play("@5")
    listed = http.get("/api/games/?status=live").json()
    assert set(listed) == {"count", "next", "previous", "results"}
    ids = [game["id"] for game in listed["results"]]
    assert ids[0] == newer.id and over.id not in ids
    assert listed["results"][0]["state"]["seq"] == 1
    finished = http.get("/api/games/?status=over").json()
    assert finished["results"][0]["id"] == over.id


@pytest.mark.parametrize("query", ["status=nope", "status=LIVE"])
def test_a_list_of_an_unknown_status_is_refused(http, query):
    answer = http.get(f"/api/games/?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


@pytest.mark.parametrize(
    "game_id", ["nope", "%00", "x" * 3_000, "%F0%9F%98%80", "%ed%a0%80", "..%2f..", "'%20OR%201"]
)
@pytest.mark.parametrize("rest", ["", "record/", "events/", "actions/"])
def test_an_unknown_game_is_not_found(ann, game_id, rest):
    ask = ann.http.post if rest == "actions/" else ann.http.get
    answer = ask(f"/api/games/{game_id}/{rest}", **({"json": {}} if rest == "actions/" else {}))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_the_record_of_a_running_game_ends_with_a_star(sit, http):
    match = sit()
    state = match.play(DARK_ROW)
    record = http.get(f"/api/games/{match.id}/record/")
    assert record.text.rstrip("\n").splitlines()[-1] == f"{state['record']} *"
    assert '[Result "*"]' in record.text and "Termination" not in record.text
