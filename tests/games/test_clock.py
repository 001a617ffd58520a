"""Time controls and the clock of a game."""

import doctest

import pytest

from games import clock as clock_module
from games.clock import BadControl, Clock, TimeControl, ceil_face, floor_face


def started(control="turn=60", at_ms=1_000, no_show_ms=30_000):
    return Clock.start(TimeControl.parse(control), at_ms=at_ms, no_show_ms=no_show_ms)


def turn_of_2(control="turn=60", at_ms=5_000):
    """The clock of seat 2's first turn, begun at that moment."""
    return started(control).act(at_ms).end_turn(at_ms, kind="turn")


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(clock_module).failed == 0


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("turn=60", TimeControl(60_000)),
        ("bank=450", TimeControl(0, 450_000)),
        ("bank=180 inc=5", TimeControl(0, 180_000, 5_000)),
        ("turn=30 bank=120", TimeControl(30_000, 120_000)),
        ("turn=30 bank=120 inc=2", TimeControl(30_000, 120_000, 2_000)),
        ("turn=0.001", TimeControl(1)),
        ("turn=2.5 bank=0.25", TimeControl(2_500, 250)),
        ("bank=86400", TimeControl(0, 86_400_000)),
    ],
)
def test_time_controls_are_read_and_written(text, control):
    assert TimeControl.parse(text) == control
    assert str(control) == text


@pytest.mark.parametrize(("text", "canonical"), [("turn=060.50", "turn=60.5"), ("bank=90.000", "bank=90")])
def test_time_controls_are_written_canonically(text, canonical):
    assert str(TimeControl.parse(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "60",
        "turn",
        "turn=",
        "turn=0",
        "turn=-5",
        "turn=+5",
        "turn=1e3",
        "turn=1.2345",
        "turn=.5",
        "turn=5.",
        "turn=inf",
        "turn=86400.001",
        "turn=999999",
        "turn=60 ",
        " turn=60",
        "turn=60  bank=5",
        "turn=60bank=5",
        " bank=5",
        "inc=5",
        "turn=60 inc=5",
        "bank=60 inc=0",
        "bank=60 turn=30",
        "turn=60 turn=60",
        "TURN=60",
        "turn=٦",
        "turn=60\n",
        None,
        60,
    ],
)
def test_other_time_controls_are_refused(text):
    with pytest.raises(BadControl):
        TimeControl.parse(text)


@pytest.mark.parametrize(
    ("text", "reply_ms"), [("turn=45", 45_000), ("turn=10 bank=9", 10_000), ("bank=450", 60_000)]
)
def test_the_last_reply_has_the_turn_allowance_or_a_minute(text, reply_ms):
    assert TimeControl.parse(text).reply_ms == reply_ms
    assert Clock.start(TimeControl.parse(text), at_ms=0, no_show_ms=1).reply_ms == reply_ms


def test_until_the_first_give_the_no_show_limit_runs_instead():
    clock = started("bank=450")
    assert (clock.kind, clock.seat, clock.deadline_ms) == ("waiting", 1, 31_000)


def test_the_first_give_costs_no_bank_and_earns_the_increment():
    clock = turn_of_2("bank=20 inc=5", at_ms=29_000)
    assert (clock.banks, clock.seat, clock.kind) == ((25_000, 20_000), 2, "turn")
    assert clock.deadline_ms == 49_000


def test_the_deadline_does_not_move_inside_a_turn():
    clock = turn_of_2("turn=30 bank=120")
    placed = clock.act(20_000)
    assert clock.used_ms(20_000) == placed.spent_ms == 15_000
    assert placed.deadline_ms == clock.deadline_ms == 155_000


@pytest.mark.parametrize(
    ("control", "give_ms", "bank_ms"),
    [
        ("turn=60", 65_000, 0),
        ("turn=30 bank=120", 35_000, 120_000),
        ("turn=30 bank=120", 35_001, 119_999),
        ("turn=30 bank=120 inc=2", 45_000, 112_000),
        ("bank=180 inc=5", 65_000, 125_000),
        ("bank=60", 65_000, 0),
        ("bank=60 inc=5", 65_400, 5_000),
    ],
)
def test_a_turn_uses_its_allowance_first_then_the_bank_and_grace_is_not_banked(control, give_ms, bank_ms):
    clock = turn_of_2(control).act(15_000).act(give_ms).end_turn(give_ms, kind="turn")
    assert clock.banks[1] == bank_ms
    assert (clock.seat, clock.mark_ms, clock.spent_ms) == (1, give_ms, 0)


def test_the_reply_has_its_own_limit_and_costs_no_bank():
    clock = turn_of_2("turn=30 bank=120 inc=2").act(50_000).end_turn(50_000, kind="reply")
    assert clock.deadline_ms == 80_000
    assert clock.act(75_000).deadline_ms == 80_000
    assert clock.act(75_000).stop().banks == clock.banks


def test_a_pause_costs_nobody_time():
    clock = turn_of_2().act(10_000).pause(40_000, "a lamp fell")
    assert clock.deadline_ms is None
    resumed = clock.resume(140_000)
    assert resumed.deadline_ms == 165_000
    assert resumed.used_ms(141_000) == 31_000


def test_a_credit_moves_the_deadline_once_and_is_nobodys_time():
    clock = turn_of_2().credit(72_300)
    assert clock.deadline_ms == 65_000 + 72_300
    assert clock.used_ms(20_000) == 0
    early = clock.act(20_000)
    assert (early.mark_ms, early.spent_ms, early.deadline_ms) == (77_300, 0, clock.deadline_ms)
    late = early.act(80_000)
    assert (late.spent_ms, late.deadline_ms) == (2_700, clock.deadline_ms)


def test_an_action_stamped_before_the_mark_uses_nothing():
    assert turn_of_2().act(4_000) == turn_of_2()


def test_added_time_goes_to_the_bank_of_one_seat():
    clock = turn_of_2().add(2, 30_000)
    assert (clock.banks, clock.deadline_ms) == ((0, 30_000), 95_000)
    assert turn_of_2().add(1, 30_000).deadline_ms == 65_000


def test_a_finished_game_has_no_deadline_and_no_increment():
    clock = turn_of_2("bank=60 inc=5").act(25_000).stop()
    assert (clock.kind, clock.deadline_ms, clock.banks) == ("stopped", None, (65_000, 40_000))


def test_who_ran_out_of_time_has_nothing_left():
    assert turn_of_2("bank=60 inc=5").run_out().banks == (65_000, 0)


@pytest.mark.parametrize(
    ("remaining_ms", "floor", "ceil"),
    [
        (599_200, "9:59", "10:00"),
        (600_000, "10:00", "10:00"),
        (59_999, "0:59", "1:00"),
        (1, "0:00", "0:01"),
        (0, "0:00", "0:00"),
        (-400, "0:00", "0:00"),
        (3_600_000, "60:00", "60:00"),
    ],
)
def test_minutes_and_seconds_are_rounded_together(remaining_ms, floor, ceil):
    assert (floor_face(remaining_ms), ceil_face(remaining_ms)) == (floor, ceil)
