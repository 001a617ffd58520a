"""A whole tournament on PostgreSQL, with everything that is told of it from one process heard at the other."""

import json

from tests.clients import Wire
from tests.server import manage
from tests.services.people import verified


def test_a_tournament_is_played_through_and_heard_at_the_other_process(server):
    run = server.manage("simulate", "--url", server.url, "--players", "6", "--rounds", "2", "--json")
    assert run.returncode == 0, run.stdout + run.stderr
    assert json.loads(run.stdout)["games"] == 6
    assert verified(server)["differences"] == "0"


def test_a_seek_is_seen_in_the_lobby_of_the_other_process(server, ann):
    lobby = Wire(server.other, "/ws/lobby/", origin=server.other.url)
    assert lobby.receive_kind("seeks")["seeks"] == []
    for http_server in server.both:
        asked = ann.http.post(f"{http_server.url}/api/challenges/", json={"opponent": None})
        assert asked.status_code == 201
        assert lobby.receive_kind("seeks")["seeks"][0]["id"] == asked.json()["id"]
    lobby.close()


def test_the_demo_club_is_made_once(postgres):
    database = postgres.create("demo", template="empty")
    assert "nothing was changed" not in manage(database, "demo", "--players", "8").stdout
    assert "nothing was changed" in manage(database, "demo", "--players", "8").stdout
    assert manage(database, "verify").returncode == 0
