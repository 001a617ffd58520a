"""What time alone does to a game."""

import pytest

from games.judge import settle
from games.notation import write_position
from tests.games.played import FULL, act, played, started


def test_a_waiting_game_is_aborted_when_its_first_give_does_not_come():
    state = started(grace_ms=500)
    assert settle(state, at_ms=30_500) is state
    over = settle(state, at_ms=30_501)
    assert (over.status, over.result, over.termination) == ("over", None, "aborted")
    assert (over.seq, over.record, over.deadline_ms) == (1, "", None)


def test_a_tournament_game_that_never_begins_is_forfeited():
    over = settle(started(tournament=True), at_ms=30_001)
    assert (over.seq, over.record, over.result, over.termination) == (1, "", "0-1", "no-show")


def test_a_tournament_game_lost_on_time_by_somebody_who_never_acted_is_a_forfeit():
    over = settle(played("5", started(tournament=True)), at_ms=60_001)
    assert (over.result, over.termination, over.record) == ("1-0", "no-show", "1.@5{0.000} T2")


@pytest.mark.parametrize("moves", ["5 a1", "5 a1 6"])
def test_a_tournament_game_lost_on_time_by_a_player_is_lost_on_time(moves):
    assert settle(played(moves, started(tournament=True)), at_ms=60_001).termination == "time"


def test_a_game_that_has_begun_is_lost_on_time_with_its_piece_in_hand():
    over = settle(played("5"), at_ms=60_001)
    assert write_position(over.position) == "..../..../..../.... 5 - X - - L:F"
    assert (over.result, over.termination, over.seq) == ("1-0", "time", 2)


def test_silence_in_the_end_windows_is_a_pass():
    state = played(FULL, started(grace_ms=500))
    replying = settle(state, at_ms=60_501)
    assert (replying.position.phase, replying.position.to_act) == ("reply", 2)
    assert replying.record.endswith(" --{60.500}")
    assert replying.deadline_ms == 120_500
    over = settle(replying, at_ms=121_001)
    assert (over.result, over.termination) == ("1/2-1/2", "board-full")
    assert over.record.endswith(" --{60.500} --{60.500}")


def test_one_call_may_pass_both_end_windows():
    state = played(FULL)
    assert settle(state, at_ms=500_000) == settle(settle(state, at_ms=60_001), at_ms=120_001)


def test_a_void_claim_in_the_reply_does_not_move_its_deadline():
    state = act(played(FULL, started(claims="void", control="bank=450")), 1, "pass", at_ms=5_000).state
    claimed = act(state, 2, "claim", "a1-d1", at_ms=40_000).state
    assert claimed.deadline_ms == state.deadline_ms == 65_000


def test_each_change_needs_its_own_moment():
    state = played("5 a1")
    assert settle(state, at_ms=60_000) is state
    assert settle(settle(state, at_ms=60_001), at_ms=10**9) == settle(state, at_ms=60_001)


def test_a_state_is_a_value():
    assert played("5 a1") == played("5 a1")
    with pytest.raises(AttributeError):
        played("5").seq = 3
