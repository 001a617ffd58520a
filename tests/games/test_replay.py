"""Games rebuilt from their records."""

import pytest

from games.clock import TimeControl
from games.judge import adjudicate, credit, pause, resume
from games.movetext import NotationError, read_movetext
from games.notation import write_position
from games.replay import ReplayError, positions, replay, steps
from games.rules import ClaimPolicy, Rules
from games.state import settle
from tests.games.played import LINE, act, played, started

STANDARD = {
    "rules": Rules("L", 15),
    "claims": ClaimPolicy.parse("lose"),
    "control": TimeControl.parse("turn=60"),
}


def test_a_won_game_is_rebuilt_from_its_record():
    state = act(played(LINE), 1, "claim", "a1-d1", at_ms=900).state
    rebuilt = replay(state.record, **STANDARD, termination="quarto-placer")
    assert (rebuilt.seq, rebuilt.position, rebuilt.record) == (state.seq, state.position, state.record)
    assert (rebuilt.result, rebuilt.termination, rebuilt.win_lines) == ("1-0", "quarto-placer", ("a1-d1",))


def test_banks_are_rebuilt_from_the_recorded_seconds():
    state = started(control="turn=30 bank=120 inc=2")
    for at_ms, do, argument in ((9_000, "give", "5"), (20_000, "place", "a1"), (49_500, "give", "6")):
        state = act(state, state.position.to_act, do, argument, at_ms=at_ms).state
    rebuilt = replay(state.record, **STANDARD | {"control": state.clock.control})
    assert rebuilt.clock.banks == state.clock.banks == (122_000, 111_500)


def test_interventions_and_credits_are_rebuilt():
    state = resume(pause(played("5"), 1_000, "a lamp fell"), 9_000)
    state = adjudicate(credit(state, 2_500, 9_000), "1/2-1/2", 9_000)
    rebuilt = replay(state.record, **STANDARD)
    assert (rebuilt.record, rebuilt.seq) == (state.record, 5)
    assert (rebuilt.result, rebuilt.termination) == ("1/2-1/2", "adjudication")


@pytest.mark.parametrize(("tournament", "termination"), [(True, "no-show"), (False, "aborted")])
def test_a_game_that_never_began_is_rebuilt_from_its_termination(tournament, termination):
    state = settle(started(tournament=tournament), at_ms=30_001)
    rebuilt = replay("", **STANDARD, tournament=tournament, termination=termination)
    assert (rebuilt.seq, rebuilt.result, rebuilt.termination) == (state.seq, state.result, termination)


def test_a_forfeit_after_the_first_give_is_rebuilt_for_a_tournament():
    assert replay("1.@5{0.000} T2", **STANDARD, tournament=True).termination == "no-show"
    assert replay("1.@5{0.000} T2", **STANDARD).termination == "time"


def test_a_record_without_times_is_replayed_as_if_nobody_took_any():
    items, _ = read_movetext("1.@a b2 2.@1 a1 *")
    assert replay(items, **STANDARD).record == "1.@A{0.000} b2{0.000} 2.@1{0.000} a1{0.000}"


def test_positions_start_before_the_first_give():
    found = positions("1.@5{1.000} a1{2.000} D2?", **STANDARD)
    assert [write_position(position) for position in found] == [
        "..../..../..../.... - 1 G - - L:F",
        "..../..../..../.... 5 2 P - - L:F",
        "..../..../..../5... - 2 G a1 - L:F",
        "..../..../..../5... - 2 G a1 - L:F",
    ]


def test_steps_show_the_offer_that_stood():
    assert [state.offer for state in steps("1.@5 D2? D1-", **STANDARD)] == [None, None, 2, None]


@pytest.mark.parametrize(
    ("record", "number"),
    [
        ("1.@5 a1 2.@5", 3),
        ("1.@5 a1 2.@6 a1", 4),
        ("Q1(a1-d1)?", 1),
        ("1.@5 a1 Q1(a1-d1)?", 3),
        ("1.@1 a1 2.@3 b1 3.@5 c1 4.@9 d1 Q1(a1-d1)?", 9),
        ("1.@1 a1 Q2(a1-d1)!", 3),
        ("1.@1 a1 Q2(a1-d1)? 2.@2", 4),
        ("1.@1 --", 2),
        ("1.@1 T1", 2),
        ("T1", 1),
        ("1.@1 a1 R1{1.000}", 3),
        ("R1 R2", 2),
        ("1.@1 D1?", 2),
        ("1.@1 D2-", 2),
        ("1.@1 =", 2),
        ("1.@1 {arbiter: resume}", 2),
        ("1.@1 {arbiter: pause} a1", 3),
        ("1.@1 {arbiter: pause} T2", 3),
        ("1.@1 {arbiter: 2-0}", 2),
        ("1.@1 {arbiter: seat 3 +1.000}", 2),
        ("1.@1 {arbiter: seat 1 +1}", 2),
        ("1.@1 {outage: -12.000}", 2),
        ("1.@1 {outage: +9.999}", 2),
    ],
)
def test_a_record_that_no_game_can_have_is_an_error_at_its_token(record, number):
    with pytest.raises(ReplayError) as caught:
        replay(record, **STANDARD)
    assert caught.value.number == number


@pytest.mark.parametrize(
    ("record", "termination"), [("1.@1 a1", "time"), ("1.@1 T2", "resign"), ("", "time"), ("1.@1", "aborted")]
)
def test_a_termination_that_the_record_does_not_show_is_an_error(record, termination):
    with pytest.raises(ReplayError):
        replay(record, **STANDARD, termination=termination)


def test_a_record_that_cannot_be_read_is_a_notation_error():
    with pytest.raises(NotationError):
        replay("1.@5 z9", **STANDARD)
