"""Other requests hold every connection to the database: the judging has its own, and readers are told."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx
import psycopg

from tests.clients import Match, Person
from tests.faults.form import FORM
from tests.faults.trial import trial
from tests.server import PATIENCE_S, running
from tests.services.pair import Node

POOL = 8
QUEUE = 2 * POOL  # requests at once
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
            over = threading.Event()
            with ThreadPoolExecutor(QUEUE) as pool, ExitStack() as stack:
                stack.callback(over.set)
                with nobody_is_recognised(database) as onlooker:
                    asked = [pool.submit(insist, ann, over) for _one in range(QUEUE)]
                    under.wait_until(lambda: ask_as_a_stranger(server, "/").status_code == 503)
                    onlooker.execute(END_THE_IDLE)  # what they had is taken by those who wait
                    busy = ask_as_a_stranger(server, "/api/players/ann/")
                    assert (busy.status_code, busy.json()["code"]) == (503, "unavailable")
                    match.play(next(script))
                    match.play(next(script))
                    over.set()
                with under.recovery():
                    answers = set().union(*(request.result() for request in asked))
            assert answers == {200, 503}
            assert ann.http.get("/api/games/").status_code == 200
        match.close()
        ann.http.close(), ben.http.close()


def insist(person, over):
    """Asks again and again; returns the statuses of the answers."""
    statuses = set()
    while not over.is_set():
        statuses.add(person.http.get("/api/games/").status_code)
    return statuses


def ask_as_a_stranger(server, path):
    return httpx.get(f"{server.url}{path}", trust_env=False, timeout=PATIENCE_S)
