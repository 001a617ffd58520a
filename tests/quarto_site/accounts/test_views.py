import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from quarto_site.models import EndedAccess
from ratings.models import Player
from tests.quarto_site.conftest import PASSWORD


def is_signed_in(client):
    return SESSION_KEY in client.session


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["sign_up", "sign_in"])
def test_a_stranger_gets_the_form(client, name):
    response = client.get(reverse(name))
    assert response.status_code == 200
    assert b'name="username"' in response.content
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("name", ["account", "password_change"])
def test_a_stranger_is_sent_to_sign_in(client, db, name):
    response = client.get(reverse(name))
    assert response["Location"] == f"{reverse('sign_in')}?next={reverse(name)}"


@pytest.mark.parametrize("name", ["sign_up", "sign_in"])
def test_who_is_signed_in_goes_on(client, ann, name):
    client.force_login(ann)
    assert client.get(reverse(name))["Location"] == "/"


@pytest.mark.django_db
def test_signing_up_signs_in(client):
    response = client.post(reverse("sign_up"), {"username": "Ann", "password": PASSWORD})
    assert response["Location"] == "/"
    assert is_signed_in(client)
    assert Player.objects.get().username == "Ann"


@pytest.mark.parametrize(
    ("username", "password", "field", "words"),
    [
        ("", PASSWORD, "username", "This field is required."),
        ("a", PASSWORD, "username", "A name has at least 2 characters."),
        ("x" * 10_000, PASSWORD, "username", "A name has at most 32 characters."),
        ("<script>alert(1)</script>", PASSWORD, "username", "A name is made of letters"),
        ("ann\x00", PASSWORD, "username", "Null characters are not allowed."),
        ("ann\u202egnp", PASSWORD, "username", "A name is made of letters"),
        ("аnn", PASSWORD, "username", "this one mixes several"),
        ("ANN", PASSWORD, "username", "This name is taken"),
        ("cleo", "", "password", "This field is required."),
        ("cleo", "b@ref", "password", "too short"),
        ("cleo", "x" * 10_000, "password", "at most 128"),
    ],
)
def test_a_sign_up_that_cannot_be_says_so_beside_the_field(client, ann, username, password, field, words):
    response = client.post(reverse("sign_up"), {"username": username, "password": password})
    assert response.status_code == 200
    assert any(words in error for error in response.context["form"].errors[field])
    assert b"<script>alert" not in response.content
    assert password == "" or password.encode() not in response.content
    assert not is_signed_in(client)
    assert Player.objects.count() == 1


def test_what_was_typed_is_kept_but_not_the_password(client, ann):
    response = client.post(reverse("sign_up"), {"username": "Ann", "password": PASSWORD})
    assert b'value="Ann"' in response.content
    assert PASSWORD.encode() not in response.content


def test_signing_in_goes_where_one_wanted_to_go(client, ann):
    response = client.post(f"{reverse('sign_in')}?next=/accounts/", {"username": "aNN", "password": PASSWORD})
    assert response["Location"] == "/accounts/"
    assert is_signed_in(client)


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org/", "javascript:alert(1)", "\\\\x"]
)
def test_signing_in_never_leads_to_another_site(client, ann, elsewhere):
    fields = {"username": "Ann", "password": PASSWORD, "next": elsewhere}
    assert client.post(reverse("sign_in"), fields)["Location"] == "/"


@pytest.mark.parametrize("words", ["four in a row", "account", "x.y", "?page=2"])
def test_what_is_no_path_leads_home(client, ann, words):
    fields = {"username": "Ann", "password": PASSWORD, "next": words}
    assert client.post(reverse("sign_in"), fields)["Location"] == "/"
    assert client.get(reverse("sign_in"), {"next": words})["Location"] == "/"


