"""Deadlines are kept by the server, whoever is there: judged after the grace and within a second more."""

import re

from tests.positions import FULL_WITH_LINE_AT_THE_END, filling
from tests.server import let_pass

GRACE_MS = 500
SECOND_MS = 1_000
EVENT = {"slug": "thursday-12", "name": "Thursday 12", "round": 1, "board": 1}
TERMS = {"control": "turn=2", "claims": "lose"}

CASES = {
    "the receiver does not place": (TERMS, "@5", ("1-0", "time"), "T2"),
    "the placer does not give": (TERMS, "@5 a1", ("1-0", "time"), "T2"),
    "the placer of a line neither claims nor gives": (TERMS, "@1 a1 @3 b1 @5 c1 @9 d1", ("0-1", "time"), "T1"),
    "the bank is used up": (TERMS | {"control": "bank=2"}, "@5 a1 @6", ("0-1", "time"), "T1"),
    "nobody begins": (TERMS | {"no_show_ms": 4_000}, "", (None, "aborted"), ""),
    "nobody begins in a tournament": (TERMS | {"no_show_ms": 4_000, "event": EVENT}, "", ("0-1", "no-show"), ""),
    "the second never comes in a tournament": (TERMS | {"event": EVENT}, "@5", ("1-0", "no-show"), "T2"),
    "somebody leaves in a tournament": (TERMS | {"event": EVENT}, "@5 a1", ("1-0", "time"), "T2"),
    "both are silent after the last placement": (
        TERMS, filling(FULL_WITH_LINE_AT_THE_END), ("1/2-1/2", "board-full"), "-- --",
    ),
    "the second is silent in the last window": (
        TERMS, f"{filling(FULL_WITH_LINE_AT_THE_END)} --", ("1/2-1/2", "board-full"), "-- --",
    ),
}  # fmt: skip


def play_by_post(people, game_id, script):
    """Plays without a socket, and returns the last state."""
    get = people["ann"].http.get
    state = get(f"/api/games/{game_id}/").json()["state"]
    for token in script.split():
        person = people[{1: "ann", 2: "ben"}[state["to_act"]]]
        do, fields = ("place", {"square": token})
        if token[0] == "@":
            do, fields = "give", {"piece": token[1]}
        elif token == "--":
            do, fields = "pass", {}
        answer = person.post_action(game_id, do, state["seq"], **fields)
        assert answer.status_code == 200, answer.text
        state = get(f"/api/games/{game_id}/").json()["state"]
    return state


def test_time_is_judged_with_nobody_connected(serve, people):
    server = serve()
    ann, ben = people(server)
    names = {"ann": ann, "ben": ben}
    ids = server.seat("ann", "ben", *(terms for terms, _script, _outcome, _tail in CASES.values()))
    games = dict(zip(CASES, ids, strict=True))
    begun = {
        name: play_by_post(names, games[name], script) for name, (_terms, script, _o, _t) in CASES.items()
    }
    deadlines = {name: state["clock"]["deadline"] for name, state in begun.items()}
    let_pass(6.5)
    for name, (_terms, _script, outcome, tail) in CASES.items():
        state = ann.http.get(f"/api/games/{games[name]}/").json()["state"]
        assert (state["status"], state["result"], state["termination"]) == ("over", *outcome), name
        assert re.sub(r"\{[\d.]+\}", "", state["record"]).endswith(tail), name
        assert state["clock"]["deadline"] is None
        [(ended_ms,)] = server.rows("SELECT ended_ms FROM games_game WHERE id = ?", games[name])
        windows = 2 if name == "both are silent after the last placement" else 1
        due = deadlines[name] + GRACE_MS + (windows - 1) * (2_000 + GRACE_MS)
        assert due < ended_ms <= due + SECOND_MS, name
