"""The thread that judges: what waits, what fails, what stops."""

import asyncio
import threading
import time

import pytest
from django.db import connection

from games.errors import Unavailable
from games.live import publisher
from games.models import Game, Heartbeat
from games.referee import (
    BATCH_AT_MOST,
    Command,
    Referee,
    Ruling,
)
from games.servertime import now_ms
from tests.games.answers import PATIENCE_S
from tests.games.played import FULL, LINE
from tests.games.tables import command, fresh, rule, start

COME = Command("nope", None, None, 0, 0, lambda ruling: None)


@pytest.fixture
def table(referee, ann, ben):
    return lambda moves="", **terms: start(ann, ben, moves, **terms)


def test_every_command_is_answered_once_in_order(referee, answers, table, ann):
    game = table()
    for piece in "0123456789ABCDEF" * 10:
        referee.submit(command(game, ann, "give", 0, piece=piece, answer=answers.to(piece)))
    answers.wait_for(160)
    assert [name for name, _ruling in answers.rulings] == list("0123456789ABCDEF" * 10)
    assert [ruling.code for _name, ruling in answers.rulings[:2]] == [None, "stale"]
    assert fresh(game).seq == 1


@pytest.mark.parametrize(
    ("before", "taken"),
    [(0, 1), (2, 1), (3, 2), (24, 2), (25, 1)],
    ids=["rest", "few", "several", "most", "many"],
)
def test_after_several_it_waits_a_moment_for_more(monkeypatch, before, taken):
    referee = Referee()
    for _action in range(before):
        referee._queue.put(COME)
    referee._take()
    referee._waiting.clear()
    monkeypatch.setattr(time, "sleep", lambda _seconds: referee._queue.put(COME))
    referee._queue.put(COME)
    referee._take()
    assert (referee.waiting, referee._queue.qsize()) == (taken, 0)


def test_who_is_stopping_waits_for_nobody(monkeypatch):
    referee = Referee()
    referee._queue.put(None)
    referee._take()
    referee._taken = 3
    monkeypatch.setattr(time, "sleep", lambda _seconds: referee._queue.put(COME))
    referee._queue.put(COME)
    referee._take()
    assert referee.waiting == 1


def test_stopping_judges_what_has_come_in(referee, answers, table, ann):
    games = [table() for _board in range(5)]
    for game in games:
        referee.submit(command(game, ann, "give", piece="5", answer=answers.to(game.pk)))
    referee.stop()
    answers.wait_for(5)
    assert answers.codes == {game.pk: None for game in games}
    referee.submit(command(games[0], ann, "resign", answer=answers.to("late")))
    answers.wait_for(6)
    assert answers.codes["late"] == "unavailable"


def test_until_it_knows_of_an_outage_nothing_is_judged_by_the_clock(transactional_db, answers, ann, ben):
    game = start(ann, ben, "5")
    Heartbeat.objects.create(beat_ms=now_ms() - 1_000)
    Game.objects.update(deadline_ms=now_ms() - 60_000, mark_ms=now_ms() - 120_000)
    referee = Referee()
    referee.start()
    referee.submit(command(game, ben, "place", at_ms=now_ms(), square="a1", answer=answers.to("early")))
    answers.wait_for(1)
    referee.stop()
    assert answers.codes == {"early": "stale"}
    assert "{outage: +1" in fresh(game).record


def test_a_stop_before_that_leaves_nobody_without_an_answer(transactional_db, answers, ann, ben):
    game = start(ann, ben, "5")
    Heartbeat.objects.create(beat_ms=now_ms())
    referee = Referee()
    referee.start()
    referee.submit(command(game, ben, "place", square="a1", answer=answers.to("early")))
    referee.stop()
    answers.wait_for(1)
    assert answers.codes == {"early": "unavailable"}
    assert fresh(game).seq == game.seq


def test_one_that_cannot_be_judged_spoils_nothing_for_its_neighbours(referee, answers, table, ann, caplog):
    games = [table() for _board in range(4)]
    commands = [command(game, ann, "give", piece="5", answer=answers.to(game.pk)) for game in games]
    Game.objects.filter(pk=games[1].pk).update(position="nonsense")
    for one in commands:
        referee.submit(one)
    answers.wait_for(4)
    assert answers.codes == {game.pk: "unavailable" if game is games[1] else None for game in games}
    assert [fresh(game).seq for game in games] == [1, 0, 1, 1]
    [alarm] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert games[1].pk in alarm.getMessage()


