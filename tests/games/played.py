"""Games for the tests: a state, and what comes of actions written as words."""

from games.clock import TimeControl
from games.judge import Action, GameState, judge
from games.rules import ClaimPolicy, Rules

LINE = "1 a1 3 b1 5 c1 9 d1"
"""Four dark pieces in the bottom row; seat 1 placed the last."""

FULL = "7 a1 2 d3 9 a2 3 b4 1 b1 8 b3 F d4 6 a3 0 d2 5 c2 D c4 E a4 B c3 A d1 4 c1 C b2"
"""A full board; the last piece completes the line a2-d2."""


def started(
    *, rules="L:F", claims="lose", control="turn=60", grace_ms=0, tournament=False, draws_allowed=True
):
    """A game that waits for its first give from moment 0, for 30 s."""
    return GameState.start(
        Rules.parse(rules),
        ClaimPolicy.parse(claims),
        TimeControl.parse(control),
        at_ms=0,
        grace_ms=grace_ms,
        no_show_ms=30_000,
        tournament=tournament,
        draws_allowed=draws_allowed,
    )


def act(state, seat, do, argument=None, *, at_ms=0, seq=None):
    """The judgement of one action."""
    name = {"give": "piece", "place": "square", "claim": "line"}.get(do)
    action = Action(do, **({name: argument} if name else {}))
    return judge(state, seat, action, seq=seq, at_ms=at_ms)


def played(moves, state=None, *, at_ms=0):
    """The state after gives and places, written `1 a1 3`, all at one moment."""
    state = started() if state is None else state
    for move in moves.split():
        do = "give" if len(move) == 1 else "place"
        judgement = act(state, state.position.to_act, do, move, at_ms=at_ms)
        assert judgement.accepted, (move, judgement.code)
        state = judgement.state
    return state
