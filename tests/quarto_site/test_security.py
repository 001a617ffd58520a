import logging

import pytest
from asgiref.sync import async_to_sync
from django.http import HttpResponse
from django.test import AsyncClient, Client

from quarto_site import settings as site
from quarto_site.security import (
    SITE_POLICY,
    ContentSecurityPolicyMiddleware,
    WithoutStrangersTraces,
    policy,
    with_headers,
)

PAGES = [
    "/",
    "/rules/",
    "/about/",
    "/accounts/sign-in/",
    "/accounts/sign-up/",
    "/nothing/",
    "/api/nothing/",
    "/healthz",
]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_every_answer_keeps_to_the_sites_policy(client, path):
    response = client.get(path)
    assert response["Content-Security-Policy"] == SITE_POLICY
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]
    assert "private" in response["Cache-Control"]


def test_the_policy_allows_nothing_from_elsewhere_and_nothing_inline():
    assert SITE_POLICY.startswith(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    )
    assert "unsafe" not in SITE_POLICY
    assert "http" not in SITE_POLICY


def test_a_view_may_set_its_own_policy():
    own = policy(style_src="'self' 'unsafe-inline'")
    response = with_headers(HttpResponse(headers={"Content-Security-Policy": own}))
    assert response["Content-Security-Policy"] == own
    assert own == SITE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


@pytest.mark.django_db(transaction=True)
def test_the_headers_are_added_where_the_server_is_asynchronous():
    response = async_to_sync(AsyncClient().get)("/healthz")
    assert response["Content-Security-Policy"] == SITE_POLICY


def test_the_middleware_answers_as_the_view_behind_it_does():
    assert ContentSecurityPolicyMiddleware(lambda _request: HttpResponse())(None)["Content-Security-Policy"]


def test_what_strangers_cause_is_logged_without_a_trace():
    fault = ValueError("Invalid HTTP_HOST header")
    strangers, ours = (
        logging.LogRecord(name, logging.ERROR, "", 0, "x", (), (ValueError, fault, None))
        for name in ("django.security.DisallowedHost", "django.request")
    )
    for record in (strangers, ours):
        assert WithoutStrangersTraces().filter(record)
    assert strangers.exc_info is None
    assert ours.exc_info is not None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "words"),
    [("/accounts/sign-up/", b"could not read this request"), ("/api/nothing/", b'"not_found"')],
)
def test_a_form_of_a_megabyte_is_refused_in_words(path, words):
    client = Client(raise_request_exception=False)
    response = client.post(path, {"username": "x" * 2_000_000, "password": "y"})
    assert response.status_code == (400 if b"could" in words else 404)
    assert words in response.content


@pytest.mark.django_db
def test_a_host_that_is_not_ours_is_refused(settings):
    settings.ALLOWED_HOSTS = ["quarto.example"]
    client = Client(raise_request_exception=False)
    page, api = (client.get(path, headers={"Host": "evil.example"}) for path in ("/", "/api/games/"))
    assert (page.status_code, api.status_code) == (400, 400)
    assert b"could not read this request" in page.content
    assert api.json()["code"] == "bad_request"


def test_passwords_are_hashed_by_argon2_where_the_site_is_served():
    """Tests hash by something cheaper, so that nothing else would notice."""
    assert site.PASSWORD_HASHERS[0] == "django.contrib.auth.hashers.Argon2PasswordHasher"