def test_a_deadline_that_cannot_be_settled_spoils_no_other(referee, answers, table, caplog):
    games = [table("5") for _board in range(3)]
    Game.objects.filter(pk=games[0].pk).update(position="nonsense")
    Game.objects.update(deadline_ms=now_ms() - 60_000, mark_ms=now_ms() - 120_000)
    limit = time.monotonic() + PATIENCE_S
    while [fresh(game).status for game in games] != ["live", "over", "over"]:
        assert time.monotonic() < limit
    assert {
        games[0].pk in record.getMessage() for record in caplog.records if record.levelname == "ERROR"
    } <= {True}


def test_without_its_database_it_says_so_once_to_each_and_goes_on_when_it_is_back(
    referee, answers, table, ann, caplog
):
    game = table()
    commands = [command(game, ann, "give", 0, piece="5", answer=answers.to(number)) for number in range(300)]
    assert len(commands) > 2 * BATCH_AT_MOST
    rename("games_game", "games_away")
    try:
        for one in commands:
            referee.submit(one)
        answers.wait_for(300)
    finally:
        rename("games_away", "games_game")
    referee.submit(command(game, ann, "give", piece="5", answer=answers.to("back")))
    answers.wait_for(301)
    assert [name for name, _ruling in answers.rulings] == [*range(300), "back"]
    assert answers.codes == dict.fromkeys(range(300), "unavailable") | {"back": None}
    assert any("the database is away" in record.getMessage() for record in caplog.records)
    assert not any(record.exc_info for record in caplog.records)


def test_an_answer_is_not_given_twice_when_the_sweep_fails_after_it(referee, answers, table, ann):
    """No row can be written: refusals can still be said, while the sweep of a game that is due fails."""
    due, game = table("5"), table()
    Game.objects.filter(pk=due.pk).update(deadline_ms=now_ms() - 60_000, mark_ms=now_ms() - 120_000)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TRIGGER away BEFORE UPDATE ON games_game BEGIN SELECT no_such_function(); END")
    try:
        for number in range(5):
            referee.submit(command(game, ann, "place", 0, square="a1", answer=answers.to(number)))
            answers.wait_for(number + 1)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER away")
    referee.submit(command(game, ann, "give", 0, piece="5", answer=answers.to("last")))
    answers.wait_for(6)
    assert [name for name, _ruling in answers.rulings] == [*range(5), "last"]


def rename(old, new):
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {old} RENAME TO {new}")


# --- asking, and processes without a thread ---


def test_whoever_asks_gets_the_ruling(referee, table, ann, server_loop):
    game = table()
    assert referee.ask(command(game, ann, "give", piece="5")) == Ruling(None, "", 1, None, 1)


@pytest.fixture
def server_loop():
    """A loop that runs beside the test, as a server's does."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    publisher.start(loop)
    yield
    publisher.stop()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_without_a_thread_a_question_is_judged_where_it_is_asked(
    ann, ben, ears, django_capture_on_commit_callbacks
):
    game = start(ann, ben)
    ear = ears.to(f"game:{game.pk}")
    with django_capture_on_commit_callbacks(execute=True):
        assert Referee().ask(command(game, ann, "give", piece="5")).seq == 1
    assert [frame["seq"] for frame in ear.hear().frames] == [1]
    assert fresh(game).seq == 1


@pytest.mark.django_db(transaction=True)
def test_without_a_database_a_question_is_answered_with_unavailable(ann, ben):
    game = start(ann, ben)
    asked = command(game, ann, "give", piece="5")
    rename("games_game", "games_away")
    try:
        with pytest.raises(Unavailable):
            Referee().ask(asked)
    finally:
        rename("games_away", "games_game")


@pytest.mark.parametrize("moves", [LINE, FULL])
def test_a_claim_is_judged_by_the_line_that_it_cites(ann, ben, moves):
    game = start(ann, ben, moves)
    line = {LINE: "a1-d1", FULL: "a2-d2"}[moves]
    assert rule(command(game, ann, "claim", line=line))[0][0] is None
    assert (fresh(game).result, fresh(game).win_lines) == ("1-0", line)
