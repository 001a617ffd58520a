"""Random games against a second, naive judge, and what must hold of every course of events."""

from hypothesis import given, settings

from games.movetext import read_movetext, write_movetext
from games.notation import read_position, write_position
from games.replay import replay
from tests.games.random_games import (
    LENGTHS,
    SEEDS,
    SETTINGS,
    events_of,
    happen,
    happen_naively,
    view,
)


@settings(max_examples=80, deadline=None)
@given(SETTINGS, SEEDS, LENGTHS)
def test_every_course_of_events_is_judged_as_by_the_naive_judge(setting, seed, length):
    state, game = setting.state(), setting.naive()
    for event in events_of(seed, length, game):
        expected = happen_naively(game, event)
        state, code = happen(state, event)
        assert (code, view(state)) == (expected, game.view()), event


@settings(max_examples=40, deadline=None)
@given(SETTINGS, SEEDS, LENGTHS)
def test_refused_actions_change_nothing_but_what_time_decides(setting, seed, length):
    state, game = setting.state(), setting.naive()
    for event in events_of(seed, length, game):
        happen_naively(game, event)
        after, code = happen(state, event)
        if code is not None and after is not state:
            assert (
                after.termination in ("time", "no-show", "aborted", "board-full")
                or after.position.phase == "reply"
            )
            assert event.at_ms > state.deadline_ms + state.grace_ms
        state = after


@settings(max_examples=40, deadline=None)
@given(SETTINGS, SEEDS, LENGTHS)
def test_positions_and_records_of_random_games_survive_writing_and_reading(setting, seed, length):
    state, game = setting.state(), setting.naive()
    for event in events_of(seed, length, game):
        happen_naively(game, event)
        state, _ = happen(state, event)
        assert read_position(write_position(state.position)) == state.position
    movetext = f"{state.record} {state.result or '*'}".lstrip()
    assert write_movetext(*read_movetext(movetext)) == movetext


@settings(max_examples=40, deadline=None)
@given(SETTINGS, SEEDS, LENGTHS)
def test_a_replayed_record_gives_the_same_game(setting, seed, length):
    state, game = setting.state(), setting.naive()
    for event in events_of(seed, length, game):
        happen_naively(game, event)
        state, _ = happen(state, event)
    replayed = replay(
        state.record,
        rules=state.position.rules,
        claims=state.claims,
        control=state.clock.control,
        tournament=state.tournament,
        termination=state.termination,
    )
    ignored = ("deadline",)
    same = {name: value for name, value in view(replayed).items() if name not in ignored}
    assert same == {name: value for name, value in view(state).items() if name not in ignored}
    assert replayed.clock.spent_ms == state.clock.spent_ms
