"""A database of the previous release with live games in every phase, upgraded and played on to their ends."""

from contextlib import ExitStack

import pytest

from quarto_site.demo.people import ORGANISER
from quarto_site.demo.people import PASSWORD as DEMO_PASSWORD
from tests.clients import PASSWORD, Match
from tests.faults.test_outage import credits_in
from tests.server import Server, collect_static_files, manage, running
from tests.upgrade.phases import OVER, PAUSED, PHASES
from tests.upgrade.release import Returning, restore

SLOW = "/api/tournaments/slow-evening"
LET_GO = "from games.services.games import resume; resume(game_ids=[{0!r}])"


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory):
    """A server of today on the old database, its games by phase, and what they were like before."""
    folder = tmp_path_factory.mktemp("upgrade")
    old = folder / "old.sqlite3"
    games = restore(old)
    assert "lacks migrations" in manage(old, "serve", "--bind", "127.0.0.1:0").stderr
    for command in (("migrate", "--verbosity", "0"), ("verify",)):
        run = manage(old, *command)
        assert run.returncode == 0, run.stdout + run.stderr
    collect_static_files(old)
    with running(Server(folder, old)) as server:
        yield server, games
        proof = server.manage("verify")
        assert proof.returncode == 0, proof.stdout


def test_every_running_game_is_played_on_to_its_end(upgraded):
    server, games = upgraded
    with ExitStack() as stack:
        players = [Returning(server, name, PASSWORD) for name in ("annika", "benno")]
        for player in players:
            stack.callback(player.http.close)
        for name, phase in PHASES.items():
            match = Match(server, games[name], *players)
            stack.callback(match.close)
            before = match.watcher.state
            assert len(credits_in(before["record"])) == 1, name  # of the time since the snapshot
            match.play(phase.after)
            after = match.watcher.state
            assert (after["result"], after["termination"]) == (phase.result, phase.termination), name
            assert after["record"].startswith(before["record"])
        held = players[0].http.get(f"/api/games/{games[PAUSED]}/").json()["state"]
        assert (held["status"], held["clock"]["paused"]["reason"]) == ("paused", "a lamp fell")
        assert credits_in(held["record"]) == []
        let_go = server.manage("shell", "-v0", "-c", LET_GO.format(games[PAUSED]))
        assert let_go.returncode == 0, let_go.stderr
        match = Match(server, games[PAUSED], *players)
        stack.callback(match.close)
        assert match.play("a1 R2")["result"] == "1-0"
        ended = players[0].http.get(f"/api/games/{games[OVER]}/").json()["state"]
        assert (ended["result"], ended["seq"]) == ("0-1", 3)


def test_the_round_of_a_running_tournament_is_played_to_its_end(upgraded):
    server, _games = upgraded
    with ExitStack() as stack:
        organiser = Returning(server, ORGANISER, DEMO_PASSWORD)
        stack.callback(organiser.http.close)
        number = max(one["number"] for one in organiser.http.get(f"{SLOW}/rounds/").json()["results"])
        boards = organiser.http.get(f"{SLOW}/rounds/{number}/").json()["boards"]
        for board in boards:
            if board["result"] is None:
                game = organiser.http.get(f"/api/games/{board['game']}/").json()
                player = Returning(server, game["players"][0]["player"], DEMO_PASSWORD)
                stack.callback(player.http.close)
                reply = player.post_action(game["id"], "resign", game["state"]["seq"])
                assert reply.status_code == 200, reply.text
        paired = organiser.http.post(f"{SLOW}/rounds/")
        while paired.status_code == 409:  # the round is closed a moment after its last game
            paired = organiser.http.post(f"{SLOW}/rounds/")
        assert paired.status_code == 201, paired.text
        assert organiser.http.post(f"{SLOW}/rounds/{number + 1}/start/").status_code == 200
        table = organiser.http.get(f"{SLOW}/standings/").json()
        assert sum(float(line["points"]) for line in table) == number * len(table) / 2
