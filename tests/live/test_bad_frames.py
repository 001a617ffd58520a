"""Frames that cannot be understood: a clear refusal each, the socket stays open, nothing changes."""

import json
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from tests.clients import Match, Person, Wire

BAD = [
    "",
    " ",
    "nonsense",
    "null",
    "true",
    "7",
    '"give"',
    "[]",
    '[{"do": "give", "piece": "5", "seq": 0}]',
    "{}",
    '{"do": null}',
    '{"do": 7}',
    '{"do": ["give"], "piece": "5", "seq": 0}',
    '{"do": {"give": 1}, "seq": 0}',
    '{"do": "", "seq": 0}',
    '{"do": "dance", "seq": 0}',
    '{"do": "__class__", "seq": 0}',
    '{"do": "GIVE", "piece": "5", "seq": 0}',
    '{"do": "give", "piece": "5"}',
    '{"do": "give", "piece": "5", "seq": null}',
    '{"do": "give", "piece": "5", "seq": "0"}',
    '{"do": "give", "piece": "5", "seq": true}',
    '{"do": "give", "piece": "5", "seq": 0.0}',
    '{"do": "give", "piece": "5", "seq": [0]}',
    '{"do": "give", "piece": "5", "seq": 9007199254740992}',
    '{"do": "give", "piece": "5", "seq": -9007199254740992}',
    '{"do": "give", "piece": "5", "seq": 1e400}',
    '{"do": "give", "piece": "5", "seq": NaN}',
    '{"do": "give", "piece": "5", "seq": ' + "9" * 6_000 + "}",
    '{"do": "give", "piece": NaN, "seq": 0}',
    '{"do": "give", "piece": Infinity, "seq": 0}',
    '{"do": "give", "piece": "5", "seq": 0',
    '{"do": "give", "piece": "5", "seq": 0}}',
    "{'do': 'give', 'piece': '5', 'seq': 0}",
    "[" * 8_000,
    '{"a":' * 1_300 + "1" + "}" * 1_300,
    '\ufeff{"do": "give", "piece": "5", "seq": 0}',
    b'{"do": "give", "piece": "5", "seq": 0}',
    b"\x00\xff\xfe",
    b"",
    '{"do": "ping", "t": "now"}',
    '{"do": "ping", "t": true}',
    '{"do": "ping", "t": [1]}',
    '{"do": "ping", "t": 1e999}',
    '{"do": "ping", "t": NaN}',
]


def label(frame):
    return repr(frame[:40])


@pytest.mark.parametrize("frame", BAD, ids=label)
def test_a_frame_that_is_none_is_refused_and_the_socket_goes_on(sit, frame):
    match = sit()
    reply = match.one.ask(frame, None)
    assert (reply["ok"], reply["code"], reply["seq"], reply["state"]["seq"]) == (False, "bad_request", 0, 0)
    assert [heard for heard in match.one.settle() if heard["type"] != "presence"] == []
    assert match.one.act("give", piece="5")["ok"]


@pytest.mark.parametrize(
    "frame", ["nonsense", "[]", b"\x00", '{"do": "give"}', '{"do": "give", "seq": 0}', "[" * 8_000]
)
@pytest.mark.parametrize("path", ["/ws/lobby/", "/ws/me/"])
def test_the_other_sockets_take_nothing_and_stay_open(wire, ann, path, frame):
    opened = wire(path, Authorization=f"Bearer {ann.token}")
    for _again in range(2):
        opened.send(frame)
        reply = opened.receive_kind("reply")
        assert (reply["id"], reply["ok"], reply["code"]) == (None, False, "bad_request")


@pytest.mark.parametrize(
    "reply_id",
    ["x", "", "c-17", "\U0001f600" * 64, "\x00\x1f", "é" * 64, "</script>", "\ud800", "\udc00x", 7],
)
def test_whatever_its_id_is_the_reply_carries_it(sit, reply_id):
    match = sit()
    assert match.one.ask({"do": "dance", "id": reply_id}, reply_id)["code"] == "bad_request"
    assert (
        match.one.ask({"do": "give", "piece": "G", "seq": 0, "id": reply_id}, reply_id)["code"]
        == "bad_request"
    )
    assert match.one.ask({"do": "give", "piece": "5", "seq": 0, "id": reply_id}, reply_id)["ok"]


