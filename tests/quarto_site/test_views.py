import re

import pytest
from django.db import OperationalError
from django.test import Client

from games.services.games import Terms, new_game, start_games
from quarto_site import views

OUTSIDE = re.compile(r"""(?:src|href|action)=["'](?!https://www\.gacrux\.no/)(?:https?:)?//""")
INLINE = re.compile(r"<style|<script(?![^>]*(?:src=|application/json))|\sstyle=|\son\w+=|javascript:")


@pytest.mark.parametrize("path", ["/", "/rules/", "/about/", "/accounts/sign-in/", "/accounts/sign-up/"])
def test_a_stranger_sees_every_public_page(client, db, path):
    response = client.get(path)
    page = response.content.decode()
    assert response.status_code == 200
    assert page.count("<h1") == 1
    assert not OUTSIDE.search(page)
    assert not INLINE.search(page)


@pytest.mark.parametrize("path", ["/", "/challenges/", "/accounts/", "/accounts/password/"])
def test_a_player_sees_every_page_of_his(client, ann, path):
    client.force_login(ann)
    page = client.get(path).content.decode()
    assert page.count("<h1") == 1
    assert not OUTSIDE.search(page)
    assert not INLINE.search(page)


def test_an_account_without_a_player_watches_like_a_stranger(client, django_user_model):
    maintainer = django_user_model.objects.create(username="root")
    client.force_login(maintainer)
    assert client.get("/").status_code == 200
    response = client.post("/api/challenges/", {}, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


def test_the_lobby_is_never_kept_by_a_cache(client, db):
    assert "no-store" in client.get("/")["Cache-Control"]


def test_hostile_names_are_only_text(client, ann, ben):
    """Names cannot hold such letters; a page must not rely on it."""
    for user, name in ((ann, "<script>alert(1)</script>"), (ben, '"><img src=x onerror=alert(1)>')):
        user.player.name = name
        user.player.save()
    start_games([new_game(seat1=ann.player, seat2=ben.player, terms=Terms())])
    page = client.get("/").content
    assert b"<script>alert" not in page
    assert b"<img src=x" not in page


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [("/nothing/", 404, "nothing"), ("/games/%00/", 404, "nothing"), ("/players/nobody/", 404, "nothing")],
)
def test_what_is_not_there_is_said_in_words(client, db, path, status, words):
    response = client.get(path)
    assert response.status_code == status
    assert response["Content-Type"].startswith("text/html")
    assert response.content.decode().count("<h1") == 1


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/x/", "application/json"), ("/x/", "text/html; charset=utf-8")]
)
def test_a_fault_of_the_server_is_said_in_the_form_that_was_asked_for(rf, path, kind):
    response = views.server_error(rf.get(path))
    assert (response.status_code, response["Content-Type"]) == (500, kind)


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/x/", "application/json"), ("/x/", "text/html; charset=utf-8")]
)
def test_without_its_database_the_server_asks_for_another_try(rf, path, kind):
    try:
        raise OperationalError("no room")
    except OperationalError:
        response = views.server_error(rf.get(path))
    assert (response.status_code, response["Content-Type"]) == (503, kind)
    assert b"500" not in response.content


def test_a_forbidden_page_is_said_in_words(rf, ann):
    request = rf.get("/")
    request.user = ann
    response = views.forbidden(request, Exception())
    assert response.status_code == 403
    assert b"<h1" in response.content


def test_a_refused_csrf_check_under_api_is_json(ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    response = client.post("/api/challenges/", {}, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")
