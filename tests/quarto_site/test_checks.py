"""What the settings' own checks find."""

import pytest

from quarto_site.checks import check_deployment, check_origins, check_processes
from tests.server import manage

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


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, []),
        ({"DEBUG": True}, ["quarto.E003"]),
        ({"SECRET_KEY": "guess me"}, ["quarto.E004"]),
        ({"HTTPS": True, "ORIGINS": ["http://club.example"]}, ["quarto.W002"]),
    ],
)
def test_a_deployment_is_looked_at(settings, changed, found):
    settings.SECRET_KEY = "k" * 50
    for name, value in changed.items():
        setattr(settings, name, value)
    assert ids(check_deployment()) == found


def test_a_server_does_not_start_on_sqlite_with_a_layer(empty_database):
    run = manage(empty_database, "serve", "--bind", "127.0.0.1:0", redis_url="redis://127.0.0.1:1")
    assert run.returncode != 0
    assert "quarto.E001" in run.stderr


def test_a_proper_deployment_has_nothing_to_complain_of(empty_database):
    key = "0123456789-abcdefghij-klmnopqrst-uvwxyz-ABCDEFGHIJ-KLMNOP"
    settings = {"secret_key": key, "https": "1", "origins": "https://club.example"}
    run = manage(empty_database, "check", "--deploy", "--fail-level", "WARNING", **settings)
    assert run.returncode == 0, run.stderr