@pytest.mark.parametrize("reply_id", [2**53, 1.5, True, [], {}, ["x"], "x" * 65])
def test_an_id_that_is_none_is_a_bad_request_and_not_echoed(sit, reply_id):
    match = sit()
    reply = match.one.ask({"do": "give", "piece": "5", "seq": 0, "id": reply_id}, None)
    assert (reply["code"], reply["seq"]) == ("bad_request", 0)


@pytest.mark.parametrize("number", ["1e400", "9007199254740992", "9" * 6_000, "NaN", "-Infinity"])
def test_a_number_that_nobody_can_hold_hides_no_id(sit, number):
    match = sit()
    frame = '{"do": "give", "piece": "5", "seq": ' + number + ', "id": "c-17"}'
    assert match.one.ask(frame, "c-17")["code"] == "bad_request"


def test_an_action_without_an_id_is_answered_without_one(sit):
    match = sit()
    assert match.one.ask({"do": "give", "piece": "5", "seq": 0}, None) == {
        "type": "reply", "id": None, "ok": True, "seq": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [None, 7, -1, 1.5, True, [], {}, ["5"], {"piece": "5"}, "", "5" * 4_000, "\x00", "\ud800", "５", "٥"],
)
@pytest.mark.parametrize(
    ("script", "seat", "do", "name"),
    [("", 1, "give", "piece"), ("@5", 2, "place", "square"), ("@5 a1", 2, "claim", "line")],
)
def test_an_argument_of_the_wrong_kind_is_refused(sit, script, seat, do, name, value):
    match = sit()
    match.play(script)
    board = match.boards[seat]
    reply = board.act(do, **{name: value})
    wanted = {"line_required"} if do == "claim" and value in (None, "") else {"bad_request"}
    assert {reply["code"]} == wanted
    assert reply["seq"] == board.seq


def test_of_two_values_under_one_name_the_last_counts(sit):
    match = sit()
    assert match.one.ask(
        '{"do": "resign", "do": "give", "piece": "4", "piece": "5", "seq": 3, "seq": 0}', None
    )["ok"]
    assert match.watcher.reach(1)["position"].split()[1] == "5"


def test_names_that_the_protocol_does_not_know_are_passed_over(sit):
    match = sit()
    assert match.one.act("give", piece="5", square="a1", line="a1-d1", seat=2, type="state", player="ben")[
        "ok"
    ]


def test_a_frame_over_the_limit_ends_the_socket_and_changes_nothing(sit):
    match = sit()
    fits = {"do": "give", "piece": "G", "seq": 0, "x": ""}
    fits["x"] = "x" * (8_192 - len(json.dumps(fits)))
    assert match.one.ask(fits, None)["code"] == "bad_request"
    match.one.send(fits | {"piece": "5", "x": fits["x"] + "x"})
    assert match.one.close_code() == 1009
    assert match.watcher.sync()["seq"] == 0


def test_a_frame_far_over_the_limit_is_not_taken_in(sit, server):
    match = sit()
    before = server.status("VmRSS")
    with suppress(ConnectionClosed):
        match.one.send("x" * 30_000_000)
    # Who is still sending when the connection is dropped may not get to read the word.
    assert match.one.close_code() in (1009, None)
    assert server.status("VmRSS") < before + 20_000


def test_text_that_is_not_unicode_ends_the_socket(sit):
    match = sit()
    match.one._socket.send(b"\xff\xfe", text=True)
    assert match.one.close_code() == 1007
    assert match.watcher.sync()["seq"] == 0


def test_a_flood_ends_its_own_socket_with_4029_and_no_other(serve):
    server = serve(frames_per_second=20, frames_burst=60)
    ann, ben = Person(server, "ann"), Person(server, "ben")
    match = Match(server, ann.challenge(ben), ann, ben)
    for number in range(60):
        match.watcher.send({"do": "ping", "t": number})
    assert [match.watcher.receive_kind("pong")["t"] for _number in range(60)] == list(range(60))
    with suppress(ConnectionClosed):
        for _more in range(1_000):
            match.watcher.send("nonsense")
    assert match.watcher.close_code() == 4029
    assert match.one.act("give", piece="5")["ok"]
    lobby = Wire(server, "/ws/lobby/")
    for _frame in range(100):
        lobby.send("nonsense")
    assert lobby.close_code() == 4029
    lobby.close()
    match.close()
    ann.http.close(), ben.http.close()
