"""Reads settings from the environment; a bad value stops the start with its name."""

import os
from ipaddress import IPv4Network, IPv6Network, ip_network

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def flag(name: str, *, default: bool = False) -> bool:
    value = text(name).lower()
    if value in ("", "1", "true", "yes", "on", "0", "false", "no", "off"):
        return default if value == "" else value in ("1", "true", "yes", "on")
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def number(name: str, default: int, *, least: int = 0) -> int:
    value = text(name) or str(default)
    if not (value.isascii() and value.isdigit()) or int(value) < least:
        raise ImproperlyConfigured(f"{name} must be a whole number of at least {least}, not {value!r}.")
    return int(value)


def words(name: str, default: str = "") -> list[str]:
    """A list separated by commas or spaces."""
    return text(name, default).replace(",", " ").split()


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """A list of addresses (`127.0.0.1`) and networks (`10.1.0.0/16`)."""
    try:
        return [ip_network(word) for word in words(name)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must list addresses and networks: {error}.") from error


def choice(name: str, choices: tuple[str, ...]) -> str:
    """One of `choices`, the first by default."""
    value = text(name, choices[0]).upper()
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value
