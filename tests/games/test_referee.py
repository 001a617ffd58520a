import asyncio
import json
import threading
import time

import pytest
from django.db import connection

from games import stored
from games.errors import Unavailable
from games.live import publisher
from games.models import Game, Heartbeat
from games.referee import (
    BATCH_AT_MOST,
    UNAVAILABLE,
    Command,
    Referee,
    Ruling,
    judge_batch,
    settle_games,
)
from games.servertime import now_ms
from tests.games.played import FULL, LINE
from tests.games.tables import EVENT, command, deadline_passed, fresh, rule, start
from tests.listening import listening

PATIENCE_S = 20
COME = Command("nope", None, None, 0, 0, lambda ruling: None)


# --- one batch ---


def test_a_batch_is_judged_in_the_order_of_its_commands(ann, ben, cleo):
    game = start(ann, ben)
    assert rule(
        command(game, ann, "give", piece="5"),
        command(game, ann, "give", piece="6"),
        command(game, ben, "place", 1, square="a1"),
        command(game, ben, "place", 1, square="a1"),
        command(game, cleo, "resign", 2),
        command(game, None, "resign", 2),
    ) == [(None, 1), ("stale", 1), (None, 2), (None, 2), ("not_a_player", 2), ("not_a_player", 2)]
    assert fresh(game).record == "1.@5{0.000} a1{0.000}"


def test_a_batch_on_many_games_takes_few_statements(ann, ben, django_assert_max_num_queries):
    games = [start(ann, ben) for _board in range(20)]
    commands = [command(game, ann, "give", piece="5") for game in games]
    with django_assert_max_num_queries(4):  # the transaction, one read, one write
        assert rule(*commands) == [(None, 1)] * 20


def test_each_change_is_told_in_its_order(ann, ben):
    game = start(ann, ben)
    commands = [command(game, ann, "give", piece="5"), command(game, ben, "place", 1, square="a1")]
    _rulings, updates = judge_batch(commands)
    assert [(update.game_id, update.seq) for update in updates] == [(game.pk, 1), (game.pk, 2)]


def test_a_frame_that_was_not_understood_is_a_bad_request_with_the_state(ann, ben):
    game = start(ann, ben, "5")
    [ruling], updates = judge_batch([Command(game.pk, ann.pk, None, 0, 0, lambda ruling: None)])
    assert (ruling.code, ruling.seq, json.loads(ruling.state)["seq"], updates) == ("bad_request", 1, 1, [])


def test_a_game_that_is_none_is_not_found(ann, ben):
    game = start(ann, ben)
    nowhere = Command("nope", ann.pk, None, 0, 0, lambda ruling: None)
    assert rule(nowhere, command(game, ann, "give", piece="5")) == [("not_found", None), (None, 1)]


def test_a_refusal_is_a_reply_with_the_state_in_it(ann, ben):
    game = start(ann, ben)
    [ruling], _updates = judge_batch([command(game, ben, "give", piece="5")])
    reply = json.loads(ruling.reply("c-1"))
    assert (reply["id"], reply["ok"], reply["code"], reply["seq"]) == ("c-1", False, "not_your_turn", 0)
    assert reply["state"] == json.loads(ruling.state)
    assert json.loads(UNAVAILABLE.reply(None)) | {"detail": ""} == {
        "type": "reply", "id": None, "ok": False, "seq": None, "code": "unavailable", "detail": "",
    }  # fmt: skip


# --- time ---


def test_an_action_counts_from_its_receipt_however_late_it_is_judged(ann, ben):
    game = start(ann, ben, "5", control="turn=60")
    in_time = deadline_passed(game, 0)
    assert in_time < now_ms() + 61_000
    assert rule(command(game, ben, "place", at_ms=in_time, square="a1")) == [(None, 2)]


def test_an_action_after_the_grace_finds_the_game_lost(ann, ben):
    game = start(ann, ben, "5", rated=True)
    assert rule(command(game, ben, "place", at_ms=deadline_passed(game, 1), square="a1")) == [
        ("game_over", 2)
    ]
    assert (fresh(game).termination, fresh(game).result) == ("time", "1-0")


def test_a_flag_is_accepted_once_the_grace_is_over(ann, ben):
    game = start(ann, ben, "5")
    assert rule(command(game, ann, "flag", at_ms=deadline_passed(game, 0))) == [("flag_not_down", 1)]
    flag = command(game, ann, "flag", at_ms=deadline_passed(game, 1))
    assert rule(flag, flag) == [(None, 2), (None, 2)]
    assert fresh(game).termination == "time"


def test_an_action_in_whose_judging_time_moved_the_state_is_still_a_repeat_when_sent_again(ann, ben):
    """Seat 1 was silent in his window; seat 2 claims having seen the state before that pass."""
    game = start(ann, ben, FULL, claims="void")
    claim = command(game, ben, "claim", at_ms=deadline_passed(game, 1), line="a1-d1")
    assert rule(claim, claim) == [(None, claim.seq + 2), (None, claim.seq + 2)]
    assert rule(claim) == [(None, claim.seq + 2)]
    assert fresh(game).record.endswith("Q2(a1-d1)?{0.001}")


def test_a_winning_claim_after_a_silent_pass_is_a_repeat_as_well(ann, ben):
    game = start(ann, ben, FULL)
    claim = command(game, ben, "claim", at_ms=deadline_passed(game, 1), line="a2-d2")
    assert rule(claim) == [(None, claim.seq + 2)]
    assert rule(claim) == [(None, claim.seq + 2)]
    assert fresh(game).result == "0-1"


def test_a_game_is_due_once_deadline_and_grace_have_passed(ann, ben):
    first = start(ann, ben, "5", grace_ms=2_000, control="turn=10")
    second = start(ann, ben, "5", grace_ms=0, control="turn=20")
    over = start(ann, ben, "5", control="turn=1")
    judge_batch([command(over, ann, "resign")])
    assert stored.due(deadline_passed(first, -1), except_for=(), at_most=9) == []
    assert stored.due(deadline_passed(first, 0), except_for=(), at_most=9) == [first.pk]
    assert stored.due(deadline_passed(second, 1), except_for=(), at_most=9) == [first.pk, second.pk]
    assert stored.due(deadline_passed(second, 1), except_for=(), at_most=1) == [first.pk]
    assert stored.due(deadline_passed(second, 1), except_for=[first.pk], at_most=9) == [second.pk]


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


# --- the thread ---


class Answers:
    """What the referee answers, in its order."""

    def __init__(self, ears) -> None:
        self.rulings: list[tuple[object, Ruling]] = []
        self._ear = ears.to("nowhere")

    def to(self, name):
        return lambda ruling: self.rulings.append((name, ruling))

    def wait_for(self, count):
        limit = time.monotonic() + PATIENCE_S
        while len(self.rulings) < count:
            assert time.monotonic() < limit, self.rulings
            self._ear.hear()

    @property
    def codes(self):
        return {name: ruling.code for name, ruling in self.rulings}


@pytest.fixture
def referee(transactional_db):
    referee = Referee()
    referee.start()
    yield referee
    referee.stop()


@pytest.fixture
def answers():
    with listening() as ears:
        yield Answers(ears)


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
    [(0, 1), (2, 1), (3, 2), (12, 2), (13, 1)],
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
    referee._taken = 3
    monkeypatch.setattr(time, "sleep", lambda _seconds: referee._queue.put(COME))
    referee._queue.put(None)
    referee._take()
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
    assert referee.ask(command(game, ann, "give", piece="5")) == Ruling(None, "", 1, None)


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
