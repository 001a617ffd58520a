"""Hears what would reach the sockets, through the real publisher and hub, without a server."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager

from games.hub import hub
from games.live import publisher


class Ear:
    """Listens to rooms; `frames` and `closed` are what came after `hear()`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.frames: list[dict] = []
        self.closed: list[int] = []

    def push(self, kind: str, frame: bytes) -> None:
        self.frames.append(json.loads(frame))

    def shut(self, code: int) -> None:
        self.closed.append(code)

    def hear(self) -> "Ear":
        self._loop.run_until_complete(asyncio.sleep(0))
        return self


class Ears:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.joined: list[tuple[Ear, str]] = []

    def to(self, room: str) -> Ear:
        ear = Ear(self._loop)
        hub.join(ear, room)
        self.joined.append((ear, room))
        return ear


@contextmanager
def listening() -> Iterator[Ears]:
    loop = asyncio.new_event_loop()
    ears = Ears(loop)
    publisher.start(loop)
    try:
        yield ears
    finally:
        publisher.stop()
        for ear, room in ears.joined:
            hub.leave(ear, room)
        loop.close()
