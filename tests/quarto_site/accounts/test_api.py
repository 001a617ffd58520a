import pytest
from django.test import Client
from knox.models import AuthToken

from ratings.models import Player
from tests.quarto_site.conftest import PASSWORD

JSON = "application/json"


def post(client, path, body, **extra):
    return client.post(path, body, content_type=JSON, **extra)


def bearer(token):
    return {"headers": {"Authorization": f"Bearer {token}"}}


@pytest.fixture
def token(client, ann):
    return post(client, "/api/tokens/", {"username": "ann", "password": PASSWORD}).json()["token"]


@pytest.mark.django_db
def test_signing_up_answers_player_and_name(client):
    response = post(client, "/api/accounts/", {"username": "Ann", "password": PASSWORD})
    assert (response.status_code, response.json()) == (201, {"player": "Ann", "name": "Ann"})


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", "ａｎｎ"])
def test_a_taken_name_is_a_conflict(client, ann, name):
    response = post(client, "/api/accounts/", {"username": name, "password": PASSWORD})
    assert (response.status_code, response.json()["code"]) == (409, "name_taken")
    assert Player.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"username": "ann"},
        {"password": PASSWORD},
        {"username": 5, "password": PASSWORD},
        {"username": None, "password": PASSWORD},
        {"username": ["ann"], "password": PASSWORD},
        {"username": {"a": 1}, "password": PASSWORD},
        {"username": True, "password": PASSWORD},
        {"username": "ann", "password": 12345678},
        {"username": "ann", "password": None},
        {"username": "ann", "password": ""},
        {"username": "", "password": PASSWORD},
        {"username": "ann\x00", "password": PASSWORD},
        {"username": "cleo", "password": "four\x00in a row"},
        {"username": "x" * 5_000, "password": PASSWORD},
        {"username": "cleo", "password": "x" * 5_000},
        b"",
        b"no json",
        b"[]",
        b"null",
        b'"ann"',
        b"5",
        b"{",
        b"\xff\xfe",
        b'{"username": "ann\\ud800", "password": "four in a row"}',
        b'{"username": 1e999, "password": "four in a row"}',
        b'{"username": NaN, "password": "four in a row"}',
        b'{"username": ' + b"9" * 5_000 + b"}",
        b"[" * 20_000,
        b'{"a":' * 10_000,
        b'{"username": "ann", "password": "' + b"x" * 70_000 + b'"}',
        b'{"username": "ann", "password": "' + b"x" * 2_000_000 + b'"}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/accounts/", "/api/tokens/"])
def test_a_body_that_cannot_be_is_a_bad_request_in_words(client, path, body):
    response = post(client, path, body)
    assert response.status_code == 400
    assert response.json().keys() == {"code", "detail"}
    assert response.json()["code"] == "bad_request"
    assert response.json()["detail"]
    assert not Player.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        {"username": "a", "password": PASSWORD},
        {"username": "an\u202en", "password": PASSWORD},
        {"username": "аnn", "password": PASSWORD},
        {"username": "admin", "password": PASSWORD},
        {"username": "guest-1", "password": PASSWORD},
        {"username": "ann", "password": "short"},
        {"username": "ann", "password": "password"},
    ],
)
def test_a_name_or_password_that_cannot_be_one_is_a_bad_request_in_words(client, body):
    response = post(client, "/api/accounts/", body)
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
    assert not Player.objects.exists()


@pytest.mark.django_db
def test_a_form_is_no_json(client):
    response = client.post("/api/accounts/", {"username": "ann", "password": PASSWORD})
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.django_db
def test_too_many_sign_ups_are_told_to_wait(client, settings):
    settings.SIGNUPS_PER_HOUR = 0
    response = post(client, "/api/accounts/", {"username": "ann", "password": PASSWORD})
    assert (response.status_code, response.json()["code"]) == (429, "rate_limited")


def test_too_many_sign_ins_are_told_to_wait(client, ann, settings):
    settings.SIGN_INS_PER_MINUTE = 0
    response = post(client, "/api/tokens/", {"username": "ann", "password": PASSWORD})
    assert (response.status_code, response.json()["code"]) == (429, "rate_limited")


@pytest.mark.parametrize("name", ["Ann", "aNN"])
def test_a_token_is_given_for_name_and_password(client, ann, name):
    response = post(client, "/api/tokens/", {"username": name, "password": PASSWORD})
    assert response.status_code == 201
    assert response.json().keys() == {"token"}


@pytest.mark.parametrize(("name", "password"), [("ann", "wrong"), ("nobody", PASSWORD), ("аnn", PASSWORD)])
def test_wrong_credentials_get_no_token(client, ann, name, password):
    response = post(client, "/api/tokens/", {"username": name, "password": password})
    assert (response.status_code, response.json()["code"]) == (401, "wrong_credentials")
    assert not AuthToken.objects.exists()


def test_a_cookie_neither_helps_nor_hinders_a_program_that_signs_in(ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    response = post(client, "/api/tokens/", {"username": "ann", "password": PASSWORD})
    assert response.status_code == 201


def test_a_cookie_alone_may_read_but_not_write(ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    assert client.get("/api/tokens/").status_code == 200
    response = client.delete("/api/tokens/nothing/")
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


def test_ones_tokens_are_listed_without_their_secret(client, token, ben):
    response = client.get("/api/tokens/", **bearer(token))
    assert response.json()["count"] == 1
    row = response.json()["results"][0]
    assert row.keys() == {"token_key", "created"}
    assert row["token_key"] == token[:15]


def test_a_revoked_token_opens_nothing(client, token):
    assert client.delete(f"/api/tokens/{token[:15]}/", **bearer(token)).status_code == 204
    response = client.get("/api/tokens/", **bearer(token))
    assert (response.status_code, response.json()["code"]) == (401, "not_signed_in")


def test_another_persons_token_is_not_found(client, token, ben):
    client.force_login(ben)
    response = client.delete(f"/api/tokens/{token[:15]}/")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert AuthToken.objects.count() == 1


@pytest.mark.parametrize("method", ["get", "delete"])
def test_a_stranger_has_no_tokens(client, db, method):
    path = "/api/tokens/" if method == "get" else "/api/tokens/x/"
    response = getattr(client, method)(path)
    assert (response.status_code, response.json()["code"]) == (401, "not_signed_in")
    assert response["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Bearer a b", "Bearer \xff", "Bearer " + "0" * 5_000, "Bearer zz\xa0"]
)
def test_a_token_that_is_none_is_refused(client, token, header):
    response = client.get("/api/tokens/", headers={"Authorization": header})
    assert (response.status_code, response.json()["code"]) == (401, "not_signed_in")


def test_a_token_that_differs_in_its_end_is_refused(client, token):
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
    assert client.get("/api/tokens/", **bearer(wrong)).status_code == 401
