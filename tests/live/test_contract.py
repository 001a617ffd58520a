"""The game socket's frames, as programs rely on them."""

import json

import pytest

from tests.clients import Board
from tests.positions import DARK_ROW, NO_LINE

GAME_KEYS = ["type", "id", "rules", "claims", "control", "rated", "players", "you", "tournament", "state"]
STATE_KEYS = [
    "type", "id", "seq", "status", "phase", "to_act", "position", "record", "offer", "clock",
    "result", "termination", "win_lines",
]  # fmt: skip


def states(board):
    return [text for text in board.texts if json.loads(text)["type"] == "state"]


def kinds(board):
    return [json.loads(text)["type"] for text in board.texts if json.loads(text)["type"] != "presence"]


def test_the_game_comes_first_and_once(sit):
    match = sit(rules="LS:F", claims="strikes=2", control="turn=30 bank=120", rated=True)
    match.play("@1")
    for board, you in zip(match.everybody, (1, 2, None), strict=True):
        assert kinds(board)[:2] == ["game", "state"] and kinds(board).count("game") == 1
        game = board.game
        assert list(game) == GAME_KEYS
        assert game["state"] == json.loads(states(board)[0])
        assert (game["id"], game["rules"], game["claims"], game["control"], game["rated"], game["tournament"]) == (
            match.id, "LS:F", "strikes=2", "turn=30 bank=120", True, None,
        )  # fmt: skip
        assert game["you"] == you
        assert [list(player) for player in game["players"]] == [
            ["seat", "player", "name", "rating", "provisional"]
        ] * 2
        assert [(player["seat"], player["player"]) for player in game["players"]] == [
            (seat, match.persons[seat].name) for seat in (1, 2)
        ]


def test_the_first_state_waits_for_the_first_piece(sit):
    match = sit(control="turn=30 bank=120")
    state = match.watcher.state
    assert list(state) == STATE_KEYS
    clock = state.pop("clock")
    assert state == {
        "type": "state", "id": match.id, "seq": 0, "status": "waiting", "phase": "give", "to_act": 1,
        "position": "..../..../..../.... - 1 G - - L:F", "record": "", "offer": None, "result": None,
        "termination": None, "win_lines": [],
    }  # fmt: skip
    assert list(clock) == ["now", "deadline", "turn_ms", "bank_ms", "paused"]
    assert (clock["turn_ms"], clock["bank_ms"], clock["paused"]) == (30_000, [120_000, 120_000], None)
    assert 50_000 < clock["deadline"] - clock["now"] <= 60_000  # the time to appear


def test_each_change_raises_the_seq_by_one_and_reaches_everybody_as_the_same_bytes(sit):
    match = sit(claims="void", draws_allowed=True)
    match.play(f"{NO_LINE} Q1(a1-d1) D1? D2- @0 Q2(a1-d1) a2 R1")
    told = [states(board)[1:] for board in match.everybody]
    assert told[0] == told[1] == told[2]
    assert [json.loads(text)["seq"] for text in told[0]] == list(range(1, 16))
    assert all(list(json.loads(text)) == STATE_KEYS for text in told[0])


def test_the_reply_comes_before_the_state_on_the_actors_socket(sit):
    match = sit()
    for script in ("@1", "a1", "@2", "b1"):
        actor = match.boards[match.watcher.state["to_act"]]
        actor.reach(match.watcher.state["seq"])  # it may be at another process than the watcher
        before = len(actor.texts)
        match.play(script)
        frames = [json.loads(text) for text in actor.texts[before:]]
        assert [frame["type"] for frame in frames if frame["type"] != "presence"] == ["reply", "state"]


def test_the_reply_to_an_accepted_action(sit):
    match = sit()
    match.one.send({"do": "give", "piece": "5", "seq": 0, "id": "c-17"})
    assert match.one.receive_kind("reply") == {"type": "reply", "id": "c-17", "ok": True, "seq": 1}


def test_the_reply_to_a_refused_action_carries_the_present_state(sit):
    match = sit()
    match.one.send({"do": "place", "square": "a1", "seq": 0})
    reply = match.one.receive_kind("reply")
    assert sorted(reply) == sorted(["type", "id", "ok", "code", "detail", "seq", "state"])
    assert (reply["id"], reply["ok"], reply["code"], reply["seq"]) == (None, False, "wrong_phase", 0)
    assert list(reply["state"]) == STATE_KEYS
    assert reply["detail"].endswith(".")


