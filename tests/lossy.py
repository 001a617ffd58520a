"""A websocket proxy that loses some frames and doubles others, in both directions."""

import asyncio
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.server import PATIENCE_S, Server


class Lossy:
    """Stands between clients and a server; requests over HTTP go past it."""

    def __init__(self, server: Server, lost: float, doubled: float) -> None:
        self.server, self.lost, self.doubled = server, lost, doubled
        self.port = 0
        self.tls = None  # towards its clients
        self.counts = {0: 0, 1: 0, 2: 0}  # frames by how often they were passed on

    def next_url(self) -> str:
        return self.server.next_url()

    def next_socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    async def run(self, stopped: asyncio.Event, started: threading.Event) -> None:
        async with serve(self._serve, "127.0.0.1", 0, ping_interval=None) as listening:
            self.port = listening.sockets[0].getsockname()[1]
            started.set()
            await stopped.wait()

    async def _serve(self, client: ServerConnection) -> None:
        assert client.request is not None
        headers = {
            name: client.request.headers[name]
            for name in ("Authorization",)
            if name in client.request.headers
        }
        url = self.server.next_socket_url() + client.request.path
        async with connect(url, additional_headers=headers, proxy=None, ping_interval=None) as upstream:
            ways = [
                asyncio.create_task(self._pass_on(*way)) for way in ((client, upstream), (upstream, client))
            ]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()

    async def _pass_on(self, source: Any, target: Any) -> None:
        try:
            async for frame in source:
                times = random.choices((0, 1, 2), (self.lost, 1 - self.lost - self.doubled, self.doubled))[0]
                self.counts[times] += 1
                for _time in range(times):
                    await target.send(frame)
        except ConnectionClosed:
            pass


@contextmanager
def lossy(server: Server, *, lost: float, doubled: float) -> Iterator[Lossy]:
    proxy, loop, stopped, started = (
        Lossy(server, lost, doubled),
        asyncio.new_event_loop(),
        asyncio.Event(),
        threading.Event(),
    )
    thread = threading.Thread(target=loop.run_until_complete, args=[proxy.run(stopped, started)])
    thread.start()
    try:
        assert started.wait(PATIENCE_S)
        yield proxy
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join()
        loop.close()
