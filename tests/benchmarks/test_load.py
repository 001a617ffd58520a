import random

import pytest

from benchmarks.load import script
from games.clock import TimeControl
from games.judge import Action, ClaimPolicy, GameState, judge
from games.rules import Rules


@pytest.mark.parametrize("seed", range(5))
def test_a_script_is_a_whole_game_that_the_judge_accepts(seed):
    state = GameState.start(
        Rules.parse("L:F"), ClaimPolicy.parse("void"), TimeControl.parse("turn=3600"), at_ms=0,
        grace_ms=500, no_show_ms=60_000, tournament=False, draws_allowed=False,
    )  # fmt: skip
    steps = script(random.Random(seed))
    for seat, action in steps:
        judgement = judge(state, seat, Action(**action), seq=state.seq, at_ms=0)
        assert judgement.accepted, judgement.code
        state = judgement.state
    assert (len(steps), state.seq, state.status, state.result) == (34, 34, "over", "1/2-1/2")
