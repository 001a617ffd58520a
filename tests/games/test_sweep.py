"""The sweep: what it finds, when it is to be called again, and what it settles."""

import time

import pytest
from django.db import connection

from games import stored
from games.models import Game
from games.referee import judge_batch
from games.servertime import now_ms
from games.sweep import AFTER_MS, AT_MOST, LOOK_EVERY_MS, SETTLE_EVERY_MS, Sweep, settle_games
from tests.games.played import FULL
from tests.games.tables import EVENT, command, deadline_passed, fresh, start


@pytest.fixture
def at(monkeypatch):
    """Sets the monotonic clock, in milliseconds."""
    return lambda ms: monkeypatch.setattr(time, "monotonic", lambda: ms / 1000)


def test_what_comes_is_settled_at_its_moment_without_another_look(ann, ben, at, django_assert_num_queries):
    game, sweep = start(ann, ben, "5"), Sweep()
    over_ms = deadline_passed(game, 0)
    at(0)
    sweep.go(over_ms + AFTER_MS - 100)
    assert (fresh(game).status, sweep.at_s) == ("live", 0.1)
    at(100)
    with django_assert_num_queries(0):
        sweep.go(over_ms + AFTER_MS)
    assert (fresh(game).status, sweep.at_s) == ("live", 0.1 + SETTLE_EVERY_MS / 1000)
    at(101)
    sweep.go(over_ms + AFTER_MS + 1)
    assert (fresh(game).status, sweep.at_s) == ("over", LOOK_EVERY_MS / 1000)


def test_who_has_acted_since_the_look_goes_on(ann, ben, at):
    game, sweep = start(ann, ben, "5 a1"), Sweep()
    over_ms = deadline_passed(game, 0)
    at(0)
    sweep.go(over_ms + AFTER_MS - 100)
    judge_batch([command(game, ben, "give", piece="6", at_ms=over_ms)])
    at(110)
    sweep.go(over_ms + AFTER_MS + 10)
    assert fresh(game).status == "live"


def test_where_nothing_comes_it_looks_four_times_a_second(ann, ben, at, django_assert_num_queries):
    game, sweep = start(ann, ben, "5"), Sweep()
    for ms, looks in ((0, 1), (LOOK_EVERY_MS - 1, 0), (LOOK_EVERY_MS, 1)):
        at(ms)
        with django_assert_num_queries(looks):
            sweep.go(game.created_ms + ms)
    assert sweep.at_s == 2 * LOOK_EVERY_MS / 1000


def test_where_more_are_due_than_it_takes_it_looks_again_soon(ann, ben, at):
    game, sweep = start(ann, ben, "5"), Sweep()
    row = Game.objects.filter(pk=game.pk).values().get()
    Game.objects.bulk_create(Game(**row | {"id": f"{number:08}"}) for number in range(AT_MOST))
    for ms, left in ((0, 1), (SETTLE_EVERY_MS, 0)):
        at(ms)
        sweep.go(deadline_passed(game, AFTER_MS + 1) if left else now_ms() + 10**9)
        assert Game.objects.exclude(status="over").count() == left
    assert sweep.at_s == (SETTLE_EVERY_MS + LOOK_EVERY_MS) / 1000


def test_a_game_is_due_once_deadline_and_grace_have_passed(ann, ben):
    first = start(ann, ben, "5", grace_ms=2_000, control="turn=10")
    second = start(ann, ben, "5", grace_ms=0, control="turn=20")
    over = start(ann, ben, "5", control="turn=1")
    judge_batch([command(over, ann, "resign")])
    one, two = (first.pk, deadline_passed(first, 0)), (second.pk, deadline_passed(second, 0))
    assert stored.due(deadline_passed(first, -1), except_for=(), at_most=9) == []
    assert stored.due(deadline_passed(first, 0), except_for=(), at_most=9) == [one]
    assert stored.due(deadline_passed(second, 1), except_for=(), at_most=9) == [one, two]
    assert stored.due(deadline_passed(second, 1), except_for=(), at_most=1) == [one]
    assert stored.due(deadline_passed(second, 1), except_for=[first.pk], at_most=9) == [two]


def test_due_games_are_found_by_their_deadlines_whatever_else_is_stored(ann, ben):
    with connection.execute_wrapper(explained := Explained()):
        stored.due(now_ms(), except_for=["nope"], at_most=9)
    assert "SEARCH games_game USING INDEX game_deadlines" in explained.plan


def test_due_games_are_settled_in_one_transaction(ann, ben):
    games = [
        start(ann, ben, "5"),
        start(ann, ben, FULL),
        start(ann, ben, ""),
        start(ann, ben, "", event=EVENT),
    ]
    moment = max(deadline_passed(game, 1) for game in games)
    updates = settle_games([game.pk for game in games], moment)
    assert [(fresh(game).status, fresh(game).termination) for game in games] == [
        ("over", "time"), ("live", None), ("over", "aborted"), ("over", "no-show"),
    ]  # fmt: skip
    assert {update.game_id for update in updates} == {game.pk for game in games}


def test_what_is_not_due_is_not_touched(ann, ben):
    game = start(ann, ben, "5")
    assert settle_games([game.pk], deadline_passed(game, 0)) == []
    assert settle_games([], now_ms()) == []
    assert fresh(game).status == "live"


class Explained:
    """Asks the database how it will find what it is asked for."""

    plan = ""

    def __call__(self, execute, sql, params, many, context):
        if not self.plan:
            self.plan = "?"
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
                self.plan = str(cursor.fetchall())
        return execute(sql, params, many, context)
