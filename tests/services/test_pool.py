"""Other requests hold every connection to the database: the judging has its own, and readers are told."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import psycopg

from tests.clients import Match, Person
from tests.faults.form import FORM
from tests.faults.trial import trial
from tests.server import running
from tests.services.pair import Node

POOL = 8
QUEUE = 2 * POOL  # requests at once
WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
END_THE_IDLE = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "WHERE datname = current_database() AND wait_event_type IS DISTINCT FROM 'Lock' "
    "AND state = 'idle' AND pid <> pg_backend_pid()"
)


@contextmanager
def nobody_is_recognised(database):
    """Whoever looks a token up waits, and holds a connection while he does."""
    with psycopg.connect(database) as stranger, psycopg.connect(database, autocommit=True) as onlooker:
        stranger.execute("LOCK TABLE knox_authtoken IN ACCESS EXCLUSIVE MODE")
        yield onlooker


def test_the_pool_is_exhausted_and_games_go_on(postgres, redis, tmp_path):
    database = postgres.create("pool", template="empty")
    node = Node(tmp_path, database, redis_url=redis.url, database_pool=POOL)
    node.may_log_errors = True
    with running(node) as server, trial(server, "database pool exhausted", tables=2) as under:
        ann, ben = Person(server, "ann"), Person(server, "ben")
        match = Match(server, ann.challenge(ben), ann, ben)
        script = iter(("@5", "a1", "@6", "b1", "@7", "c1"))
        for _time in range(FORM.exhaustions):
            with ThreadPoolExecutor(QUEUE) as pool:
                with nobody_is_recognised(database) as onlooker:
                    asked = [pool.submit(ann.http.get, "/api/games/") for _request in range(QUEUE)]
                    under.wait_until(lambda: onlooker.execute(WAITING).fetchone()[0] >= POOL - 1)
                    onlooker.execute(END_THE_IDLE)  # the judging needs a new connection now
                    match.play(next(script))
                    assert httpx.get(f"{server.url}/healthz", trust_env=False).status_code == 200
                    assert httpx.get(f"{server.url}/", trust_env=False, timeout=20).status_code == 503
                    busy = httpx.get(f"{server.url}/api/players/ann/", trust_env=False, timeout=20)
                    assert (busy.status_code, busy.json()["code"]) == (503, "unavailable")
                    match.play(next(script))
                with under.recovery():
                    answers = {request.result().status_code for request in asked}
            assert answers <= {200, 503}
            assert ann.http.get("/api/games/").status_code == 200
        match.close()
        ann.http.close(), ben.http.close()
