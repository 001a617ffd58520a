"""What breaks between several processes: one of them, the database, the channel layer."""

import itertools
import random
import time
from contextlib import ExitStack

import pytest

from tests.clients import Match, Wire
from tests.faults.form import FORM
from tests.faults.table import next_action
from tests.faults.test_outage import BONUS_MS, credits_in
from tests.faults.trial import trial
from tests.live.test_access_ends import closed_in_time
from tests.server import let_pass
from tests.services.conftest import manage_migrated
from tests.services.machines import Postgres, Redis
from tests.services.pair import serving_pair
from tests.services.people import people_at

HEALED_WITHIN_S = 5
DEAD_S = 3  # longer than what would be an outage


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


def test_the_database_restarts_under_load(servers, machines):
    postgres, _redis = machines
    with trial(servers, "PostgreSQL restarted", names="dora") as under:
        for _time in range(FORM.restarts):
            under.go_on_to_some_moment()
            with under.recovery():
                postgres.restart()


def test_the_database_goes_away(servers, sit, machines):
    """Actions are refused meanwhile, nothing is lost, and the time is given back once."""
    postgres, _redis = machines
    match = sit(control="turn=4")
    with trial(servers, f"PostgreSQL down for {FORM.away_s} s", names="emil") as under:
        under.go_on_to_some_moment()
        seq = match.play("@5")["seq"]
        postgres.stop()
        try:
            assert match.two.act("place", seq=seq, square="a1")["code"] == "unavailable"
            let_pass(FORM.away_s + 0.5)  # past the deadline and its grace
            assert "unavailable" in under.told
        finally:
            begun = time.monotonic()
            postgres.start()
        under.go_on()
        under.recovered(begun)
        match.reach(seq + 1)
        state = match.watcher.state
        assert (state["status"], state["to_act"]) == ("live", 2)
        assert match.two.act("place", seq=seq + 1, square="a1")["ok"]
        let_pass(1.5)  # both beat again
        assert match.two.sync()["record"].count("{outage: +") == 1


def test_one_of_two_dies_and_that_is_no_outage(servers, sit):
    match = sit(control="bank=3000")
    match.play("@5")
    with trial(servers, "`kill -9` of one of two processes", names="fritz") as under:
        for _kill in range(FORM.kills_of_one):
            under.go_on_to_some_moment()
            dying = random.choice(servers.both)
            with under.recovery():
                dying.kill()
            let_pass(DEAD_S)
            dying.start()
    match.close()
    match = Match(servers, match.id, *match.persons.values())
    credited = credits_in(match.play("a1 @6 b1")["record"])
    # A machine so busy that the other was late with a beat may have been credited; the time of the dead is not.
    assert max(credited, default=0) < BONUS_MS + DEAD_S * 1000
    match.close()


def test_while_redis_is_away_moves_are_judged_and_boards_heal_by_themselves(servers, sit, machines):
    _postgres, redis = machines
    match = sit()
    match.play("@0")
    traces = count_traces(servers)
    with trial(servers, "Redis stopped, started and flushed", tables=2, names="gerda") as under:
        for _time in range(FORM.restarts):
            redis.stop()
            try:
                under.go_on()
                act_and_be_seen(match)  # each board hears within the client's patience, without a layer
            finally:
                begun = time.monotonic()
                redis.start()
            assert redis.ask("FLUSHALL") == "+OK"
            act_and_be_seen(match)
            under.recovered(begun)
        assert max(under.verdict.recoveries_ms) < HEALED_WITHIN_S * 1000
    assert count_traces(servers) == traces


def act_and_be_seen(match):
    state = match.watcher.sync()
    actor = match.boards[state["to_act"]]
    done = actor.act(**next_action(state, to_the_end=True), seq=state["seq"])
    match.reach(done["seq"])


def count_traces(servers):
    return [server.log().count("Traceback") for server in servers.both]


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
