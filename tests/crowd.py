"""Very many sockets at once, which are opened, heard to their ends and opened again."""

import asyncio
import json
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server import PATIENCE_S, Server


class Crowd:
    """Watchers of games, in turn. Each of them reads all the time."""

    def __init__(
        self, server: Server, game_ids: Sequence[str], count: int, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.server, self.count = server, count
        self.game_ids = [game_ids[number % len(game_ids)] for number in range(count)]
        self._loop = loop
        self._wires: list[ClientConnection] = []
        self._reading: list[asyncio.Task[int | None]] = []

    def open(self) -> list[dict[str, Any]]:
        """Opens all of them, and returns the state that each was shown."""
        return self._run(self._open_all())

    def close_codes(self) -> set[int | None]:
        """Waits for the end of each, and says with which codes that was."""
        return self._run(self._ends())

    def close(self) -> None:
        self._run(self._close_all())

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(2 * PATIENCE_S)

    async def _open_all(self) -> list[dict[str, Any]]:
        gate = asyncio.Semaphore(20)  # at the door at once

        async def enter(game_id: str) -> dict[str, Any]:
            async with gate:
                url = f"{self.server.socket_url}/ws/games/{game_id}/"
                wire = await connect(url, proxy=None, ping_interval=None)
                while (frame := json.loads(await wire.recv()))["type"] != "state":
                    pass
                self._wires.append(wire)
                self._reading.append(self._loop.create_task(_read(wire)))
                return frame

        return await asyncio.gather(*(enter(game_id) for game_id in self.game_ids))

    async def _ends(self) -> set[int | None]:
        codes = set(await asyncio.gather(*self._reading))
        self._wires, self._reading = [], []
        return codes

    async def _close_all(self) -> None:
        await asyncio.gather(*(wire.close() for wire in self._wires))
        await self._ends()


async def _read(wire: ClientConnection) -> int | None:
    try:
        while True:
            await wire.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


@contextmanager
def crowd(server: Server, game_ids: Sequence[str], count: int) -> Iterator[Crowd]:
    """A crowd with a loop of its own. Before the end of the block it must be closed, or have been put out."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield Crowd(server, game_ids, count, loop)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