def test_a_wrong_password_is_refused_in_words(client, ann):
    response = client.post(reverse("sign_in"), {"username": "Ann", "password": "wrong"})
    assert response.status_code == 200
    assert response.context["form"].non_field_errors() == ["Name and password do not fit together."]
    assert not is_signed_in(client)


def test_signing_in_makes_a_new_session_key(client, ann):
    client.get(reverse("sign_in"))
    session = client.session
    session["x"] = 1
    session.save()
    before = client.session.session_key
    client.cookies["sessionid"] = before
    client.post(reverse("sign_in"), {"username": "Ann", "password": PASSWORD})
    assert client.session.session_key != before


def test_signing_out_closes_the_sockets_of_this_session(
    client, ann, ears, django_capture_on_commit_callbacks
):
    client.force_login(ann)
    ear, other = ears.to(f"session:{client.session.session_key}"), ears.to("session:another")
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(reverse("sign_out"))
    assert response["Location"] == "/"
    assert not is_signed_in(client)
    assert ear.hear().closed == [4001]
    assert other.closed == []


@pytest.mark.django_db
def test_of_a_stranger_who_signs_out_nothing_is_kept_whatever_his_cookie_says(client):
    client.cookies["sessionid"] = "x" * 3_000
    assert client.post(reverse("sign_out")).status_code == 302
    assert not EndedAccess.objects.exists()


def test_nobody_is_signed_out_by_a_link(client, ann):
    client.force_login(ann)
    assert client.get(reverse("sign_out")).status_code == 405
    assert is_signed_in(client)


def test_a_form_without_its_csrf_token_is_refused_in_words(ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    response = client.post(reverse("sign_out"))
    assert response.status_code == 403
    assert b"This form is out of date" in response.content
    assert is_signed_in(client)


def test_changing_the_password_keeps_this_session_and_ends_the_others(
    client, ann, ears, django_capture_on_commit_callbacks
):
    other = Client()
    for one in (client, other):
        one.force_login(ann)
    ear = ears.to(f"user:{ann.pk}")
    fields = {"old_password": PASSWORD, "new_password": "sixteen pieces", "next": "/accounts/"}
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(reverse("password_change"), fields)
    assert response["Location"] == "/accounts/"
    assert client.get(reverse("account")).status_code == 200
    assert other.get(reverse("account")).status_code == 302
    assert ear.hear().closed == [4001]
    ann.refresh_from_db()
    assert ann.check_password("sixteen pieces")


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("wrong", "sixteen pieces", "old_password"),
        (PASSWORD, "short", "new_password"),
        (PASSWORD, "Ann", "new_password"),
        ("", "", "old_password"),
        ("x" * 10_000, "sixteen pieces", "old_password"),
    ],
)
def test_a_password_that_cannot_be_changed_says_why(client, ann, old, new, field):
    client.force_login(ann)
    response = client.post(reverse("password_change"), {"old_password": old, "new_password": new})
    assert response.status_code == 200
    assert field in response.context["form"].errors
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)


def test_a_new_token_is_shown_once(client, ann):
    client.force_login(ann)
    made = client.post(reverse("token_make"))
    token = made.context["new_token"]
    assert token.encode() in made.content
    assert "no-store" in made["Cache-Control"]
    later = client.get(reverse("account"))
    assert token.encode() not in later.content
    assert token[:15].encode() in later.content


def test_a_token_is_revoked_on_the_page(client, ann):
    client.force_login(ann)
    key = client.post(reverse("token_make")).context["new_token"][:15]
    response = client.post(reverse("token_revoke", args=[key]), follow=True)
    assert b"The token is revoked." in response.content
    assert not AuthToken.objects.exists()


def test_anothers_token_is_not_revoked(client, ann, ben):
    client.force_login(ann)
    key = client.post(reverse("token_make")).context["new_token"][:15]
    client.force_login(ben)
    response = client.post(reverse("token_revoke", args=[key]), follow=True)
    assert b"You have no such token." in response.content
    assert AuthToken.objects.count() == 1
