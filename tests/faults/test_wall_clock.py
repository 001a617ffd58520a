"""Somebody sets the machine's clock by an hour, forward and back: no game notices."""

import struct
import time
from pathlib import Path

import pytest

from tests.clients import Match, sitting
from tests.faults.form import FORM
from tests.faults.trial import trial
from tests.stubborn import never_reading

HOUR_S = 3_600
SECOND_MS = 1_000
GRACE_MS = 500
PING = 0x89  # the first byte of such a frame (RFC 6455, 5.5.2)


@pytest.fixture
def step(monkeypatch, tmp_path):
    """Steps the wall clock of every process that is started afterwards."""
    file = tmp_path / "step"
    file.write_bytes(struct.pack("q", 0))
    monkeypatch.setenv("WALL_CLOCK_STEP", str(file))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "stepping"))
    moved = 0

    def by(seconds):
        nonlocal moved
        moved += seconds
        with file.open("r+b") as same:
            same.write(struct.pack("q", moved))

    return by


def servers_time_ahead_ms(board):
    """How far the server's time is ahead of this process's monotonic clock."""
    board.send({"do": "ping", "t": 1})
    return board.receive_kind("pong")["now"] - time.monotonic() * 1000


def wait_for_ping(raw):
    while PING not in raw.recv(4_096):
        pass


def test_a_wall_clock_that_is_stepped_while_serving_is_not_time(serve, people, step):
    server = serve(ping_seconds=3)
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben), ann, ben)
    before = match.play("@5")
    with trial(server, "wall clock stepped by an hour", tables=2) as under:
        ahead_ms = servers_time_ahead_ms(match.watcher)
        for seconds in (HOUR_S, -HOUR_S) * FORM.steps:
            with (
                sitting(server, ann, ben, control="turn=2") as late,
                never_reading(server, "/ws/lobby/") as quiet,
            ):
                deadline = late.play("@5")["clock"]["deadline"]
                under.go_on_to_some_moment()
                with under.recovery():
                    step(seconds)
                wait_for_ping(quiet)
                late.reach(2)
            assert match.watcher.sync()["clock"]["deadline"] == before["clock"]["deadline"]
            assert abs(servers_time_ahead_ms(match.watcher) - ahead_ms) < SECOND_MS
            [(ended_ms,)] = server.rows("SELECT ended_ms FROM games_game WHERE id = ?", late.id)
            assert deadline + GRACE_MS < ended_ms <= deadline + GRACE_MS + SECOND_MS
        match.play("a1 @6")
        match.close()
    assert server.rows("SELECT count(*) FROM games_game WHERE record LIKE '%outage%'") == [(0,)]
