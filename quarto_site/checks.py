"""Checks of the settings that each command makes before it begins: what cannot go well stops it."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register

SHORTEST_KEY = 50  # as the framework's own check asks for


def check_processes(app_configs: Sequence[Any] | None = None, **options: Any) -> list[CheckMessage]:
    """A database and a way between the processes that fit each other."""
    is_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    has_layer = bool(settings.CHANNEL_LAYERS)
    if is_sqlite and has_layer:
        return [
            Error(
                "QUARTO_REDIS_URL is set, but the database is an SQLite file.",
                hint="Several processes need PostgreSQL (QUARTO_DATABASE_URL); one process needs no Redis.",
                id="quarto.E001",
            )
        ]
    if not is_sqlite and not has_layer:
        return [
            checks.Warning(
                "The database is PostgreSQL, but QUARTO_REDIS_URL is not set.",
                hint="One `serve` process works like this. Of several, each would hear of its own games only.",
                id="quarto.W001",
            )
        ]
    return []


def check_origins(app_configs: Sequence[Any] | None = None, **options: Any) -> list[CheckMessage]:
    """Origins as browsers send them."""
    return list(_wrong_origins())


def _wrong_origins() -> Iterator[CheckMessage]:
    for origin in settings.ORIGINS:
        parts = urlsplit(origin)
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or origin.rstrip("/") != (f"{parts.scheme}://{parts.netloc}")
        ):
            yield Error(
                f"QUARTO_ORIGINS: {origin!r} is no origin.",
                hint="An origin is a scheme and a host, and a port where it is not the usual one: https://club.example",
                id="quarto.E002",
            )


def check_proxies(app_configs: Sequence[Any] | None = None, **options: Any) -> list[CheckMessage]:
    """Proxies that one can have: not everybody."""
    return [
        Error(
            f"QUARTO_TRUSTED_PROXIES: {network} is everybody.",
            hint="Whoever is trusted may say where he comes from. Name the proxies in front: 127.0.0.1",
            id="quarto.E005",
        )
        for network in settings.TRUSTED_PROXIES
        if network.prefixlen == 0
    ]


def check_deployment(app_configs: Sequence[Any] | None = None, **options: Any) -> list[CheckMessage]:
    """With `check --deploy`: what is right on one's own machine only."""
    found: list[CheckMessage] = []
    if settings.DEBUG:
        found.append(
            Error("QUARTO_DEBUG is set: strangers would see how the site is made.", id="quarto.E003")
        )
    if len(settings.SECRET_KEY) < SHORTEST_KEY:
        words = f"QUARTO_SECRET_KEY has fewer than {SHORTEST_KEY} characters and could be guessed."
        found.append(Error(words, id="quarto.E004"))
    if settings.HTTPS and any(origin.startswith("http:") for origin in settings.ORIGINS):
        words = "QUARTO_ORIGINS allows pages without TLS, though QUARTO_HTTPS is set."
        found.append(checks.Warning(words, id="quarto.W002"))
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        found.append(
            checks.Warning(
                "QUARTO_HTTPS is set, but no proxy is trusted: all visitors seem to come from one address.",
                hint="QUARTO_TRUSTED_PROXIES names the proxy in front: 127.0.0.1 where it is on this machine.",
                id="quarto.W003",
            )
        )
    if "*" in settings.ALLOWED_HOSTS:
        words = "QUARTO_ALLOWED_HOSTS lets every name be this site's."
        found.append(checks.Warning(words, id="quarto.W004"))
    return found


def register_all() -> None:
    register(check_processes, Tags.compatibility)
    register(check_origins, Tags.security)
    register(check_proxies, Tags.security)
    register(check_deployment, Tags.security, deploy=True)
