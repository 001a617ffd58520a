"""The witness believes honest frames and notices every kind of lie."""

import pytest

from games.clock import TimeControl
from games.frames import state_frame
from games.judge import Action, ClaimPolicy, GameState, judge
from games.rules import Rules
from quarto_site.simulation.witness import Doubts, Witness

TERMS = {"rules": "L:F", "claims": "lose", "control": "turn=10", "rated": True}
EVENT = {"slug": "thursday", "name": "Thursday", "round": 1, "board": 1}
ROW = [
    *((1, "give", "1"), (2, "place", "a1"), (2, "give", "3"), (1, "place", "b1")),
    *((1, "give", "5"), (2, "place", "c1"), (2, "give", "9"), (1, "place", "d1")),
]


def states():
    """A game in which seat 1 completes the first rank and claims it."""
    state = GameState.start(
        Rules.parse("L:F"),
        ClaimPolicy.parse("lose"),
        TimeControl.parse("turn=10"),
        at_ms=0,
        grace_ms=500,
        no_show_ms=60_000,
        tournament=True,
        draws_allowed=False,
    )
    yield state
    actions = [(seat, Action(do, **{"piece" if do == "give" else "square": what})) for seat, do, what in ROW]
    for at_ms, (seat, action) in enumerate([*actions, (1, Action("claim", line="a1-d1"))], start=1):
        state = judge(state, seat, action, seq=state.seq, at_ms=1000 * at_ms).state
        yield state


def frames():
    return [state_frame("k3J9xQ2a", state, at_ms=1000 * state.seq) for state in states()]


def game_frame(**changes):
    players = [
        {"seat": seat, "player": name, "name": name, "rating": 1500, "provisional": True}
        for seat, name in ((1, "ann"), (2, "ben"))
    ]
    frame = {"type": "game", "id": "k3J9xQ2a", **TERMS, "players": players, "you": None, "tournament": EVENT}
    return {**frame, "state": frames()[0], **changes}


@pytest.fixture
def witness():
    return Witness("k3J9xQ2a", TERMS | {"id": "k3J9xQ2a", "tournament": EVENT}, Doubts())


def test_an_honest_game_raises_no_doubt(witness):
    witness.hear_game(game_frame(), who="a spectator", seat=None)
    witness.hear_game(game_frame(you=1), who="ann", seat=1)
    for frame in frames():
        witness.hear_state(frame, who="ann", sent=str(frame))
        witness.hear_state(frame, who="ben", sent=str(frame))
    assert witness.doubts.found == []
    assert witness.last["win_lines"] == ["a1-d1"]


@pytest.mark.parametrize(
    "lie",
    [
        {"seq": 7},
        {"status": "paused"},
        {"phase": "place"},
        {"to_act": 2},
        {"position": "..../..../..../135. - 1 G d1 - L:F"},
        {"record": "1.@1{1.000} a2{1.000}"},
        {"record": "1.@1{1.000}  a1{1.000}"},
        {"offer": 1},
        {"result": "1-0"},
        {"win_lines": ["a1-d1"]},
        {"hint": "a1-d1"},
    ],
)
def test_a_lie_in_a_state_is_noticed(witness, lie):
    witness.hear_state({**frames()[8], **lie}, who="ann")
    assert witness.doubts.found


@pytest.mark.parametrize(
    "lie", [{"deadline": None}, {"deadline": 10**15}, {"paused": {"since": 1}}, {"line": 1}]
)
def test_a_lie_about_the_clock_is_noticed(witness, lie):
    frame = frames()[8]
    witness.hear_state({**frame, "clock": {**frame["clock"], **lie}}, who="ann")
    assert witness.doubts.found


def test_two_stories_are_noticed(witness):
    one, other = frames()[1], frames()[1]
    other["clock"] = {**other["clock"], "deadline": other["clock"]["deadline"] + 1}
    witness.hear_state(one, who="ann")
    witness.hear_state(other, who="ben")
    assert len(witness.doubts.found) == 1


def test_the_same_state_in_other_bytes_is_noticed(witness):
    frame = frames()[1]
    witness.hear_state(frame, who="ann", sent="one way")
    witness.hear_state(frame, who="ben", sent="another way")
    assert len(witness.doubts.found) == 1


@pytest.mark.parametrize("lie", [{"you": 1}, {"rated": False}, {"tournament": None}, {"hint": 1}])
def test_a_lie_in_the_game_is_noticed(witness, lie):
    witness.hear_game(game_frame(**lie), who="a spectator", seat=None)
    assert witness.doubts.found
