import json
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection, transaction

from games import arbiter
from games.bench import Bench, intervene
from games.errors import NoSuchGame
from games.frames import seat_of
from games.judge import Action
from games.models import Game
from games.rules import IllegalAction
from games.signals import game_finished
from games.stored import LostUpdate
from ratings.models import Player, RatingChange
from tests.games.played import FULL, LINE
from tests.games.tables import EVENT, fresh, start


@contextmanager
def hearing(receiver):
    game_finished.connect(receiver, weak=False)
    try:
        yield
    finally:
        game_finished.disconnect(receiver)


def end(game, player, do="resign", **fields):
    with transaction.atomic():
        bench = Bench([game.pk])
        judgement = bench.judge(
            game.pk, seat_of(game, player.pk), Action(do, **fields), game.seq, game.created_ms
        )
        bench.write()
    assert judgement.accepted
    return bench


def test_the_game_is_read_judged_and_written(ann, ben):
    game = start(ann, ben)
    with transaction.atomic():
        bench = Bench([game.pk])
        bench.judge(game.pk, 1, Action("give", piece="5"), 0, game.created_ms)
        bench.judge(game.pk, 2, Action("place", square="a1"), 1, game.created_ms + 7)
        assert fresh(game).seq == 0
        bench.write()
    assert (fresh(game).seq, fresh(game).record) == (2, "1.@5{0.000} a1{0.007}")
    assert [update.seq for update in bench.updates] == [1, 2]
    assert [json.loads(update.state)["seq"] for update in bench.updates] == [1, 2]


def test_a_refused_action_is_neither_written_nor_told(ann, ben, django_assert_num_queries):
    game = start(ann, ben)
    with transaction.atomic():
        bench = Bench([game.pk])
        assert not bench.judge(game.pk, 2, Action("give", piece="5"), 0, game.created_ms).accepted
        with django_assert_num_queries(0):
            bench.write()
    assert bench.updates == []


def test_all_games_of_a_bench_are_read_and_written_by_two_statements(ann, ben, django_assert_num_queries):
    games = [start(ann, ben) for _board in range(8)]
    with transaction.atomic(), django_assert_num_queries(2):
        bench = Bench(game.pk for game in games)
        for game in games:
            bench.judge(game.pk, 1, Action("give", piece="5"), 0, game.created_ms)
        bench.write()
    assert set(Game.objects.values_list("seq", flat=True)) == {1}


def test_a_row_that_somebody_else_has_written_is_not_overwritten(ann, ben):
    game = start(ann, ben)
    one, other = Bench([game.pk]), Bench([game.pk])
    for bench in (one, other):
        bench.judge(game.pk, 1, Action("give", piece="5"), 0, game.created_ms)
    one.write()
    with pytest.raises(LostUpdate):
        other.write()


def test_a_board_of_an_event_is_told_to_the_event(ann, ben):
    bench = end(start(ann, ben, "5", event=EVENT), ann)
    [update] = bench.updates
    assert (update.event_slug, json.loads(update.board)["result"]) == ("thursday-12", "0-1")
    [update] = end(start(ann, ben, "5"), ann).updates
    assert (update.event_slug, update.board) == (None, b"")


def test_the_end_of_a_rated_game_changes_the_ratings_in_the_same_transaction(ann, ben):
    game = start(ann, ben, "5 a1", rated=True)
    try:
        with transaction.atomic():
            bench = Bench([game.pk])
            bench.judge(game.pk, 2, Action("resign"), 2, game.created_ms)
            bench.write()
            assert RatingChange.objects.filter(game_id=game.pk).count() == 2
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    assert fresh(game).status == "live"
    assert not RatingChange.objects.exists()


@pytest.mark.parametrize(
    ("moves", "loser", "rated", "changes"),
    [
        ("5 a1", "ben", True, 2),
        ("5 a1", "ben", False, 0),
        ("5", "ann", True, 0),  # the other has not acted
        ("5", "ben", True, 2),
    ],
)
def test_only_games_that_count_are_rated(ann, ben, moves, loser, rated, changes):
    end(start(ann, ben, moves, rated=rated), {"ann": ann, "ben": ben}[loser])
    assert RatingChange.objects.count() == changes


