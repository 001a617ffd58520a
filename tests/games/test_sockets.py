import asyncio
import json
from functools import partial

import pytest
from prometheus_client import REGISTRY

from games import sockets
from games.frames import BadFrame, frame_for_its_id, parse_frame
from games.hub import hub
from games.identity import Identity
from games.live import close, publish, publisher
from games.notice import change
from games.sockets import Allowance, Refused, Socket


@pytest.mark.parametrize(
    "text",
    [
        None, "", " ", "nonsense", "null", "7", '"x"', "[]", "{", "{}}", "\ufeff{}", "{'a': 1}",
        '{"t": NaN}', '{"t": -Infinity}', '{"t": 1e400}', '{"t": 9007199254740992}',
        '{"t": -9007199254740992}', '{"t": ' + "9" * 5_000 + "}", "[" * 100_000, '{"a":' * 50_000,
    ],
    ids=lambda text: repr(text)[:30],
)  # fmt: skip
def test_a_text_that_is_no_json_object_is_a_bad_frame(text):
    with pytest.raises(BadFrame):
        parse_frame(text)


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("{}", {}),
        ('{"t": 9007199254740991}', {"t": 2**53 - 1}),
        ('{"t": -9007199254740991}', {"t": 1 - 2**53}),
        ('{"t": 1.5e3}', {"t": 1500.0}),
        (' {"id": "\\ud800", "x": [1, {"y": null}]} ', {"id": "\ud800", "x": [1, {"y": None}]}),
        ('{"seq": 1, "seq": 2}', {"seq": 2}),
    ],
)
def test_a_frame_is_any_json_object_whose_numbers_everybody_can_hold(text, frame):
    assert parse_frame(text) == frame


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e400", "9007199254740992", "9" * 5_000])
def test_a_frame_with_a_number_that_nobody_can_hold_still_says_its_id(number):
    assert frame_for_its_id('{"id": "c-17", "seq": ' + number + "}") == {"id": "c-17", "seq": None}


@pytest.mark.parametrize("text", [None, "", "nonsense", "[]", "7", "[" * 100_000])
def test_what_is_no_frame_says_no_id(text):
    assert frame_for_its_id(text) == {}


def test_an_allowance_is_a_burst_and_then_a_rate_by_the_moments_of_receipt(settings):
    settings.FRAMES_BURST, settings.FRAMES_PER_SECOND = 3, 20
    allowance = Allowance(1_000)
    assert [allowance.spend(1_000) for _frame in range(4)] == [True, True, True, False]
    assert [allowance.spend(1_000 + ms) for ms in (10, 50, 60, 100, 100)] == [False, True, False, True, False]
    assert [allowance.spend(60_000) for _frame in range(4)] == [True, True, True, False]


def test_a_clock_that_stands_still_gives_nothing(settings):
    settings.FRAMES_BURST, settings.FRAMES_PER_SECOND = 1, 20
    allowance = Allowance(1_000)
    assert [allowance.spend(ms) for ms in (1_000, 990, 1_000)] == [True, False, False]


class Wire:
    """The connection of a socket, as far as the socket uses it."""

    def __init__(self):
        self.stalled, self.on_drained, self.on_text, self.written = False, None, None, []

    def write_text(self, payload):
        self.written.append(json.loads(payload))

    def hold_text(self, payload):
        self.written.append("held")
        self.write_text(payload)


class Echo(Socket):
    """Opens with a greeting, and answers each frame with itself."""

    __slots__ = ()

    def rooms(self):
        return ["echo"]

    def opening(self, identity):
        return [{"type": "greeting"}]

    def receive_frame(self, frame, received_ms):
        if "bad" in frame:
            raise BadFrame
        if "later" in frame:
            return partial(self.answer_later, frame)
        self.answer(json.dumps(frame).encode())
        return None

    async def answer_later(self, frame):
        assert self._wire.on_text is None
        await asyncio.sleep(0)
        self.answer(json.dumps(frame).encode())


class Line:
    """A socket in the hands of a test: what comes in, and what has gone out."""

    def __init__(self, kind=Echo, wire=None, headers=()):
        self.wire, self.inbox, self.sent = wire, asyncio.Queue(), []
        scope = {"headers": list(headers), "url_route": {"kwargs": {}}, "quarto.wire": wire}
        self.socket = kind(scope, self._send)
        self.inbox.put_nowait({"type": "websocket.connect"})
        self.running = asyncio.ensure_future(self.socket.run(self.inbox.get))

    async def _send(self, message):
        self.sent.append(message)

    async def open(self):
        await until(lambda: self.socket._opened)
        return self

    def receive(self, **message):
        self.inbox.put_nowait({"type": "websocket.receive", **message})

    async def close(self):
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.running

    @property
    def closed_with(self):
        return [message["code"] for message in self.sent if message["type"] == "websocket.close"]


def run(scenario):
    """Runs a scenario on a loop that the publisher knows, as in a server."""

    async def main():
        publisher.start(asyncio.get_running_loop())
        try:
            await scenario
        finally:
            publisher.stop()

    asyncio.run(main())


