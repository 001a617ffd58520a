import asyncio

import pytest
from django.db import OperationalError, connection

from games.live import publisher
from games.models import Heartbeat
from games.relay import Relay
from games.servertime import now_ms
from games.services.maintenance import begin


def test_a_process_that_answers_is_alive(client):
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "alive"})


@pytest.mark.django_db
@pytest.mark.parametrize(("age_ms", "status"), [(0, 200), (1_000, 200), (6_000, 503)])
def test_a_server_is_ready_while_games_are_judged(client, age_ms, status):
    Heartbeat.objects.create(beat_ms=now_ms() - age_ms)
    response = client.get("/readyz")
    assert response.status_code == status
    assert response.json() == {
        "status": "ready" if status == 200 else "not ready", "database": True, "heartbeat": status == 200,
        "maintenance": False,
    }  # fmt: skip


@pytest.mark.django_db
def test_a_server_that_never_judged_is_not_ready(client):
    assert client.get("/readyz").status_code == 503


@pytest.mark.django_db
def test_a_server_without_its_database_is_not_ready(client):
    def away(*_query):
        raise OperationalError("unable to open database file")

    with connection.execute_wrapper(away):
        response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "not ready", "database": False, "heartbeat": False, "maintenance": None,
    }  # fmt: skip


@pytest.mark.django_db
def test_maintenance_is_said_and_sends_nobody_away(client):
    Heartbeat.objects.create(beat_ms=now_ms())
    begin()
    response = client.get("/readyz")
    assert (response.status_code, response.json()["maintenance"]) == (200, True)


@pytest.mark.django_db
@pytest.mark.parametrize("is_away", [True, False])
def test_a_process_that_does_not_hear_the_others_says_so_and_stays_ready(client, is_away):
    """Moves are judged and boards go on without Redis: nobody is sent away for it."""
    Heartbeat.objects.create(beat_ms=now_ms())
    loop = asyncio.new_event_loop()
    relay = Relay(layer=None, ears=None)
    relay.away = is_away
    publisher.start(loop, relay)
    try:
        response = client.get("/readyz")
    finally:
        publisher.stop()
        loop.close()
    assert (response.status_code, response.json()["layer"]) == (200, not is_away)
