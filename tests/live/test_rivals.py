"""Several actions on the same state at the same instant: one is judged, the others come too late."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import pytest

RACES = 40
SQUARES = [f"{file}{rank}" for rank in range(1, 5) for file in "abcd"]


def race(boards, actions):
    """Everybody's action sent at once; returns the replies in the order of the boards."""
    start = Barrier(len(boards))

    def act(board, action):
        start.wait()
        return board.act(**action)

    with ThreadPoolExecutor(len(boards)) as pool:
        return list(pool.map(act, boards, actions))


@pytest.fixture
def windows(sit):
    """Starts a game with two windows open for each player: the match, and the boards by seat."""
    with ExitStack() as stack:

        def open_windows():
            match = sit(draws_allowed=True)
            seconds = {seat: match.persons[seat].board(match.id) for seat in (1, 2)}
            for board in seconds.values():
                stack.callback(board.close)
            return match, {seat: (match.boards[seat], seconds[seat]) for seat in (1, 2)}

        yield open_windows


def rivals(state):
    """Two actions of the side to act and two of the other, each legal while his draw offer stands."""
    left = [piece for piece in "0123456789ABCDEF" if f"@{piece}" not in state["record"]]
    used = {token.split("{")[0] for token in state["record"].split()}
    free = [square for square in SQUARES if square not in used]
    if state["phase"] == "give":
        mine = [{"do": "give", "piece": left[0]}, {"do": "give", "piece": left[1]}]
    else:
        mine = [{"do": "place", "square": free[0]}, {"do": "place", "square": free[-1]}]
    return [*mine, {"do": "resign"}, {"do": "accept_draw"}]


def test_of_four_rivals_exactly_one_is_accepted(windows):
    races = 0
    while races < RACES:
        match, boards = windows()
        everybody = [*boards[1], *boards[2], match.watcher]
        while match.watcher.state["phase"] in ("give", "place"):
            seat = match.watcher.state["to_act"]
            seq = match.boards[seat].act("offer_draw")["seq"]
            for board in everybody:
                board.reach(seq)
            replies = race([*boards[seat], *boards[3 - seat]], rivals(match.watcher.state))
            assert [reply["seq"] for reply in replies if reply["ok"]] == [seq + 1], replies
            assert {reply["code"] for reply in replies if not reply["ok"]} == {"stale"}
            assert {board.reach(seq + 1)["seq"] for board in everybody} == {seq + 1}
            races += 1


def test_the_same_action_from_two_windows_at_once_is_done_once(windows):
    match, boards = windows()
    replies = race(boards[1], [{"do": "give", "piece": "5"}] * 2)
    assert [(reply["ok"], reply["seq"]) for reply in replies] == [(True, 1)] * 2
    assert match.watcher.sync()["record"].count("@") == 1
