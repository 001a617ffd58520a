"""Refusals and files carry the headers of the pages; the answers of all addresses are looked at in the matrix."""

import runpy
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path
from websockets.exceptions import InvalidStatus

from quarto_site.accounts import devices
from tests.access.headers import lacks
from tests.clients import Wire, http_client
from tests.quarto_site.conftest import PASSWORD, account

SETTINGS = Path(__file__).parent.parent.parent / "quarto_site/settings.py"


def fail(request):
    raise RuntimeError


urlpatterns = [path("fails/", fail), path("api/fails/", fail)]
handler500 = "quarto_site.views.server_error"


def lacking(response):
    return lacks(response.headers, response.cookies.values())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("get", "/nothing/", 404), ("get", "/api/nothing/", 404), ("options", "/rules/", 405),
        ("put", "/api/games/", 405),
        ("get", "/api/tokens/", 401), ("get", "/api/games/?status=x", 400), ("get", "/readyz", 503),
        ("get", "/tournaments/new", 301),
        ("post", "/accounts/sign-in/", 403), ("post", "/api/tokens/", 400),
    ],
)  # fmt: skip
def test_a_refusal_carries_them(method, address, status):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    response = getattr(client, method)(
        address, **({"content_type": "application/json"} if "/api/" in address else {})
    )
    assert (response.status_code, lacking(response)) == (status, [])


@pytest.mark.parametrize("address", ["/fails/", "/api/fails/"])
def test_a_failure_carries_them(settings, address):
    settings.ROOT_URLCONF = __name__
    response = Client(raise_request_exception=False).get(address)
    assert (response.status_code, lacking(response)) == (500, [])


@pytest.mark.django_db
def test_being_told_to_wait_carries_them(client, settings):
    settings.SIGN_INS_PER_MINUTE = 0
    body = {"username": "ann", "password": "wrong"}
    page = client.post("/accounts/sign-in/", body)
    program = client.post("/api/tokens/", body, content_type="application/json")
    assert [(one.status_code, lacking(one)) for one in (page, program)] == [(429, [])] * 2


@pytest.mark.django_db
def test_a_host_that_is_not_ours_gets_them(client, settings):
    settings.ALLOWED_HOSTS = ["quarto.example"]
    response = client.get("/", headers={"Host": "evil.example"})
    assert (response.status_code, lacking(response)) == (400, [])


@pytest.mark.django_db
def test_every_cookie_is_closed_to_scripts_and_other_sites(client):
    account("ann")
    client.get("/accounts/sign-in/")
    response = client.post("/accounts/sign-in/", {"username": "ann", "password": PASSWORD})
    assert response.cookies.keys() >= {"sessionid", "csrftoken", devices.COOKIE}
    assert lacking(response) == []


@pytest.mark.parametrize("https", [False, True])
def test_with_tls_no_cookie_travels_without(monkeypatch, settings, rf, https):
    monkeypatch.setenv("QUARTO_HTTPS", str(int(https)))
    read = runpy.run_path(str(SETTINGS))
    assert (read["SESSION_COOKIE_SECURE"], read["CSRF_COOKIE_SECURE"]) == (https, https)
    settings.HTTPS = https
    response = HttpResponse()
    devices.remember(rf.get("/"), response, "ann")
    assert bool(response.cookies[devices.COOKIE]["secure"]) is https


def test_files_and_refused_handshakes_carry_them(server):
    with http_client(server) as client:
        page = client.get("/").text
        address = page.split('src="/static/', 1)[1].split('"', 1)[0]
        file = client.get(f"/static/{address}")
        missing = client.get("/static/nothing.js")
    assert (file.status_code, lacks(file.headers, is_public=True)) == (200, [])
    assert (missing.status_code, lacks(missing.headers)) == (404, [])
    with pytest.raises(InvalidStatus) as refused:
        Wire(server, "/ws/lobby/", origin="https://evil.example")
    response = refused.value.response
    assert (response.status_code, lacks(response.headers)) == (403, [])
