"""Who listens to what in this process, and delivery to them.

Everything here runs on the server's event loop. A frame is encoded once and written to every
socket of its room: players first, then watchers in portions with a turn of the loop between, so
that a thousand watchers do not delay the players of other boards.
"""

import asyncio
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Protocol

PORTION = 50


class Listener(Protocol):
    """A socket as the hub sees it."""

    def push(self, kind: str, frame: bytes) -> None: ...

    def shut(self, code: int) -> None: ...


class Room:
    """The listeners of one address; `first` are served before `others`.

    `seq` is that of the latest state known here, for heartbeats; everybody in the room has one
    that is at least `delivered`.
    """

    __slots__ = ("delivered", "first", "others", "seq")

    def __init__(self) -> None:
        self.seq: int | None = None
        self.delivered: int | None = None
        self.first: dict[Listener, None] = {}
        self.others: dict[Listener, None] = {}

    def __len__(self) -> int:
        return len(self.first) + len(self.others)

    def __iter__(self) -> Iterator[Listener]:
        yield from self.first
        yield from self.others


class Hub:
    """Rooms by name. A room exists while somebody listens; `on_change` hears of its beginning and end."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.on_change: Callable[[str], None] | None = None

    def join(self, listener: Listener, name: str, *, first: bool = False) -> None:
        room = self.rooms.get(name)
        if room is None:
            room = self.rooms[name] = Room()
            if self.on_change is not None:
                self.on_change(name)
        (room.others if first else room.first).pop(listener, None)
        (room.first if first else room.others)[listener] = None

    def leave(self, listener: Listener, name: str) -> None:
        room = self.rooms.get(name)
        if room is None:
            return
        room.first.pop(listener, None)
        room.others.pop(listener, None)
        if not len(room):
            del self.rooms[name]
            if self.on_change is not None:
                self.on_change(name)

    def deliver(self, name: str, kind: str, frame: bytes, *, seq: int | None = None) -> None:
        """Pushes one encoded frame to everybody in the room; `kind` names what it replaces."""
        room = self.rooms.get(name)
        if room is None:
            return
        if seq is not None:
            room.seq = room.delivered = seq if room.delivered is None else max(seq, room.delivered)
        for listener in list(room.first):
            listener.push(kind, frame)
        if len(room.others) <= PORTION:
            for listener in list(room.others):
                listener.push(kind, frame)
        else:
            _in_portions(iter(list(room.others)), kind, frame)

    def deliver_to_all(self, kind: str, frame: bytes) -> None:
        """Pushes one encoded frame to everybody, in whichever rooms, once."""
        _in_portions(iter({listener for room in self.rooms.values() for listener in room}), kind, frame)

    def is_news(self, name: str, seq: int) -> bool:
        """Whether somebody in the room may not have a state as new as this."""
        room = self.rooms.get(name)
        return room is not None and (room.delivered is None or seq > room.delivered)

    def close(self, name: str, code: int) -> None:
        for listener in list(self.rooms.get(name, Room())):
            listener.shut(code)


def _in_portions(rest: Iterator[Listener], kind: str, frame: bytes) -> None:
    portion = list(islice(rest, PORTION))
    for listener in portion:
        listener.push(kind, frame)
    if len(portion) == PORTION:
        asyncio.get_running_loop().call_soon(_in_portions, rest, kind, frame)


hub = Hub()
