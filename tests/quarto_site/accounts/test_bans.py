"""An account that is closed to its owner."""

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken

from games.models import Challenge, Game
from games.services.challenges import accept
from quarto_site.accounts.services import AccountClosed, make_token, user_of
from quarto_site.models import EndedAccess
from quarto_site.services.bans import (
    BadReason,
    BannedAlready,
    NoSuchAccount,
    NotAllowed,
    NotBanned,
    ban,
    unban,
)
from tests.games.seats import challenge, seek
from tests.quarto_site.conftest import PASSWORD, account

HERE = "192.0.2.1"


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_whoever_is_banned_is_signed_out_of_everything_and_others_are_not(ann, ben):
    browser, other = signed_in(ann), signed_in(ben)
    bearer, others = make_token(user=ann), make_token(user=ben)
    ban(username="aNN", reason="  Two\n accounts ")
    for client, token, statuses in ((browser, bearer, (302, 401)), (other, others, (200, 200))):
        page = client.get("/accounts/")
        program = Client().get("/api/tokens/", headers={"Authorization": f"Bearer {token}"})
        assert (page.status_code, program.status_code) == statuses
    assert not AuthToken.objects.filter(user=ann).exists()


@pytest.mark.django_db(transaction=True)
def test_no_game_waits_while_the_sessions_of_the_site_are_looked_through():
    ann = account("Ann")
    signed_in(ann)
    with CaptureQueriesContext(connection) as queries:
        ban(username="ann")
    statements = [query["sql"] for query in queries]
    looks = [number for number, sql in enumerate(statements) if "django_session" in sql and "SELECT" in sql]
    assert min(looks) > statements.index("COMMIT")
    assert not Session.objects.exists()


def test_whoever_signs_in_while_he_is_banned_gets_no_token(ann):
    known = user_of(username="ann", password=PASSWORD, address=HERE)
    ban(username="ann")
    with pytest.raises(AccountClosed):
        make_token(user=known)
    assert not AuthToken.objects.exists()


def test_the_reason_is_said_to_whoever_knows_the_password(client, ann):
    ban(username="ann", reason="Two accounts")
    body = {"username": "ann", "password": PASSWORD}
    assert b"This account is closed: Two accounts" in client.post("/accounts/sign-in/", body).content
    program = client.post("/api/tokens/", body, content_type="application/json")
    assert (program.status_code, program.json()["code"]) == (403, "forbidden")
    wrong = client.post("/api/tokens/", body | {"password": "wrong"}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_credentials")


def test_sockets_of_the_banned_are_closed_here_and_found_elsewhere(
    ann, ears, django_capture_on_commit_callbacks
):
    ear = ears.to(f"user:{ann.pk}")
    with django_capture_on_commit_callbacks(execute=True):
        ban(username="ann")
    assert ear.hear().closed == [4001]
    assert [one.room for one in EndedAccess.objects.all()] == [f"user:{ann.pk}"]


def test_what_is_open_is_withdrawn_and_what_is_played_goes_on(ann, ben):
    running = accept(challenge_id=seek(ann.player).pk, player=ben.player).game
    made = [seek(ann.player), challenge(ann.player, ben.player), challenge(ben.player, ann.player)]
    kept = seek(ben.player)
    met = ban(username="ann")
    assert (met.username, met.running_games, met.challenges) == ("Ann", 1, 3)
    states = dict(Challenge.objects.values_list("pk", "state"))
    assert [states[one.pk] for one in made] == ["cancelled", "cancelled", "declined"]
    assert states[kept.pk] == "open"
    assert Game.objects.get(pk=running.pk).status == "waiting"


def test_a_ban_is_taken_back_but_no_session_or_token_comes_back(ann):
    browser, token = signed_in(ann), make_token(user=ann)
    ban(username="ann")
    with pytest.raises(BannedAlready):
        ban(username="ann")
    assert unban(username="ann") == "Ann"
    with pytest.raises(NotBanned):
        unban(username="ann")
    assert user_of(username="ann", password=PASSWORD, address=HERE) == ann
    assert browser.get("/accounts/").status_code == 302
    assert Client().get("/api/tokens/", headers={"Authorization": f"Bearer {token}"}).status_code == 401


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["ban", "unban"])
def test_nobody_else_is_banned_for_a_name_that_nobody_has(command):
    account("Olga")
    with pytest.raises(CommandError, match="no account of this name"):
        call_command(command, "0lga")
    with pytest.raises(NoSuchAccount):
        ban(username="")


@pytest.mark.parametrize("reason", ["x" * 201, "a\x1b[31m"])
def test_a_reason_is_one_short_line(ann, reason):
    with pytest.raises(BadReason):
        ban(username="ann", reason=reason)


def test_staff_are_banned_on_the_command_line_only(ann, ben):
    ann.is_staff = True
    ann.save()
    with pytest.raises(NotAllowed):
        ban(username="ann", by=ben)
    ban(username="ann")


def test_the_commands_say_what_they_did(ann, capsys):
    call_command("ban", "ann", "--reason", "Two accounts")
    assert capsys.readouterr().out.splitlines() == [
        "Ann is banned.",
        "Running games, which go on by their clocks: 0",
        "Open challenges, now withdrawn: 0",
    ]
    with pytest.raises(AccountClosed):
        user_of(username="ann", password=PASSWORD, address=HERE)
    call_command("unban", "ann")
    assert capsys.readouterr().out == "Ann may sign in again.\n"


def test_the_site_is_not_told_twice_what_has_ended_long_ago(ann):
    ban(username="ann")
    EndedAccess.objects.update(at="2020-01-01T00:00:00Z")
    unban(username="ann")
    ban(username="ann")
    assert EndedAccess.objects.count() == 1


@pytest.fixture
def staff(ben):
    ben.is_staff = True
    ben.save()
    return signed_in(ben)


def test_staff_ban_and_let_in_again_by_a_page(staff, ann):
    player = staff.get("/players/Ann/")
    assert b'href="/accounts/ban/Ann/"' in player.content
    done = staff.post("/accounts/ban/ann/", {"reason": "Two accounts"}, follow=True)
    assert "Ann is banned." in done.text
    assert "Two accounts" in done.text
    with pytest.raises(AccountClosed):
        user_of(username="ann", password=PASSWORD, address=HERE)
    assert "banned already" in staff.post("/accounts/ban/ann/", {"reason": ""}).text
    assert "may sign in again" in staff.post("/accounts/unban/ann/", follow=True).text
    assert user_of(username="ann", password=PASSWORD, address=HERE) == ann
    assert "is not banned" in staff.post("/accounts/unban/ann/", follow=True).text


def test_the_page_keeps_what_was_typed_and_knows_nobody_else(staff, ann, ben):
    page = staff.post("/accounts/ban/ann/", {"reason": "a\x1b[31mb"})
    assert "printable characters" in page.text
    assert staff.post("/accounts/ban/ben/", {}).text.count("on its command line only") == 1
    assert [
        staff.get("/accounts/ban/nobody/").status_code,
        staff.post("/accounts/unban/nobody/").status_code,
    ] == [404, 404]
    assert b"/accounts/ban/" not in signed_in(ann).get("/players/Ben/").content
