"""A socket without a server: its connection, what comes in and what has gone out."""

import asyncio
import json
from functools import partial

from games.frames import BadFrame
from games.hub import hub
from games.live import publisher
from games.sockets import Socket


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
