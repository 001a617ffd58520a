"""Maintenance: what it holds, what it lets go, what it refuses, and whom it tells."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from games import notice
from games.errors import UnderMaintenance
from games.hub import hub
from games.maintenance import Caretaker, hold, release
from games.models import Game, Heartbeat, HeldGame, Maintenance
from games.queries.maintenance import upkeep
from games.servertime import now_ms
from games.services import challenges
from games.services.games import Terms, adjudicate, new_game, pause, resume, start_games
from games.services.maintenance import BadNotice, begin, end
from tests.games.played import FULL
from tests.games.seats import finished, seek
from tests.games.tables import command, deadline_passed, fresh, rule, start


@pytest.fixture(autouse=True)
def _no_notice():
    yield
    notice.change(None)


def tended(caretaker=None):
    """What a referee does at its next look."""
    caretaker = caretaker or Caretaker()
    caretaker.look()
    caretaker.tend()


# --- holding and letting go ---


def test_every_running_game_is_paused_with_the_notice_as_the_reason(ann, ben):
    waiting, live = start(ann, ben), start(ann, ben, "5 a1")
    over = start(ann, ben, "5 a1")
    rule(command(over, ann, "resign"))
    begin(notice="Back at  nine.")
    tended()
    for game in (waiting, live):
        row = fresh(game)
        assert (row.status, row.pause_reason, row.deadline_ms) == ("paused", "Back at nine.", None)
        assert row.record.endswith("{arbiter: pause}")
    assert fresh(over).status == "over"
    assert set(HeldGame.objects.values_list("pk", flat=True)) == {waiting.pk, live.pk}


def test_only_what_maintenance_paused_goes_on_with_the_time_it_had(ann, ben):
    waiting, live, of_the_arbiter = start(ann, ben), start(ann, ben, "5 a1"), start(ann, ben, "5")
    pause(game_ids=[of_the_arbiter.pk], reason="a lamp fell")
    begin()
    tended()
    before = {game.pk: game.deadline_ms - fresh(game).paused_ms for game in (waiting, live)}
    moved = Game.objects.exclude(pk=of_the_arbiter.pk)  # as if it had taken an hour
    moved.update(paused_ms=F("paused_ms") - 3_600_000, mark_ms=F("mark_ms") - 3_600_000)
    end()
    earliest = now_ms()
    tended()
    latest = now_ms()
    for game, status in ((waiting, "waiting"), (live, "live")):
        row = fresh(game)
        assert (row.status, row.paused_ms) == (status, None)
        assert row.record.endswith("{arbiter: pause} {arbiter: resume}")
        assert earliest <= row.deadline_ms - before[game.pk] <= latest
    assert (fresh(of_the_arbiter).status, fresh(of_the_arbiter).pause_reason) == ("paused", "a lamp fell")
    assert not HeldGame.objects.exists()


def test_a_window_whose_time_is_up_is_left_to_the_sweep(ann, ben):
    """The claim that came at the last moment may still wait to be judged."""
    game = start(ann, ben, FULL)
    late_ms = now_ms() - deadline_passed(game, 1)
    Game.objects.update(mark_ms=F("mark_ms") + late_ms, deadline_ms=F("deadline_ms") + late_ms)
    in_time_ms = fresh(game).deadline_ms
    begin()
    tended()
    assert fresh(game).status == "live"
    assert rule(command(game, ann, "claim", at_ms=in_time_ms, line="a2-d2")) == [(None, game.seq + 1)]


def test_a_game_that_was_started_in_the_race_is_held_at_the_next_look(ann, ben):
    begin()
    tended()
    late = new_game(seat1=ann, seat2=ben, terms=Terms())
    Game.objects.bulk_create([late])  # its check came before the beginning, its commit after it
    tended()
    assert fresh(late).status == "paused"


def test_it_looks_once_a_second(ann, ben, django_assert_num_queries):
    start(ann, ben)
    caretaker = Caretaker()
    tended(caretaker)
    begin()
    with django_assert_num_queries(0):
        tended(caretaker)


def test_more_games_than_are_held_at_once_are_held_in_the_passes_that_follow(ann, ben, monkeypatch):
    monkeypatch.setattr("games.maintenance.AT_ONCE", 2)
    games = [start(ann, ben) for _board in range(5)]
    caretaker = Caretaker()
    begin()
    for done in (2, 4, 5):
        tended(caretaker)
        assert [fresh(game).status for game in games].count("paused") == done
    end()
    caretaker = Caretaker()
    for left in (3, 1, 0):
        tended(caretaker)
        assert HeldGame.objects.count() == left


def test_a_game_whose_time_is_up_is_left_to_the_sweep(ann, ben):
    game = start(ann, ben, "5")
    Game.objects.filter(pk=game.pk).update(mark_ms=game.mark_ms - 100_000, deadline_ms=now_ms() - 10_000)
    begin()
    tended()
    assert (fresh(game).status, HeldGame.objects.count()) == ("live", 0)


def test_two_processes_that_hold_the_same_games_hold_each_once(ann, ben):
    game = start(ann, ben)
    begin(notice="Back at nine.")
    assert len(hold([game.pk])) == 1
    assert hold([game.pk]) == []
    end()
    assert len(release([game.pk])) == 1
    assert release([game.pk]) == []
    assert fresh(game).record == "{arbiter: pause} {arbiter: resume}"


def test_who_has_not_heard_of_the_maintenance_yet_lets_nothing_go_and_of_its_end_holds_nothing(ann, ben):
    game = start(ann, ben)
    begin()
    assert len(hold([game.pk])) == 1
    assert release([game.pk]) == []
    assert fresh(game).status == "paused"
    end()
    release([game.pk])
    assert hold([game.pk]) == []
    assert fresh(game).status == "waiting"


def test_an_arbiter_may_end_a_held_game_and_it_is_struck_off(ann, ben):
    game = start(ann, ben, "5 a1")
    begin()
    tended()
    adjudicate(game_id=game.pk, result="1-0")
    end()
    tended()
    assert (fresh(game).result, HeldGame.objects.count()) == ("1-0", 0)


def test_a_game_that_cannot_be_read_spoils_no_other_and_is_said_once(ann, ben, caplog):
    games = [start(ann, ben) for _board in range(3)]
    Game.objects.filter(pk=games[1].pk).update(position="nonsense")
    begin()
    caretaker = Caretaker()
    for _look in range(2):
        caretaker._look_at = 0.0
        tended(caretaker)
    assert [fresh(game).status for game in games] == ["paused", "waiting", "paused"]
    [alarm] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert alarm.game == games[1].pk


def test_actions_wait_for_the_end(ann, ben):
    game = start(ann, ben)
    begin()
    tended()
    assert rule(command(game, ann, "give", piece="5")) == [("paused", 1)]
    end()
    tended()
    assert rule(command(game, ann, "give", at_ms=now_ms(), piece="5")) == [(None, 3)]


def test_no_deadline_passes_meanwhile(ann, ben):
    game = start(ann, ben, "5")
    late_ms = deadline_passed(game, 1)
    begin()
    tended()
    assert rule(command(game, ann, "flag", at_ms=late_ms)) == [("paused", 2)]


# --- refusals ---


def test_nothing_can_be_started(ann, ben, cleo):
    open_seek, played = seek(ann), finished(ann, ben)
    held = start(ann, ben)
    begin()
    tended()
    games, offers = Game.objects.count(), challenges.Challenge.objects.count()
    for start_it in (
        lambda: start_games([new_game(seat1=ann, seat2=ben, terms=Terms())]),
        lambda: challenges.create_challenge(challenger=ben, opponent=None, terms=Terms()),
        lambda: challenges.create_challenge(challenger=ben, opponent="cleo", terms=Terms()),
        lambda: challenges.accept(challenge_id=open_seek.pk, player=cleo),
        lambda: challenges.rematch(game_id=played.pk, player=ben),
        lambda: resume(game_ids=[held.pk]),
    ):
        with pytest.raises(UnderMaintenance) as refused:
            start_it()
        assert (refused.value.code, refused.value.status) == ("unavailable", 503)
    assert (Game.objects.count(), challenges.Challenge.objects.count()) == (games, offers)
    assert fresh(held).status == "paused"
    end()
    assert challenges.accept(challenge_id=open_seek.pk, player=cleo).game is not None


def test_what_starts_nothing_is_allowed(ann):
    offer = seek(ann)
    begin()
    challenges.cancel(challenge_id=offer.pk, player=ann)


def test_a_program_is_told_unavailable_and_a_page_says_why(client, ann):
    client.force_login(ann.user)
    begin()
    terms = {"rules": "L:F", "claims": "void", "control": "turn=60"}
    answer = client.post("/api/challenges/", {"opponent": None, **terms}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "under maintenance" in answer.json()["detail"]
    page = client.post(
        "/challenges/", {"opponent": "", "time": "turn=60", "lines": "L", "attributes": ["1", "2", "4", "8"]}
    ).content.decode()
    assert "The site is under maintenance" in page


# --- the notice ---


def test_everybody_is_told_of_the_beginning_a_change_and_the_end(db, ears):
    ear = ears.to("lobby")
    caretaker = Caretaker()
    for row in (None, "Back at nine.", "Back at nine.", "Back at ten.", None):
        Maintenance.objects.all().delete()
        if row is not None:
            begin(notice=row)
        caretaker._look_at = 0.0
        tended(caretaker)
    assert ear.hear().frames == [
        {"type": "notice", "maintenance": True, "text": "Back at nine."},
        {"type": "notice", "maintenance": True, "text": "Back at ten."},
        {"type": "notice", "maintenance": False, "text": ""},
    ]


def test_who_listens_in_two_rooms_is_told_once(db, ears):
    ear = ears.to("lobby")
    hub.join(ear, "user:1")
    begin()
    tended()
    hub.leave(ear, "user:1")
    assert len(ear.hear().frames) == 1


def test_pages_show_the_notice_as_text(client, db):
    assert 'id="maintenance" role="status" hidden></p>' in client.get("/rules/").content.decode()
    notice.change("Back <b>at nine</b>")
    assert (
        'id="maintenance" role="status">Back &lt;b&gt;at nine&lt;/b&gt;</p>'
        in client.get("/rules/").content.decode()
    )


def test_a_new_notice_keeps_the_beginning(db):
    assert begin(notice="one") is True
    Maintenance.objects.update(since_ms=7)
    assert begin(notice="two") is False
    assert Maintenance.objects.values_list("notice", "since_ms").get() == ("two", 7)
    assert (end(), end()) == (True, False)


@pytest.mark.parametrize("text", ["x" * 201, "a\x1b[2J", "a\u202eb"], ids=ascii)
def test_a_notice_is_one_line_of_print(db, text):
    with pytest.raises(BadNotice):
        begin(notice=text)
    assert not Maintenance.objects.exists()


# --- the command ---


def said(*arguments):
    out = StringIO()
    call_command("maintenance", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_without_a_server_it_is_noted_for_the_next_one(ann, ben):
    start(ann, ben)
    lines = said("on", "--notice", "Back at nine.")
    assert lines[0].startswith("maintenance: on since 20")
    assert lines[1:4] == ["notice: Back at nine.", "games held: 0", "games running: 1"]
    assert "next one to start" in lines[4]
    assert said("status") == lines
    assert said("off")[0] == "maintenance: off"
    assert said("off")[0] == "There was no maintenance."


def test_it_waits_until_the_servers_have_done_it_and_says_where_they_have_not(ann, ben, monkeypatch):
    Heartbeat.objects.create(beat_ms=now_ms())
    start(ann, ben)
    monkeypatch.setattr("quarto_site.management.commands.maintenance.PATIENCE_S", 0.0)
    with pytest.raises(CommandError, match="not yet"):
        said("on")
    tended()
    assert upkeep().is_settled
    assert said("on")[2:] == ["games held: 1", "games running: 0"]


def test_a_notice_that_cannot_be_shown_is_refused(db):
    with pytest.raises(CommandError, match="200 printable"):
        said("on", "--notice", "a\x1b[2J")
