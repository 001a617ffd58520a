"""SIGTERM: what was received is judged, everybody is told to come back, and the process ends well."""

import re
import socket
import threading
import time
from contextlib import ExitStack

import httpx
from websockets.exceptions import ConnectionClosed

from tests.clients import Match, Wire
from tests.crowd import crowd
from tests.faults.form import FORM
from tests.faults.trial import trial
from tests.server import PATIENCE_S
from tests.stubborn import never_reading

STOP_LIMIT_S = 5


def test_a_stop_closes_every_socket_with_4012_and_ends_with_0(serve, people):
    server = serve()
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben), ann, ben)
    match.play("@5 a1")
    lobby = Wire(server, "/ws/lobby/")
    mine = Wire(server, "/ws/me/", Authorization=f"Bearer {ann.token}")
    begun = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - begun < STOP_LIMIT_S
    for wire in (*match.everybody, lobby, mine):
        assert wire.close_code() == 4012
        wire.close()


def test_after_a_restart_under_many_sockets_games_go_on_and_no_clock_has_lost_time(serve, people):
    server = serve()
    ann, ben = people(server)
    games = [ann.challenge(ben, control=control) for control in ("turn=60", "bank=60", "turn=5 bank=60")]
    match = Match(server, games[0], ann, ben)
    position = match.play("@5 a1")["position"]
    match.close()
    with (
        trial(server, "SIGTERM under 200 sockets", tables=2) as under,
        crowd(server, games, FORM.sockets) as watchers,
    ):
        before = {state["id"]: state for state in watchers.open()}
        for _stop in range(FORM.stops):
            under.go_on_to_some_moment()
            stopped_ms = time.time() * 1000
            assert server.stop() == 0
            assert watchers.close_codes() == {4012}
            begun = time.monotonic()
            server.start()
            back_ms = time.time() * 1000
            after = {state["id"]: state for state in watchers.open()}
            under.go_on()
            under.recovered(begun)
            for game_id, state in after.items():
                left_before = before[game_id]["clock"]["deadline"] - stopped_ms
                left_after = state["clock"]["deadline"] - back_ms
                assert left_before - left_after <= 500
            before = after
        watchers.close()
    match = Match(server, games[0], ann, ben)
    assert match.watcher.state["position"] == position
    assert match.play("@6 b1")["position"] == "..../..../..../56.. - 1 G b1 - L:F"
    match.close()


def test_every_action_sent_before_a_stop_is_judged_or_its_socket_closed_unanswered(serve, people):
    server = serve()
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben, draws_allowed=True), ann, ben)
    match.play("@5")
    board, other = match.two, match.one
    accepted = []

    def offer_and_decline():
        try:
            while True:
                for actor, do in ((board, "offer_draw"), (other, "decline_draw")):
                    reply = actor.act(do)
                    assert reply["ok"] or reply["code"] == "unavailable", reply
                    if reply["ok"]:
                        accepted.append(reply["seq"])
                        board.reach(reply["seq"]), other.reach(reply["seq"])
        except ConnectionClosed:
            return

    playing = threading.Thread(target=offer_and_decline)
    playing.start()
    match.watcher.reach(50)
    assert server.stop() == 0
    playing.join(PATIENCE_S)
    [(seq, record)] = server.rows("SELECT seq, record FROM games_game WHERE id = ?", match.id)
    assert accepted == list(range(2, len(accepted) + 2))
    assert seq - accepted[-1] in (0, 1)  # the last one may have been judged without its reply getting through
    assert len(re.findall(r"D[12][?-]", record)) == seq - 1
    match.close()


def test_long_polls_are_answered_at_a_stop_and_idle_connections_do_not_hold_it_up(serve, people):
    server = serve()
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben), ann, ben)
    ended = []

    def poll():
        try:
            ended.append(ann.http.get(f"/api/games/{match.id}/events/?wait=60").status_code)
        except httpx.TransportError:
            ended.append(None)

    waiting = threading.Thread(target=poll)
    waiting.start()
    with ExitStack() as stack:
        idle = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        idle.sendall(b"GET / HTTP/1.1\r\n")
        stack.callback(match.close)
        while match.watcher.receive_kind("presence")["watchers"] < 2:
            match.two.close()
            match.two = match.boards[2] = ben.board(match.id)
        begun = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begun < STOP_LIMIT_S
    waiting.join(PATIENCE_S)
    assert ended == [204]


def test_a_client_that_never_reads_does_not_hold_a_stop_up(serve, people):
    server = serve()
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben), ann, ben)
    with never_reading(server, f"/ws/games/{match.id}/"):
        begun = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begun < STOP_LIMIT_S
    match.close()


def test_being_told_twice_is_no_harm(serve):
    server = serve()
    wire = Wire(server, "/ws/lobby/")
    server.process.terminate()
    assert server.stop() == 0
    assert wire.close_code() == 4012
    wire.close()
