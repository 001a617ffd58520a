"""What the settings' own checks find."""

from ipaddress import ip_network

import pytest

from quarto_site.checks import check_deployment, check_origins, check_processes, check_proxies
from tests.server import ROOT, manage

POSTGRES = {"default": {"ENGINE": "django.db.backends.postgresql"}}
SQLITE = {"default": {"ENGINE": "django.db.backends.sqlite3"}}
LAYER = {"default": {"BACKEND": "any"}}


def ids(found):
    return [message.id for message in found]


@pytest.mark.parametrize(
    ("databases", "layers", "found"),
    [
        (SQLITE, {}, []),
        (POSTGRES, LAYER, []),
        (SQLITE, LAYER, ["quarto.E001"]),
        (POSTGRES, {}, ["quarto.W001"]),
    ],
)
def test_the_database_and_the_layer_must_fit(settings, databases, layers, found):
    # Not through `override_settings` of the real database, which is in use.
    settings.CHANNEL_LAYERS = layers
    real, settings._wrapped.DATABASES = settings._wrapped.DATABASES, databases
    try:
        assert ids(check_processes()) == found
    finally:
        settings._wrapped.DATABASES = real


@pytest.mark.parametrize(
    "origin", ["club.example", "ftp://club.example", "https://", "https://club.example/play"]
)
def test_what_is_no_origin_is_refused(settings, origin):
    settings.ORIGINS = ["https://club.example:8443", origin]
    assert ids(check_origins()) == ["quarto.E002"]


@pytest.mark.parametrize(("network", "found"), [("10.1.0.0/16", []), ("0.0.0.0/0", ["E"]), ("::/0", ["E"])])
def test_a_proxy_that_is_everybody_is_refused(settings, network, found):
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1"), ip_network(network)]
    assert ids(check_proxies()) == ["quarto.E005" for _error in found]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, []),
        ({"DEBUG": True}, ["quarto.E003"]),
        ({"SECRET_KEY": "guess me"}, ["quarto.E004"]),
        ({"HTTPS": True, "TRUSTED_PROXIES": [ip_network("127.0.0.1")]}, []),
        (
            {"HTTPS": True, "TRUSTED_PROXIES": [ip_network("::1")], "ORIGINS": ["http://club.example"]},
            ["quarto.W002"],
        ),
        ({"HTTPS": True}, ["quarto.W003"]),
        ({"ALLOWED_HOSTS": ["club.example", "*"]}, ["quarto.W004"]),
    ],
)
def test_a_deployment_is_looked_at(settings, changed, found):
    settings.SECRET_KEY, settings.ALLOWED_HOSTS = "k" * 50, ["club.example"]
    for name, value in changed.items():
        setattr(settings, name, value)
    assert ids(check_deployment()) == found


def test_a_server_does_not_start_on_sqlite_with_a_layer(empty_database):
    run = manage(empty_database, "serve", "--bind", "127.0.0.1:0", redis_url="redis://127.0.0.1:1")
    assert run.returncode != 0
    assert "quarto.E001" in run.stderr


def documented(*, several=False):
    """The settings of the shipped environment; of several processes with the lines that are comments there."""
    text = (ROOT / "docs/deploy/quarto.env").read_text()
    lines = text.replace("# QUARTO_", "QUARTO_").splitlines() if several else text.splitlines()
    pairs = [line.partition("=") for line in lines if line.startswith("QUARTO_")]
    return {name.removeprefix("QUARTO_").lower(): value for name, _is, value in pairs}


@pytest.mark.parametrize(("several", "scheme"), [(False, "sqlite"), (True, "postgresql")])
def test_the_shipped_environment_has_nothing_to_complain_of(empty_database, several, scheme):
    settings = documented(several=several)
    assert settings["database_url"].startswith(scheme)
    settings["secret_key"] = "0123456789-abcdefghij-klmnopqrst-uvwxyz-ABCDEFGHIJ-KLMNOP"
    run = manage(empty_database, "check", "--deploy", "--fail-level", "WARNING", **settings)
    assert run.returncode == 0, run.stderr


def test_the_shipped_environment_does_not_start_without_a_key_of_its_own(empty_database):
    run = manage(empty_database, "check", **documented())
    assert run.returncode != 0
    assert "QUARTO_SECRET_KEY is missing" in run.stderr
