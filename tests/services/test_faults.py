"""What breaks between several processes: one of them, the database, the channel layer."""

import itertools
from contextlib import ExitStack

import pytest

from tests.clients import Board, Match, Wire
from tests.live.test_access_ends import closed_in_time
from tests.server import let_pass
from tests.services.conftest import manage_migrated
from tests.services.machines import Postgres, Redis
from tests.services.pair import serving_pair
from tests.services.people import people_at, verified

HEALED_WITHIN_S = 5


@pytest.fixture(scope="module")
def machines(_binaries):
    """Services of one's own, since they break."""
    own = Postgres(), Redis()
    try:
        for machine in own:
            machine.start()
        manage_migrated(own[0].create("empty"))
        yield own
    finally:
        for machine in own:
            machine.remove()


@pytest.fixture(scope="module")
def servers(machines, tmp_path_factory):
    postgres, redis = machines
    database = postgres.create("faults", template="empty")
    with serving_pair(tmp_path_factory.mktemp("faults"), database, redis_url=redis.url) as pair:
        for server in pair.both:
            server.may_log_errors = True
        yield pair


@pytest.fixture
def sit(servers):
    """Seats two people who are new here, each at another process, and a watcher."""
    with ExitStack() as stack:

        def start(**terms):
            names = (f"player{next(numbers)}" for _seat in range(2))
            one, two = stack.enter_context(people_at(servers, *names))
            match = Match(servers, one.challenge(two, **terms), one, two)
            stack.callback(match.close)
            return match

        yield start


numbers = itertools.count(1)


def test_the_database_restarts_and_goes_away(servers, sit, machines):
    """Actions are refused meanwhile, nothing is lost, and the time is given back once."""
    postgres, _redis = machines
    match = sit(control="turn=4")
    match.play("@5")
    postgres.restart()
    reply = {"ok": False, "code": "unavailable", "seq": 1}
    while reply.get("code") in ("unavailable", "stale"):
        reply = match.two.act("place", seq=reply["seq"] or 1, square="a1")
    assert reply["ok"], reply
    seq = reply["seq"]
    postgres.stop()
    try:
        assert match.two.act("give", seq=seq, piece="6")["code"] == "unavailable"
        let_pass(4.5)  # past the deadline and its grace
    finally:
        postgres.start()
    match.reach(seq + 1)
    state = match.watcher.state
    assert (state["status"], state["to_act"]) == ("live", 2)
    credits_before = state["record"].count("{outage: +")
    assert match.two.act("give", seq=seq + 1, piece="6")["ok"]
    let_pass(1.5)  # both beat again
    assert match.two.sync()["record"].count("{outage: +") == credits_before
    assert verified(servers)["differences"] == "0"


def test_one_of_two_dies_and_that_is_no_outage(servers, sit):
    match = sit()
    match.play("@5")
    dying, alive = servers.both
    dying.kill()
    match.two.close(), match.watcher.close()
    match.boards[2] = _board_at(alive, match.id, match.persons[2])
    match.watcher = Board(alive, match.id)
    let_pass(3)  # longer than what would be an outage
    assert match.two.act("place", square="a1")["ok"]
    state = match.two.sync()
    assert (state["seq"], "{outage" in state["record"]) == (2, False)
    dying.start()
    match.one.close()
    match.boards[1] = _board_at(dying, match.id, match.persons[1])
    assert match.play("@6 b1")["record"].count("{outage") == 0


def test_while_redis_is_away_moves_are_judged_and_boards_heal_by_themselves(servers, sit, machines):
    _postgres, redis = machines
    match = sit()
    match.play("@5")
    redis.stop()
    try:
        assert match.two.act("place", square="a1")["ok"]
        assert match.two.act("give", seq=2, piece="6")["ok"]
        match.reach(3)  # each board hears within the client's patience, without a layer
        assert servers.other.log().count("Traceback") == 0
    finally:
        redis.start()
    match.play("b1 @7")


def test_a_sign_out_while_redis_is_away_reaches_the_other_process(servers, sit, machines):
    _postgres, redis = machines
    match = sit()
    person = match.persons[1]
    token = person.new_token()
    bearer = {"Authorization": f"Bearer {token}"}
    wires = [Wire(servers, "/ws/me/", **bearer) for _process in range(2)]
    redis.stop()
    try:
        assert person.http.delete(f"/api/tokens/{token[:15]}/").status_code == 204
        assert [closed_in_time(wire) for wire in wires] == [True, True]
    finally:
        redis.start()


def test_deadlines_are_judged_once_by_two_that_sweep(servers, sit):
    match = sit(control="turn=2")
    names = [match.persons[seat].name for seat in (1, 2)]
    ids = servers.seat(*names, *[{"no_show_ms": 2_000}] * 20)
    match.play("@5")
    let_pass(3.5)
    match.reach(2)
    games = [match.id, *ids]
    rows = servers.rows("SELECT status, seq, termination FROM games_game WHERE id = ANY(?)", games)
    assert sorted(rows) == [("over", 1, "aborted")] * 20 + [("over", 2, "time")]
    logs = [server.log() for server in servers.both]
    assert not [log for log in logs if "could not be settled" in log or "judging failed" in log]


def _board_at(server, game_id, person):
    return Board(server, game_id, Authorization=f"Bearer {person.token}")
