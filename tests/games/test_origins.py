import pytest

from games.origins import allowed_origin


@pytest.fixture(autouse=True)
def site(settings):
    settings.ALLOWED_HOSTS = ["club.example", "[::1]", "127.0.0.1"]
    settings.ORIGINS = ["https://Friends.example"]


def headers(host, origin):
    return {
        name: value.encode()
        for name, value in {b"host": host, b"origin": origin}.items()
        if value is not None
    }


@pytest.mark.parametrize(
    ("host", "origin", "allowed"),
    [
        ("club.example", None, True),
        ("club.example", "http://club.example", True),
        ("Club.Example", "HTTP://CLUB.example", True),
        ("club.example:8000", "http://club.example:8000", True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("club.example", "https://friends.example", True),
        ("club.example", "https://club.example", False),
        ("club.example:8000", "http://club.example", False),
        ("club.example", "http://club.example:8000", False),
        ("club.example", "http://club.example.evil.example", False),
        ("club.example", "http://sub.club.example", False),
        ("club.example", "http://friends.example", False),
        ("club.example", "null", False),
        ("club.example", "", False),
        ("club.example", "club.example", False),
        ("evil.example", "http://evil.example", False),
        (None, "http://club.example", False),
        ("", "http://", False),
    ],
)
def test_an_origin_is_allowed_where_host_scheme_and_port_are_the_sites(host, origin, allowed):
    assert allowed_origin(headers(host, origin)) is allowed


def test_behind_https_the_own_origin_is_https(settings):
    settings.HTTPS = True
    assert allowed_origin(headers("club.example", "https://club.example"))
    assert not allowed_origin(headers("club.example", "http://club.example"))