def test_a_piece_in_lower_case_is_the_same_piece(sit):
    state = sit().play("@f")
    assert state["position"].split()[1] == "F"
    assert state["record"].startswith("1.@F{")


REFUSED = [
    ("", 1, "give", {"piece": "G"}, "bad_request"),
    ("", 1, "give", {"piece": "10"}, "bad_request"),
    ("", 1, "give", {}, "bad_request"),
    ("", 1, "give", {"piece": 5}, "bad_request"),
    ("", 1, "give", {"piece": ["5"]}, "bad_request"),
    ("", 2, "give", {"piece": "5"}, "not_your_turn"),
    ("", 1, "place", {"square": "a1"}, "wrong_phase"),
    ("", 1, "claim", {"line": "a1-d1"}, "no_window"),
    ("", 1, "claim", {}, "no_window"),
    ("", 1, "pass", {}, "wrong_phase"),
    ("", 1, "flag", {}, "flag_not_down"),
    ("", 2, "flag", {}, "flag_not_down"),
    ("@5", 1, "place", {"square": "a1"}, "not_your_turn"),
    ("@5", 2, "place", {"square": "e1"}, "bad_request"),
    ("@5", 2, "place", {"square": 7}, "bad_request"),
    ("@5", 2, "give", {"piece": "6"}, "wrong_phase"),
    ("@5 a1", 2, "give", {"piece": "5"}, "piece_taken"),
    ("@5 a1 @6", 1, "place", {"square": "a1"}, "square_taken"),
    ("@5 a1", 1, "claim", {"line": "a1-d1"}, "no_window"),
    ("@5 a1", 2, "claim", {}, "line_required"),
    ("@5 a1", 2, "claim", {"line": ""}, "line_required"),
    ("@5 a1", 2, "claim", {"line": None}, "line_required"),
    ("@5 a1", 2, "claim", {"line": "a1"}, "bad_request"),
    ("@5 a1", 2, "claim", {"line": "a1-e9"}, "bad_request"),
    ("@5 a1", 2, "claim", {"line": {"from": "a1"}}, "bad_request"),
    ("@5 a1 @6", 2, "claim", {"line": "a1-d1"}, "no_window"),
    ("R1", 1, "give", {"piece": "5"}, "game_over"),
    ("R1", 2, "resign", {}, "game_over"),
    ("R1", 2, "claim", {"line": "a1-d1"}, "game_over"),
]


def label(value):
    return json.dumps(value) if isinstance(value, dict) else str(value)


@pytest.mark.parametrize(("script", "seat", "do", "fields", "code"), REFUSED, ids=label)
def test_a_refused_action_names_why_and_changes_nothing(sit, script, seat, do, fields, code):
    match = sit(claims="lose")
    match.play(script)
    before = match.watcher.sync()
    reply = match.boards[seat].act(do, **fields)
    assert (reply["ok"], reply["code"], reply["seq"]) == (False, code, before["seq"])
    after = match.watcher.sync()
    before["clock"].pop("now"), after["clock"].pop("now"), reply["state"]["clock"].pop("now")
    assert after == before == reply["state"]
    assert not [frame for board in match.everybody for frame in board.settle() if frame["type"] == "state"]


def test_a_watcher_may_not_act(sit, server, cleo):
    match = sit()
    assert match.watcher.act("give", piece="5")["code"] == "not_a_player"
    board = cleo.board(match.id)
    assert (board.game["you"], board.act("resign")["code"]) == (None, "not_a_player")
    board.close()


@pytest.mark.parametrize("seq", [-1, 0, 2, 2**53 - 1])
def test_an_action_on_another_state_is_stale(sit, seq):
    match = sit()
    match.play("@5")
    reply = match.two.act("place", seq=seq, square="a1")
    assert (reply["code"], reply["seq"], reply["state"]["seq"]) == ("stale", 1, 1)


def test_a_repeat_is_acknowledged_and_not_executed(sit):
    match = sit()
    match.play("@5")
    frame = {"do": "give", "piece": "5", "seq": 0, "id": "again"}
    assert match.one.ask(frame, "again") == {"type": "reply", "id": "again", "ok": True, "seq": 1}
    assert match.one.sync()["record"].count("@") == 1
    match.play("a1")
    assert match.one.ask(frame, "again")["code"] == "stale"


