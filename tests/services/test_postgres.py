"""What only PostgreSQL does: several write at once, and a text with a NUL is refused."""

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import pytest
from psycopg_pool import ConnectionPool

from quarto_site.metrics import pool_numbers
from tests.services.people import people_at, play_by_post, verified


def test_games_that_end_together_in_two_processes_rate_each_once(server, postgres):
    with people_at(server, "eve", "finn", "gus", "hal") as people:
        games = []
        for one, two in permutations(people, 2):
            game_id = one.challenge(two, rated=True)
            play_by_post((one, two), game_id, "@5 a1 @6 b1")
            games.append((game_id, one))

        def resign(game):
            game_id, person = game
            return person.post_action(game_id, "resign", 4).json()

        with ThreadPoolExecutor(len(games)) as pool:
            replies = list(pool.map(resign, games))
        assert [reply["ok"] for reply in replies] == [True] * len(games), replies
    ids = [game_id for game_id, _person in games]
    changes = "SELECT count(*) FROM ratings_ratingchange WHERE game_id = ANY(?)"
    assert server.rows(changes, ids) == [(2 * len(games),)]
    assert verified(server)["differences"] == "0"
    assert "deadlock" not in postgres.log()


def test_an_operator_is_told_how_many_connections_are_used(postgres):
    with ConnectionPool(postgres.url("empty"), min_size=3, max_size=5, open=True) as pool:
        pool.wait()
        with pool.connection():
            connections, waiting = pool_numbers(pool.get_stats())
    assert {sample.labels["state"]: sample.value for sample in connections.samples} == {
        "idle": 2, "used": 1, "limit": 5,
    }  # fmt: skip
    assert [sample.value for sample in waiting.samples] == [0]


@pytest.mark.parametrize(
    "path",
    ["/api/games/%00/", "/api/players/%00/", "/tournaments/%00/", "/players/a%00/", "/api/games/?status=%00"],
)
def test_a_nul_in_an_address_finds_nothing(server, http, path):
    assert http.get(path).status_code in (400, 404)


PAUSING = """
from games.models import Game
from games.services.games import pause, resume
for reason in {1!r}:
    pause(game_ids=[{0!r}], reason=reason)
    print(ascii(Game.objects.get(pk={0!r}).pause_reason))
    resume(game_ids=[{0!r}])
"""


def test_every_text_is_written_as_it_is_but_for_a_nul(server):
    """A batch is written as one text, in which quotes, backslashes and the like must come to no harm."""
    reason = "\\u0000 \\ \" ' %s {} é \u2028 \U0001f600"
    with people_at(server, "zoe", "yann") as (zoe, yann):
        game_id = zoe.challenge(yann)
        ran = server.manage("shell", "-v0", "-c", PAUSING.format(game_id, [reason, f"a\0b {reason}"]))
    assert ran.stdout.splitlines() == [ascii(reason), ascii(f"a\ufffdb {reason}")], ran.stderr


WAITING = """
import socket
from django.db import connection
from games.connections import leave_the_pool
leave_the_pool()
connection.ensure_connection()
with socket.socket(fileno=connection.connection.fileno()) as tcp:
    for option in (socket.TCP_USER_TIMEOUT, socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT):
        print(tcp.getsockopt(socket.IPPROTO_TCP, option))
    tcp.detach()
"""


def test_a_machine_that_is_gone_is_not_waited_for(server):
    """Neither with something on the way to it nor for its answer; also by whoever judges."""
    ran = server.manage("shell", "-v0", "-c", WAITING)
    assert ran.stdout.split() == ["5000", "5", "2", "2"], ran.stderr
