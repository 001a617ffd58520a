"""A time in which nobody judged costs nobody time: frozen, stopped or killed alike."""

import re
import time

from tests.clients import Match
from tests.positions import FULL_WITHOUT_LINE, filling
from tests.server import let_pass

BONUS_MS = 10_000
SLACK_MS = 3_000  # from the last beat before the outage to the first after it, on a busy machine


def credits_in(record):
    """The outages that a record notes, in milliseconds."""
    return [int(seconds.replace(".", "")) for seconds in re.findall(r"\{outage: \+(\d+\.\d{3})\}", record)]


def state_of(person, game_id):
    return person.http.get(f"/api/games/{game_id}/").json()["state"]


class Elapsed:
    def __enter__(self):
        self.begun = time.monotonic()
        return self

    def __exit__(self, *_error):
        self.ms = (time.monotonic() - self.begun) * 1000


def test_a_freeze_is_credited_once_and_told_to_everybody(serve, people):
    server = serve()
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben, control="turn=2"), ann, ben)
    before = match.play("@5")
    with Elapsed() as elapsed:
        server.freeze()
        let_pass(3)  # past the deadline and its grace
        server.thaw()
        match.reach(2)
    state = match.watcher.state
    assert match.one.texts[-1] == match.two.texts[-1] == match.watcher.texts[-1]
    [credit] = credits_in(state["record"])
    assert 3_000 <= credit - BONUS_MS <= elapsed.ms + SLACK_MS
    assert (state["status"], state["seq"], state["to_act"]) == ("live", 2, 2)
    assert state["clock"]["deadline"] == before["clock"]["deadline"] + credit
    assert match.two.act("place", square="a1")["ok"]
    state = match.two.reach(3)
    assert state["record"].endswith(f"{{outage: +{credit // 1000}.{credit % 1000:03d}}} a1{{0.000}}")
    assert state["clock"]["deadline"] == before["clock"]["deadline"] + credit
    let_pass(2.5)  # further beats
    assert credits_in(match.watcher.sync()["record"]) == [credit]
    match.close()


def test_an_action_on_the_state_before_an_outage_is_stale_and_the_reply_says_where_things_are(serve, people):
    server = serve()
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben), ann, ben)
    match.play("@5")
    server.freeze()
    match.two.send({"do": "place", "square": "a1", "seq": 1, "id": "during"})
    let_pass(3)
    server.thaw()
    reply = match.two.receive_kind("reply")
    assert (reply["id"], reply["code"], reply["seq"]) == ("during", "stale", 2)
    assert match.two.act("place", seq=reply["seq"], square="a1")["ok"]
    match.close()


RUNNING = {
    "waiting for the first piece": ("", {"control": "turn=8"}),
    "in a turn": ("@5 a1", {"control": "turn=8"}),
    "on a bank": ("@5", {"control": "bank=8"}),
    "in the window after the last placement": (filling(FULL_WITHOUT_LINE), {"control": "turn=8"}),
    "in the last window": (f"{filling(FULL_WITHOUT_LINE)} --", {"control": "turn=8"}),
}
STANDING = {"paused": ("@5", {"control": "turn=8"}), "over": ("@5 a1 R1", {"control": "turn=8"})}


def test_a_stop_of_ten_seconds_costs_nobody_time(serve, people):
    server = serve()
    ann, ben = people(server)
    games = {}
    for name, (script, terms) in {**STANDING, **RUNNING}.items():
        match = Match(server, ann.challenge(ben, **terms), ann, ben)
        match.play(script)
        games[name] = match.id
        match.close()
        if name == "paused":
            pause(server, match.id)
    before = {name: state_of(ann, game_id) for name, game_id in games.items()}
    with Elapsed() as elapsed:
        assert server.stop() == 0
        let_pass(10)
        server.start()
        boards = {name: ann.board(games[name]) for name in RUNNING}
        after = {name: board.reach(before[name]["seq"] + 1) for name, board in boards.items()}
    for name in RUNNING:
        [credit] = credits_in(after[name]["record"])
        assert 10_000 <= credit - BONUS_MS <= elapsed.ms + SLACK_MS
        assert after[name] == before[name] | {
            "seq": before[name]["seq"] + 1,
            "record": after[name]["record"],
            "clock": after[name]["clock"],
        }
        assert after[name]["clock"]["deadline"] == before[name]["clock"]["deadline"] + credit
        assert after[name]["clock"]["bank_ms"] == before[name]["clock"]["bank_ms"]
        boards[name].close()
    for name in STANDING:
        assert without_now(state_of(ann, games[name])) == without_now(before[name])


def pause(server, game_id):
    held = server.manage(
        "shell",
        "-v0",
        "-c",
        f"from games.services.games import pause; pause(game_ids=['{game_id}'], reason='')",
    )
    assert held.returncode == 0, held.stderr


def without_now(state):
    return state | {"clock": state["clock"] | {"now": None}}
