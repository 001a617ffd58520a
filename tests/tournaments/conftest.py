from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from ratings.models import Player
from tests.tournaments.evening import person


@pytest.fixture
def ann(db: None) -> Player:
    """The organiser."""
    return person("Ann")


@pytest.fixture
def ben(db: None) -> Player:
    return person("Ben")


@pytest.fixture
def cleo(db: None) -> Player:
    return person("Cleo")


Sent = Callable[..., tuple[int, Any]]


@pytest.fixture
def sent(client: Client) -> Sent:
    """Sends a request to the API as a player (or a stranger, None); returns status and body."""

    def send(player: Player | None, method: str, path: str, body: object = None) -> tuple[int, Any]:
        client.logout()
        if player is not None:
            assert player.user is not None
            client.force_login(player.user)
        arguments = {} if method == "get" else {"data": body or {}, "content_type": "application/json"}
        response = getattr(client, method)(f"/api/tournaments/{path}", **arguments)
        return response.status_code, response.json() if response.content else None

    return send
