"""Clients that do not read what is sent to them."""

import json

from prometheus_client import REGISTRY

from games import sockets
from games.hub import hub
from tests.games.socket_line import turn, with_line


def slow_frames(fate):
    """How many of them an operator is told of."""
    return REGISTRY.get_sample_value("quarto_slow_frames_total", {"fate": fate})


def test_a_client_that_does_not_read_keeps_the_latest_of_each_kind():
    async def scenario(line, wire):
        replaced, dropped = slow_frames("replaced"), slow_frames("dropped")
        wire.stalled = True
        for number in range(5):
            hub.deliver("echo", "state", b'{"state": %d}' % number)
            hub.deliver("echo", "presence", b'{"presence": %d}' % number)
        assert wire.written == [{"type": "greeting"}]
        wire.stalled = False
        wire.on_drained()
        assert wire.written[1:] == [{"state": 4}, {"presence": 4}]
        hub.deliver("echo", "state", b'{"state": 5}')
        assert wire.written[-1] == {"state": 5}
        assert (slow_frames("replaced") - replaced, slow_frames("dropped") - dropped) == (8, 0)

    with_line(scenario)


def test_a_client_that_does_not_read_misses_no_reply_and_gets_it_before_the_state():
    async def scenario(line, wire):
        wire.stalled = True
        hub.deliver("echo", "state", b'{"state": 1}')
        for number in range(3):
            line.receive(text=json.dumps({"id": number}))
        await turn()
        hub.deliver("echo", "state", b'{"state": 2}')
        wire.stalled = False
        wire.on_drained()
        assert wire.written[1:] == [{"id": 0}, {"id": 1}, {"id": 2}, {"state": 2}]

    with_line(scenario)


def test_what_is_kept_waits_where_the_client_stops_again():
    async def scenario(line, wire):
        wire.stalled = True
        for kind in ("a", "b", "c"):
            hub.deliver("echo", kind, json.dumps(kind).encode())
        write = wire.write_text

        def write_one(payload):
            write(payload)
            wire.stalled = True

        wire.write_text, wire.stalled = write_one, False
        wire.on_drained()
        assert wire.written[1:] == ["a"]
        wire.stalled = False
        wire.on_drained()
        assert wire.written[1:] == ["a", "b"]

    with_line(scenario)


def test_a_reply_that_a_state_follows_is_held_unless_the_client_does_not_read():
    async def scenario(line, wire):
        line.socket.answer(b'{"id": 1}', state_follows=True)
        line.socket.answer(b'{"id": 2}')
        wire.stalled = True
        line.socket.answer(b'{"id": 3}', state_follows=True)
        wire.stalled = False
        wire.on_drained()
        assert wire.written[1:] == ["held", {"id": 1}, {"id": 2}, {"id": 3}]

    with_line(scenario)


def test_a_client_that_lets_too_much_wait_is_too_slow(settings):
    settings.FRAMES_BURST = 1_000

    async def scenario(line, wire):
        wire.stalled = True
        for number in range(sockets.MAILBOX_LIMIT + 1):
            line.receive(text=json.dumps({"id": number}))
        await turn()
        assert line.closed_with == [4008]
        hub.deliver("echo", "state", b"{}")
        assert line.closed_with == [4008]

    with_line(scenario)


def test_a_client_that_does_not_read_for_long_is_too_slow(monkeypatch):
    monkeypatch.setattr(sockets, "STALLED_LIMIT_S", 0)

    async def scenario(line, wire):
        wire.stalled = True
        hub.deliver("echo", "state", b"{}")
        assert line.closed_with == []
        hub.deliver("echo", "state", b"{}")
        await turn()
        assert line.closed_with == [4008]

    with_line(scenario)


def test_a_client_that_reads_now_and_then_is_not_too_slow(monkeypatch):
    monkeypatch.setattr(sockets, "STALLED_LIMIT_S", 0)

    async def scenario(line, wire):
        for number in range(8):
            wire.stalled = True
            hub.deliver("echo", "state", b"%d" % number)
            wire.stalled = False
            wire.on_drained()
        assert wire.written[1:] == list(range(8))
        assert line.closed_with == []

    with_line(scenario)
