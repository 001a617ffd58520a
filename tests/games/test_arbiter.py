"""What an arbiter and a repaired server do to a game."""

import pytest

from games.arbiter import GameOver, NotPaused, Paused, add_time, adjudicate, credit, pause, resume
from games.judge import rated, settle
from games.rules import BadRequest, WrongPhase
from tests.games.played import FULL, act, played, started


def over():
    return act(started(), 1, "resign").state


def test_pause_and_resume_cost_nobody_time_and_are_noted_without_the_reason():
    paused = pause(played("5"), 40_000, "a lamp fell}")
    assert (paused.status, paused.seq, paused.deadline_ms) == ("paused", 2, None)
    assert paused.clock.paused == (40_000, "a lamp fell}")
    assert settle(paused, at_ms=10**9) is paused
    resumed = resume(paused, 140_000)
    assert (resumed.status, resumed.seq, resumed.deadline_ms) == ("live", 3, 160_000)
    assert resumed.record == "1.@5{0.000} {arbiter: pause} {arbiter: resume}"
    assert act(resumed, 2, "place", "a1", at_ms=150_000).state.record.endswith(" a1{50.000}")


def test_a_waiting_game_waits_on_after_a_pause():
    resumed = resume(pause(started(), 10_000, ""), 20_000)
    assert (resumed.status, resumed.deadline_ms) == ("waiting", 40_000)


def test_added_time_goes_to_the_bank_of_a_seat():
    state = add_time(played("5"), 2, 30_000, 1_000)
    assert (state.deadline_ms, state.seq) == (90_000, 2)
    assert state.record.endswith(" {arbiter: seat 2 +30.000}")


def test_time_can_be_added_in_a_pause():
    assert resume(add_time(pause(played("5"), 0, ""), 2, 1_500, 10), 10).deadline_ms == 61_510


@pytest.mark.parametrize(("seat", "ms"), [(0, 1_000), (3, 1_000), (1, 0), (1, -5), (1, 86_400_001)])
def test_senseless_time_is_refused(seat, ms):
    with pytest.raises(BadRequest):
        add_time(played("5"), seat, ms, 0)


def test_no_time_is_added_in_the_last_window():
    with pytest.raises(WrongPhase):
        add_time(act(played(FULL), 1, "pass").state, 2, 1_000, 0)


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2"])
def test_adjudication_ends_a_game_also_a_paused_one(result):
    for state in (played("5"), pause(played("5"), 0, "")):
        ended = adjudicate(state, result, 100)
        assert (ended.result, ended.termination, ended.status) == (result, "adjudication", "over")
        assert ended.record.endswith(f" {{arbiter: {result}}}")
        assert ended.seq == state.seq + 1
        assert not rated(ended)


@pytest.mark.parametrize("result", ["", "*", "2-0", "1-0F", None])
def test_adjudication_needs_a_result(result):
    with pytest.raises(BadRequest):
        adjudicate(played("5"), result, 0)


def test_an_outage_is_credited_with_ten_seconds_more():
    state = credit(played("5"), 62_300, 70_000)
    assert (state.deadline_ms, state.seq) == (60_000 + 72_300, 2)
    assert state.record.endswith(" {outage: +72.300}")
    assert act(state, 2, "place", "a1", at_ms=75_000).state.record.endswith(" a1{2.700}")


def test_an_outage_is_credited_before_time_is_asked():
    assert credit(played("5"), 500_000, 500_000).status == "live"
    assert credit(started(), 500_000, 500_000).status == "waiting"


@pytest.mark.parametrize(
    "intervention",
    [
        lambda state: pause(state, 0, ""),
        lambda state: resume(state, 0),
        lambda state: add_time(state, 1, 1_000, 0),
        lambda state: adjudicate(state, "1-0", 0),
        lambda state: credit(state, 5_000, 0),
    ],
)
def test_a_finished_game_stays_as_it_is(intervention):
    with pytest.raises(GameOver):
        intervention(over())


def test_an_intervention_comes_too_late_for_a_game_lost_on_time():
    with pytest.raises(GameOver):
        pause(played("5"), 60_001, "")


def test_a_pause_is_not_paused_and_a_running_game_not_resumed():
    with pytest.raises(Paused):
        pause(pause(played("5"), 0, ""), 0, "")
    with pytest.raises(Paused):
        credit(pause(played("5"), 0, ""), 5_000, 0)
    with pytest.raises(NotPaused):
        resume(played("5"), 0)


def test_an_intervention_leaves_a_draw_offer_standing():
    assert pause(act(played("5"), 2, "offer_draw").state, 0, "").offer == 2
