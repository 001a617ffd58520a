"""Maintenance on a real server: an upgrade in the middle of games, which go on as if nothing had been."""

import time
from contextlib import closing

from tests.clients import Match, Wire, http_client
from tests.faults.test_outage import credits_in, pause, state_of

HELD_WITHIN_S = 2
NOTICE = "Back at <nine>, ann & ben."
TOLD = {"type": "notice", "maintenance": True, "text": NOTICE}
OVER = {"type": "notice", "maintenance": False, "text": ""}


def maintenance(server, *arguments):
    run = server.manage("maintenance", *arguments)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def left_ms(state):
    """What the side to act had left when this state was made: running, or paused."""
    clock = state["clock"]
    return clock["deadline"] - clock["now"]


def test_an_upgrade_in_mid_game_costs_nobody_a_thing(serve, people):
    server = serve()
    ann, ben = people(server)
    terms = ({"control": "turn=60"}, {"control": "bank=30 inc=2"})
    first, second = (Match(server, ann.challenge(ben, **one), ann, ben) for one in terms)
    of_the_arbiter = ann.challenge(ben)
    pause(server, of_the_arbiter)
    before = [first.play("@5 a1"), second.play("@5")]
    lobby, mine = Wire(server, "/ws/lobby/"), Wire(server, "/ws/me/", Authorization=f"Bearer {ann.token}")
    begun = time.monotonic()
    server.change("INSERT INTO games_maintenance (id, since_ms, notice) VALUES (1, 1, ?)", NOTICE)
    for wire in (*first.everybody, *second.everybody, lobby, mine):
        assert wire.receive_kind("notice") == TOLD
    held = [first.watcher.reach(3), second.watcher.reach(2)]
    assert time.monotonic() - begun < HELD_WITHIN_S
    assert [state["status"] for state in held] == ["paused", "paused"]
    assert {state["clock"]["paused"]["reason"] for state in held} == {NOTICE}
    assert maintenance(server, "on", "--notice", NOTICE).splitlines()[2:] == [
        "games held: 2",
        "games running: 0",
    ]

    assert first.one.act("give", piece="6", seq=3)["code"] == "paused"
    refused = ann.http.post("/api/challenges/", json={"opponent": None})
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")

    first.close(), second.close()
    assert server.stop() == 0
    server.start()
    with http_client(server) as stranger:
        assert stranger.get("/readyz").json()["maintenance"] is True
        assert "Back at &lt;nine&gt;, ann &amp; ben.</p>" in stranger.get("/").text
    with closing(Wire(server, "/ws/lobby/")) as newcomer:
        assert [newcomer.receive()["type"], newcomer.receive()] == ["seeks", TOLD]
    for state in held:  # no credit on top of the pause
        assert state_of(ann, state["id"]) | {"clock": state["clock"]} == state
    matches = [Match(server, state["id"], ann, ben) for state in held]

    assert "maintenance: off" in maintenance(server, "off")
    for match, was, paused in zip(matches, before, held, strict=True):
        [*_others, seen] = (board.receive_kind("notice") for board in match.everybody for _both in range(2))
        assert seen == OVER
        match.reach(paused["seq"] + 1)
        state = match.watcher.state
        assert (state["status"], state["clock"]["bank_ms"]) == ("live", was["clock"]["bank_ms"])
        had_ms = was["clock"]["deadline"] - paused["clock"]["paused"]["since"]
        assert (
            had_ms - 20 <= left_ms(state) <= had_ms
        )  # the moment of the state is a little after that of the resuming
        assert state["record"] == f"{was['record']} {{arbiter: pause}} {{arbiter: resume}}"
        assert credits_in(state["record"]) == []
    assert state_of(ann, of_the_arbiter)["status"] == "paused"
    with http_client(server) as stranger:
        assert 'id="maintenance" role="status" hidden></p>' in stranger.get("/").text
        assert stranger.get("/readyz").json()["maintenance"] is False
    assert ann.http.post("/api/challenges/", json={"opponent": None}).status_code == 201
    assert matches[0].play("@6 b1 R1")["result"] == "0-1"
    assert matches[1].play("a1 @6 b1 R2")["result"] == "1-0"
    for wire in (*matches[0].everybody, *matches[1].everybody, lobby, mine):
        wire.close()
    proof = server.manage("verify")
    assert proof.returncode == 0, proof.stdout
