"""An action and its deadline at the same moment: whoever comes first, one outcome, and the same grace.

The second half runs the real judging thread on a real database, with actions stamped as sockets stamp them.
"""

import random
from collections import Counter

import pytest

from games.judge import Action, judge, settle
from games.models import Game
from games.referee import Command
from games.rows import put, state_of
from games.servertime import now_ms
from games.services.games import Terms, new_games, start_games
from ratings.models import RatingChange
from tests.games.played import FULL, act, played, started
from tests.server import let_pass

GRACE_MS = 500
APART_MS = 5
TRIES = 2_000
AT_ONCE = 500
ROUNDS_AT_MOST = 40
HEAD_START_MS = 600

PHASES = {
    "give": ("5 a1", 2, Action("give", piece="6")),
    "place": ("5", 2, Action("place", square="a1")),
    "end": (FULL, 1, Action("pass")),
    "reply": (f"{FULL} --", 2, Action("pass")),
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("after_ms", range(-APART_MS, APART_MS + 1))
def test_the_same_moment_decides_the_same_in_both_orders(phase, after_ms):
    moves, seat, action = PHASES[phase]
    state = started(grace_ms=GRACE_MS)
    if moves.endswith(" --"):
        state = act(played(moves.removesuffix(" --"), state), 1, "pass").state
    else:
        state = played(moves, state)
    moment = state.clock.deadline_ms + GRACE_MS + after_ms
    acted_first = judge(state, seat, action, seq=state.seq, at_ms=moment)
    looked_first = judge(settle(state, at_ms=moment), seat, action, seq=state.seq, at_ms=moment)
    assert acted_first.accepted == (after_ms <= 0)
    assert acted_first.state == settle(acted_first.state, at_ms=moment) == looked_first.state


def games_that_are_due(ann, ben, count):
    """Ben is to give in each; their deadlines and graces end one after the other, a millisecond apart."""
    games = new_games(((ann, ben, None) for _game in range(count)), Terms())
    first_ms = now_ms() + HEAD_START_MS
    for number, game in enumerate(games):
        put(game, played("5 a1", state_of(game), at_ms=game.created_ms), ended_ms=None)
        shift = first_ms + number - (game.deadline_ms + GRACE_MS)
        for name in ("created_ms", "mark_ms", "deadline_ms"):
            setattr(game, name, getattr(game, name) + shift)
        game.rated = number % 50 == 0  # more would be a test of how fast ratings are written
    start_games(games)
    return games


def submit_close_to_the_end(referee, answers, games, ben):
    """Submits an action within some milliseconds of each end; returns by how much it came after it."""
    planned = sorted(
        (
            (game.deadline_ms + GRACE_MS + random.randint(-APART_MS, APART_MS), game.pk, game)
            for game in games
        ),
    )
    after_ms = {}
    for at_ms, pk, game in planned:
        let_pass(max(0, at_ms - now_ms()) / 1000)
        received_ms = now_ms()
        after_ms[pk] = received_ms - (game.deadline_ms + GRACE_MS)
        action = Action("give", piece="6")
        referee.submit(Command(pk, ben.pk, action, game.seq, received_ms, answers.to(pk)))
    return after_ms


def test_an_action_within_5_ms_of_its_deadline_has_one_outcome_2000_times(referee, answers, ann, ben):
    """What its stamp says. A machine that is too busy to come so close, or to judge for two seconds, tries again."""
    close = asked = 0
    for _round in range(ROUNDS_AT_MOST):
        games = games_that_are_due(ann, ben, AT_ONCE)
        after_ms = submit_close_to_the_end(referee, answers, games, ben)
        answers.wait_for(asked := asked + len(games))
        let_pass(0.4)  # the sweep has looked at all of them
        codes, changes = answers.codes, Counter(RatingChange.objects.values_list("game_id", flat=True))
        for game in Game.objects.filter(pk__in=after_ms):
            if "{outage" in game.record:
                continue
            late = after_ms[game.pk] > 0
            assert codes[game.pk] in ({"game_over", "stale"} if late else {None})  # stale after the sweep
            assert (game.status, game.seq) == ("over" if late else "live", 3)
            assert (game.termination, game.record.count("T2")) == (("time", 1) if late else (None, 0))
            assert changes[game.pk] == (2 if late and game.rated else 0)
            close += abs(after_ms[game.pk]) <= APART_MS
        if close >= TRIES:
            return
    pytest.fail(f"only {close} were close")
