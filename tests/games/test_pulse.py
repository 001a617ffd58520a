import re

import pytest
from django.db import connection

from games.models import Game, Heartbeat
from games.pulse import BEAT_EVERY_MS, OUTAGE_FROM_MS, Pulse
from games.servertime import clock, now_ms
from games.services.games import pause
from tests.games.tables import fresh, start

BONUS_MS = 10_000


def beat_ms():
    return Heartbeat.objects.get().beat_ms


def last_beat(ago_ms):
    last_ms = now_ms() - ago_ms
    Heartbeat.objects.update_or_create(pk=1, defaults={"beat_ms": last_ms})
    return last_ms


def credits_in(record):
    return [int(seconds.replace(".", "")) for seconds in re.findall(r"\{outage: \+(\d+\.\d{3})\}", record)]


def test_the_first_beat_of_all_is_no_outage(ann, ben):
    game = start(ann, ben, "5")
    before = now_ms()
    Pulse().beat()
    assert before <= beat_ms() <= now_ms()
    assert fresh(game).seq == game.seq


def test_within_a_second_it_does_not_beat_again(db, django_assert_num_queries):
    pulse = Pulse()
    pulse.beat()
    with django_assert_num_queries(0):
        pulse.beat()


@pytest.fixture
def beating(db):
    """A process that has been judging."""
    pulse = Pulse()
    assert pulse.beat()
    pulse._beat_ms -= BEAT_EVERY_MS
    return pulse


@pytest.mark.parametrize("ago_ms", [0, BEAT_EVERY_MS, BEAT_EVERY_MS + 200])
def test_a_beat_that_is_a_little_late_is_no_outage(ann, ben, beating, ago_ms):
    game = start(ann, ben, "5")
    last_beat(ago_ms)
    assert beating.beat()
    assert fresh(game).seq == game.seq
    assert abs(beat_ms() - now_ms()) < 10_000


def test_a_process_that_begins_waits_for_the_beat_of_another(ann, ben):
    game = start(ann, ben, "5")
    begun, found_ms = Pulse(), last_beat(500)
    assert not begun.beat()
    assert beat_ms() == found_ms
    last_beat(0)
    assert begun.beat()
    assert fresh(game).seq == game.seq


def test_a_process_that_begins_alone_credits_even_a_quick_restart(ann, ben):
    """It takes less than two seconds; what is missing is waited for."""
    game = start(ann, ben, "5")
    found_ms = last_beat(OUTAGE_FROM_MS - 200)
    begun = Pulse()
    waited = 0
    while not begun.beat():
        assert beat_ms() == found_ms
        waited += 1
    [credit] = credits_in(fresh(game).record)
    assert waited and OUTAGE_FROM_MS < credit - BONUS_MS <= beat_ms() - found_ms


def test_after_a_clock_was_set_back_nobody_waits_for_the_beat_of_the_future(db):
    last_beat(-60_000)
    assert Pulse().beat()


@pytest.fixture
def passes():
    """Lets time pass, or goes to a machine with another clock and back."""
    shifts = []

    def shift(ms):
        shifts.append(ms)
        clock.shift(ms)

    yield shift
    clock.shift(-sum(shifts))


def test_a_beat_of_the_future_is_set_back_when_nobody_beats_any_more(ann, ben, beating, passes):
    """The machine's clock was set back, which is no outage."""
    game, found_ms = start(ann, ben, "5"), last_beat(-60_000)
    for _second in range(2):
        assert beating.beat()
        assert beat_ms() == found_ms
        passes(BEAT_EVERY_MS + 1)
    assert beating.beat()
    assert abs(beat_ms() - now_ms()) < 10_000
    assert fresh(game).seq == game.seq


def test_two_whose_clocks_are_far_apart_do_not_credit_each_others_beats(ann, ben, beating, passes):
    game, ahead = start(ann, ben, "5"), Pulse()
    for _second in range(5):
        passes(60_000)
        assert ahead.beat()
        passes(BEAT_EVERY_MS - 60_000)
        assert beating.beat()
    assert len(credits_in(fresh(game).record)) == 1  # when the one that is ahead began


def test_an_outage_extends_every_running_deadline_by_itself_and_ten_seconds_once(
    ann, ben, ears, django_capture_on_commit_callbacks
):
    games = [start(ann, ben, moves) for moves in ("", "5", "5 a1")]
    heard = [ears.to(f"game:{game.pk}") for game in games]
    last = last_beat(60_000)
    pulse = Pulse()
    with django_capture_on_commit_callbacks(execute=True):
        pulse.beat()
        gap_ms = beat_ms() - last
        pulse.beat()
        Pulse().beat()
    for game, ear in zip(games, heard, strict=True):
        row = fresh(game)
        [credit] = credits_in(row.record)
        assert 60_000 <= credit - BONUS_MS <= gap_ms
        assert row.deadline_ms == game.deadline_ms + credit
        assert row.seq == game.seq + 1
        assert [frame["seq"] for frame in ear.hear().frames] == [row.seq]


def test_what_is_waited_for_the_database_belongs_to_the_gap(db):
    """Otherwise the rest of one outage would be credited as a second one, with its own ten seconds."""
    there = []

    def late(execute, sql, params, many, context):
        if not there:
            asked_ms = now_ms()
            while now_ms() < asked_ms + 5:
                pass
            there.append(now_ms())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(late):
        Pulse().beat()
    assert beat_ms() >= there[0]


def test_crediting_for_longer_than_an_outage_is_no_outage(ann, ben, passes):
    game = start(ann, ben, "5")
    last_beat(60_000)

    def slow(execute, sql, params, many, context):
        if sql.startswith("UPDATE games_game"):
            passes(2 * OUTAGE_FROM_MS)
        return execute(sql, params, many, context)

    pulse, other = Pulse(), Pulse()
    with connection.execute_wrapper(slow):
        for _pass in range(2):
            assert pulse.beat()
    other._beat_ms = 0
    assert other.beat()
    assert len(credits_in(fresh(game).record)) == 1


def test_of_two_processes_one_credits(ann, ben):
    game = start(ann, ben, "5")
    last_beat(60_000)
    for pulse in (Pulse(), Pulse()):
        pulse.beat()
    assert len(credits_in(fresh(game).record)) == 1


def test_while_another_process_beats_a_frozen_one_credits_nothing(ann, ben):
    game = start(ann, ben, "5")
    frozen = Pulse()
    frozen.beat()
    frozen._beat_ms -= 60_000
    last_beat(500)
    assert frozen.beat()
    assert fresh(game).seq == game.seq


def test_games_without_a_running_deadline_are_left_alone(ann, ben):
    paused, over = start(ann, ben, "5"), start(ann, ben, "5")
    pause(game_ids=[paused.pk], reason="lunch")
    Game.objects.filter(pk=over.pk).update(
        status="over", termination="resign", result="1-0", ended_ms=now_ms(), deadline_ms=None
    )
    last_beat(60_000)
    Pulse().beat()
    assert [credits_in(fresh(game).record) for game in (paused, over)] == [[], []]


def test_a_game_that_cannot_be_read_spoils_no_other(ann, ben, caplog):
    games = [start(ann, ben, "5") for _board in range(3)]
    Game.objects.filter(pk=games[1].pk).update(position="nonsense")
    last_beat(60_000)
    Pulse().beat()
    assert [len(credits_in(fresh(game).record)) for game in games] == [1, 0, 1]
    assert [
        games[1].pk in record.getMessage() for record in caplog.records if record.levelname == "ERROR"
    ] == [True]