def test_the_end_is_heard_once_inside_the_transaction_with_the_row_written(ann, ben):
    heard = []

    def receiver(sender, game, **_more):
        assert transaction.get_connection().in_atomic_block
        heard.append((sender, game.pk, game.result, game.termination, fresh(game).status))

    with hearing(receiver):
        game = start(ann, ben, LINE)
        end(game, ann, "claim", line="a1-d1")
    assert heard == [(Game, game.pk, "1-0", "quarto-placer", "over")]


def test_a_game_that_goes_on_is_not_heard_of(ann, ben):
    heard = []
    with hearing(lambda **more: heard.append(more)):
        end(start(ann, ben, FULL), ann, "pass")
    assert heard == []


def test_a_receiver_that_raises_is_rolled_back_alone(ann, ben, cleo, caplog):
    def receiver(game, **_more):
        Player.objects.filter(pk=cleo.pk).update(name="Written by the receiver")
        raise ZeroDivisionError("the event is broken")

    with hearing(receiver):
        game = start(ann, ben, "5 a1", rated=True)
        other = start(ann, cleo, "5 a1", rated=True)
        with transaction.atomic():
            bench = Bench([game.pk, other.pk])
            bench.judge(game.pk, 1, Action("resign"), 2, game.created_ms)
            bench.judge(other.pk, 2, Action("resign"), 2, game.created_ms)
            bench.write()
    assert (fresh(game).result, fresh(other).result) == ("0-1", "1-0")
    assert RatingChange.objects.count() == 4
    cleo.refresh_from_db()
    assert cleo.name == "Cleo"
    alarms = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [game.pk in alarms[0].getMessage(), other.pk in alarms[1].getMessage()] in (
        [True, True],
        [False, False],
    )
    assert len(alarms) == 2


def test_a_receiver_that_breaks_a_constraint_is_rolled_back_alone(ann, ben, caplog):
    def receiver(game, **_more):
        Player.objects.create(username=ann.username, name="The same again")

    with hearing(receiver):
        game = start(ann, ben, "5 a1")
        end(game, ben)
    assert fresh(game).result == "1-0"
    assert len(caplog.records) == 1


@pytest.mark.django_db(transaction=True)
def test_a_receiver_under_whom_the_whole_transaction_ends_leaves_nothing_to_acknowledge(ann, ben):
    """As it does with a lost connection, and in SQLite where the disk is full."""

    def receiver(game, **_more):
        connection.connection.execute("ROLLBACK")
        raise OperationalError("database or disk is full")

    game = start(ann, ben, "5 a1")
    with hearing(receiver), pytest.raises(OperationalError):
        end(game, ann)
    assert fresh(game).status == "live"
    end(game, ann)
    assert fresh(game).status == "over"


def test_an_intervention_is_told_after_the_commit(ann, ben, ears, django_capture_on_commit_callbacks):
    game = start(ann, ben, "5")
    ear = ears.to(f"game:{game.pk}")
    with django_capture_on_commit_callbacks() as callbacks:
        intervene([game.pk], lambda state, at_ms: arbiter.pause(state, at_ms, "lunch"))
    assert fresh(game).status == "paused"
    assert ear.hear().frames == []
    for callback in callbacks:
        callback()
    assert [frame["status"] for frame in ear.hear().frames] == ["paused"]


def test_an_intervention_that_one_game_refuses_changes_none(ann, ben):
    running, over = start(ann, ben, "5"), start(ann, ben, "5")
    end(over, ann)
    with pytest.raises(IllegalAction):
        intervene([running.pk, over.pk], lambda state, at_ms: arbiter.pause(state, at_ms, "lunch"))
    assert fresh(running).status == "live"


def test_an_intervention_on_a_game_that_is_none_is_refused(ann, ben):
    game = start(ann, ben, "5")
    with pytest.raises(NoSuchGame):
        intervene([game.pk, "nope"], lambda state, at_ms: arbiter.pause(state, at_ms, "lunch"))
    assert fresh(game).status == "live"
