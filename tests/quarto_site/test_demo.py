"""The demo club: honest games, every state of a tournament, made once."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from games.models import Challenge, Game
from games.notation import read_position
from quarto_site.accounts.services import open_account
from quarto_site.demo.people import NAMES, ORGANISER, PASSWORD
from ratings.models import Player, RatingChange
from tournaments.models import AuditEvent, Club, Tournament

pytestmark = pytest.mark.django_db

EVERYTHING = (User, Player, Game, Challenge, RatingChange, Club, Tournament, AuditEvent)


def demo(*arguments):
    out = StringIO()
    call_command("demo", "--players", "8", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def printed():
    return demo()


def test_demo_makes_a_finished_a_running_and_an_open_tournament_and_seeks(printed):
    states = {
        tournament.name: tournament.status for tournament in Tournament.objects.filter(club__isnull=False)
    }
    assert states == {"Autumn Swiss": "complete", "Slow Evening": "running", "Club Night": "published"}
    assert Challenge.objects.filter(state="open", opponent=None).count() == 3
    assert RatingChange.objects.exists()


def test_demo_prints_the_log_ins(printed, client):
    for name in (ORGANISER, *NAMES[:8]):
        assert f"{name} " in printed
    assert client.login(username=ORGANISER, password=PASSWORD)
    assert client.login(username="Ann", password=PASSWORD)


def test_the_proof_holds_for_everything_in_it(printed):
    out = StringIO()
    call_command("verify", stdout=out)
    assert "differences: 0" in out.getvalue()


def test_the_first_player_has_a_line_that_her_opponent_overlooked(printed):
    boards = Game.objects.filter(status="live")
    game = next(game for game in boards if "Ann" in (game.seat1.username, game.seat2.username))
    position = read_position(game.position)
    assert position.claimable()
    assert (game.seat1, game.seat2)[position.to_act - 1].username == "Ann"


def test_no_game_in_it_runs_out_within_the_first_half_hour(printed):
    for game in Game.objects.exclude(status="over"):
        assert game.deadline_ms - game.mark_ms >= 1_800_000


def test_games_of_the_past_were_not_played_in_the_future(printed):
    newest = Game.objects.order_by("-created_ms").first()
    for game in Game.objects.filter(status="over"):
        assert game.created_ms < game.ended_ms
        assert game.mark_ms <= game.ended_ms
        assert game.created_ms <= newest.created_ms


def test_a_second_call_changes_nothing_and_says_so(printed):
    before = [list(model.objects.order_by("pk").values()) for model in EVERYTHING]
    again = demo("--seed", "8")
    assert "nothing was changed" in again
    assert [list(model.objects.order_by("pk").values()) for model in EVERYTHING] == before
    assert again.endswith(printed)


def test_a_demo_name_that_belongs_to_somebody_is_refused():
    open_account(username="Ann", password="somebody else's", address="test")
    with pytest.raises(CommandError, match="Ann is taken"):
        demo()
    assert not Club.objects.exists()


def test_too_few_players_are_refused():
    with pytest.raises(CommandError, match="between"):
        call_command("demo", "--players", "3")
