"""Whose address counts, behind proxies and in front of none."""

import asyncio
from ipaddress import ip_network

import pytest
from django.core.exceptions import ImproperlyConfigured

from quarto_site import environment
from quarto_site.proxies import BehindProxies, visitor

NEAR, FAR = ip_network("127.0.0.1"), ip_network("10.1.0.0/16")


@pytest.mark.parametrize(
    ("peer", "hops", "address"),
    [
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", [" 192.0.2.7 "], "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.7", "10.1.2.3"], "192.0.2.7"),
        ("::ffff:127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        ("127.0.0.1", ["10.1.9.9", "10.1.2.3"], "10.1.9.9"),
        # written by strangers
        ("192.0.2.7", ["6.6.6.6"], "192.0.2.7"),
        ("192.0.2.7", ["6.6.6.6", "127.0.0.1"], "192.0.2.7"),
        ("127.0.0.1", ["6.6.6.6", "192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["6.6.6.6", "192.0.2.7", "10.1.2.3"], "192.0.2.7"),
        ("127.0.0.1", ["127.0.0.1", "192.0.2.7"], "192.0.2.7"),
        # no addresses
        ("127.0.0.1", ["6.6.6.6", "unknown"], "127.0.0.1"),
        ("127.0.0.1", ["6.6.6.6", ""], "127.0.0.1"),
        ("127.0.0.1", ["6.6.6.6", "nonsense", "10.1.2.3"], "10.1.2.3"),
        ("/run/socket", ["6.6.6.6"], "/run/socket"),
    ],
)
def test_the_visitor_is_the_last_hop_that_no_trusted_proxy_is(peer, hops, address):
    assert visitor(peer, hops, [NEAR, FAR]) == address


def seen(kind, *headers, peer="127.0.0.1", trusted=(NEAR,), https=False):
    """The scope as the site gets it."""
    scopes = []

    async def site(scope, receive, send):
        scopes.append(scope)

    scope = {"type": kind, "scheme": "http", "client": [peer, 5000], "headers": list(headers)}
    asyncio.run(BehindProxies(site, trusted=trusted, https=https)(scope, None, None))
    return scopes[0]


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_pages_and_sockets_see_the_same_visitor(kind):
    header = (b"x-forwarded-for", b"6.6.6.6, 192.0.2.7")
    assert seen(kind, header)["client"] == ["192.0.2.7", 0]
    assert seen(kind, header, peer="192.0.2.9")["client"] == ["192.0.2.9", 5000]


def test_a_header_that_comes_twice_is_one_list():
    """A proxy that adds a line of its own has the last word."""
    assert seen("http", (b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"192.0.2.7"))["client"] == [
        "192.0.2.7",
        0,
    ]


def test_where_no_proxy_is_trusted_the_connection_counts():
    assert seen("http", (b"x-forwarded-for", b"6.6.6.6"), trusted=())["client"] == ["127.0.0.1", 5000]


@pytest.mark.parametrize(("kind", "scheme"), [("http", "https"), ("websocket", "wss")])
def test_whether_there_is_tls_is_a_setting_and_no_header(kind, scheme):
    assert seen(kind, (b"x-forwarded-proto", b"http"), https=True)["scheme"] == scheme
    assert seen(kind, (b"x-forwarded-proto", b"https"))["scheme"] == "http"


def test_the_sign_in_of_a_page_counts_the_visitor(client, settings, db):
    """Django's own REMOTE_ADDR is the address that `BehindProxies` has found."""
    settings.SIGN_INS_PER_MINUTE = 1
    for address, status in [("192.0.2.71", 401), ("192.0.2.71", 429), ("192.0.2.72", 401)]:
        answer = client.post(
            "/api/tokens/",
            {"username": "nobody", "password": "four in a row"},
            content_type="application/json",
            REMOTE_ADDR=address,
        )
        assert answer.status_code == status, answer.content


@pytest.mark.parametrize(
    ("text", "networks"),
    [("", []), ("127.0.0.1, 10.1.0.0/16", [NEAR, FAR]), ("::1", [ip_network("::1")])],
)
def test_networks_are_read_from_the_environment(monkeypatch, text, networks):
    monkeypatch.setenv("QUARTO_TRUSTED_PROXIES", text)
    assert environment.networks("QUARTO_TRUSTED_PROXIES") == networks


@pytest.mark.parametrize("text", ["localhost", "10.1.2.3/16", "127.0.0.1:80", "*"])
def test_what_is_no_network_stops_the_start_with_its_name(monkeypatch, text):
    monkeypatch.setenv("QUARTO_TRUSTED_PROXIES", text)
    with pytest.raises(ImproperlyConfigured, match="QUARTO_TRUSTED_PROXIES"):
        environment.networks("QUARTO_TRUSTED_PROXIES")