def with_line(scenario, **options):
    """Runs a scenario with an open line and a wire."""

    async def main():
        wire = Wire()
        line = await Line(wire=wire, **options).open()
        await scenario(line, wire)
        await line.close()

    run(main())
    assert "echo" not in hub.rooms


async def turn():
    """Lets everything happen that waits for nothing but the loop."""
    for _turn in range(500):
        await asyncio.sleep(0)


async def until(condition):
    """Lets the loop run until something in another thread is done."""
    while not condition():  # noqa: ASYNC110 - the sockets under test tell nobody
        await asyncio.sleep(0)


def test_it_opens_and_answers_and_survives_bad_frames():
    async def scenario(line, wire):
        for text in ('{"id": "a"}', "nonsense", '{"bad": 1, "id": "b"}', '{"id": "c"}'):
            line.receive(text=text)
        line.receive(bytes=b"\x00")
        await turn()
        assert [frame.get("type", frame) for frame in wire.written] == [
            "greeting", {"id": "a"}, "reply", "reply", {"id": "c"}, "reply",
        ]  # fmt: skip
        assert [(frame["id"], frame["code"]) for frame in wire.written if frame.get("type") == "reply"] == [
            (None, "bad_request"), ("b", "bad_request"), (None, "bad_request"),
        ]  # fmt: skip

    with_line(scenario)


def test_frames_are_taken_at_once_only_while_nothing_else_is_in_hand():
    async def scenario(line, wire):
        await turn()
        assert wire.on_text('{"id": "a"}', 1) is None
        assert wire.written[1:] == [{"id": "a"}]
        line.receive(**{"quarto.later": wire.on_text('{"later": 1}', 2)})
        line.receive(text='{"id": "b"}')
        await turn()
        assert wire.written[2:] == [{"later": 1}, {"id": "b"}]
        assert wire.on_text is not None

    with_line(scenario)


def test_without_a_wire_of_its_own_it_sends_as_any_application():
    async def main():
        line = await Line().open()
        line.receive(text='{"id": "a"}')
        await turn()
        assert [message.get("text") for message in line.sent] == [None, '{"type":"greeting"}', '{"id": "a"}']
        await line.close()

    run(main())


def test_too_many_frames_end_it(settings):
    settings.FRAMES_BURST, settings.FRAMES_PER_SECOND = 5, 1

    async def scenario(line, wire):
        for number in range(9):
            line.receive(text=json.dumps({"id": str(number)}))
        await turn()
        assert [frame["id"] for frame in wire.written[1:]] == ["0", "1", "2", "3", "4"]
        assert line.closed_with == [4029]

    with_line(scenario)


def test_whoever_comes_during_maintenance_is_told_after_the_opening():
    async def scenario(line, wire):
        assert wire.written == [
            {"type": "greeting"},
            {"type": "notice", "maintenance": True, "text": "Back at nine."},
        ]

    change("Back at nine.")
    try:
        with_line(scenario)
    finally:
        change(None)


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


def test_it_listens_before_it_reads_so_that_nothing_falls_in_between():
    class Late(Echo):
        __slots__ = ()

        def opening(self, identity):
            publish("echo", {"type": "state", "seq": 1})
            return [{"type": "greeting"}]

    async def scenario(line, wire):
        await turn()
        assert wire.written == [{"type": "greeting"}, {"type": "state", "seq": 1}]

    with_line(scenario, kind=Late)


def test_a_credential_that_is_revoked_while_it_is_looked_up_opens_nothing(monkeypatch):
    """The socket listens for the sign-out of its session before it reads who that is."""

    def signed_out_in_between(headers):
        close("session:k", 4001)
        return Identity(player_id=1, user_id=1)

    monkeypatch.setattr(sockets, "identify", signed_out_in_between)

    async def main():
        line = Line(wire=Wire(), headers=[(b"cookie", b"sessionid=k")])
        await until(lambda: line.closed_with)
        await turn()
        line.receive(text="{}")
        await line.close()
        assert (line.wire.written, line.closed_with) == ([], [4001])

    run(main())
    assert not hub.rooms


@pytest.mark.parametrize("code", [4001, 4004])
def test_what_cannot_be_opened_is_accepted_and_closed_with_its_code(code):
    """A close before the accept would reach nobody but as HTTP 403."""

    class Closed(Echo):
        __slots__ = ()

        def opening(self, identity):
            raise Refused(code)

    async def main():
        line = Line(kind=Closed, wire=Wire())
        await until(lambda: line.closed_with)
        line.receive(text="{}")
        await turn()
        assert [message["type"] for message in line.sent] == ["websocket.accept", "websocket.close"]
        assert line.closed_with == [code]
        assert line.wire.written == []
        await line.close()

    run(main())


def test_a_foreign_origin_is_refused_before_the_accept():
    async def main():
        line = Line(wire=Wire(), headers=[(b"host", b"club.example"), (b"origin", b"http://evil.example")])
        await line.running
        assert line.sent == [{"type": "websocket.close"}]

    run(main())