@pytest.mark.parametrize(
    ("seat", "frame"),
    [
        (1, {"do": "give", "piece": "6", "seq": 0}),
        (1, {"do": "give", "piece": "5", "seq": 1}),
        (2, {"do": "give", "piece": "5", "seq": 0}),
        (1, {"do": "resign", "seq": 0}),
    ],
)
def test_only_the_same_action_of_the_same_seat_with_the_same_seq_is_a_repeat(sit, seat, frame):
    match = sit()
    match.play("@5")
    assert not match.boards[seat].ask(frame | {"id": "x"}, "x")["ok"]
    assert match.watcher.sync()["seq"] == 1


def test_a_repeat_after_a_reconnect_is_acknowledged(sit):
    match = sit()
    match.one.send({"do": "give", "piece": "5", "seq": 0, "id": "lost"})
    match.watcher.reach(1)
    match.one.close()
    board = match.persons[1].board(match.id)
    assert board.seq == 1
    assert board.ask({"do": "give", "piece": "5", "seq": 0, "id": "again"}, "again")["ok"]
    assert board.sync()["seq"] == 1
    board.close()


def test_a_winning_claim_sent_twice_wins_once(sit):
    match = sit(claims="lose")
    match.play(DARK_ROW)
    for reply_id in ("first", "second"):
        match.one.send({"do": "claim", "line": "a1-d1", "seq": 8, "id": reply_id})
    replies = [match.one.receive_kind("reply"), match.one.receive_kind("reply")]
    assert [(reply["id"], reply["ok"], reply["seq"]) for reply in replies] == [
        ("first", True, 9),
        ("second", True, 9),
    ]
    assert match.one.sync()["result"] == "1-0"


def test_sync_answers_with_the_present_state(sit):
    match = sit()
    state = match.play("@5 a1")
    asked = match.watcher.sync()
    assert list(asked) == STATE_KEYS
    asked["clock"].pop("now"), state["clock"].pop("now")
    assert asked == state


@pytest.mark.parametrize("t", [0, 123, 1.5, -7, 2**53 - 1, None])
def test_a_ping_is_answered_with_its_own_t_the_servers_time_and_the_seq(sit, t):
    match = sit()
    now = match.play("@5")["clock"]["now"]
    match.watcher.send({"do": "ping", "t": t})
    pong = match.watcher.receive_kind("pong")
    assert list(pong) == ["type", "t", "now", "seq"]
    assert (pong["t"], pong["seq"]) == (t, 1)
    assert 0 <= pong["now"] - now < 60_000


def test_presence_says_who_sits_there_and_how_many_watch(sit, server):
    match = sit()
    wanted = {"type": "presence", "seats": [True, True], "watchers": 1}
    while match.watcher.receive_kind("presence") != wanted:
        pass
    match.two.close()
    another = Board(server, match.id)
    wanted = {"type": "presence", "seats": [True, False], "watchers": 2}
    while match.watcher.receive_kind("presence") != wanted:
        pass
    another.close()


def test_a_second_window_of_the_same_player_acts_and_hears_as_well(sit):
    match = sit()
    window = match.persons[1].board(match.id)
    assert window.act("give", piece="5")["ok"]
    match.reach(1)
    assert match.one.state["seq"] == window.reach(1)["seq"] == 1
    window.close()


def test_a_paused_game_takes_no_action_and_shows_why(sit, server):
    match = sit()
    match.play("@5")
    held = server.manage(
        "shell", "-v0", "-c",
        f"from games.services.games import pause; pause(game_ids=['{match.id}'], reason='power cut')",
    )  # fmt: skip
    assert held.returncode == 0, held.stderr
    match.reach(2)  # though nobody told the server
    state = match.two.sync()
    assert (state["status"], state["seq"], state["clock"]["deadline"]) == ("paused", 2, None)
    assert state["clock"]["paused"]["reason"] == "power cut"
    assert state["clock"]["paused"]["since"] <= state["clock"]["now"]
    assert state["record"].endswith("{arbiter: pause}")
    assert match.two.act("place", square="a1")["code"] == "paused"
