"""How the load speaks with each server: entering a game, an action, and what a frame says.

The load itself is the same for all. A frame is read by looking for bytes, not by decoding it, so that the
load costs about the same with every server.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from benchmarks.wire import BINARY, TEXT, Wire, open_wire

ENTER_LIMIT_S = 60.0
STATE, REPLY, REFUSED, OTHER = "state", "reply", "refused", "other"
Hear = Callable[[], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Place:
    """A socket to be opened at a game: its address, and who comes. `seat` is None for a watcher."""

    url: str
    seat: int | None = None
    token: str | None = None
    game: str = ""


class Dialect(Protocol):
    """One way to speak. `replies` tells whether an action is answered besides the state after it."""

    replies: bool
    kind: int

    async def enter(self, wire: Wire, place: Place, hear: Hear) -> int | None:
        """Goes through the opening of a fresh socket; returns the seat."""

    def action(self, place: Place, seq: int, action: dict[str, str]) -> bytes:
        """The frame of an action."""

    def read(self, frame: bytes) -> tuple[str, int]:
        """The kind of a frame, and the seq of the game that it tells."""


class Json:
    """The protocol of this server, which the naive one, the ceiling and the bare broadcast speak as well."""

    replies, kind = True, TEXT

    async def enter(self, wire: Wire, place: Place, hear: Hear) -> int | None:
        seat: int | None = json.loads(await hear())["you"]
        return seat

    def action(self, place: Place, seq: int, action: dict[str, str]) -> bytes:
        return json.dumps({**action, "seq": seq, "id": str(seq)}).encode()

    def read(self, frame: bytes) -> tuple[str, int]:
        """
        >>> Json().read(b'{"type":"state","id":"g1","seq":12,"status":"live"}')
        ('state', 12)
        >>> Json().read(b'{"type": "reply", "id": "3", "ok": true, "seq": 4}')
        ('reply', 4)
        """
        head = frame[:17]
        if b"state" in head:
            return STATE, _number_after(frame, b'"seq":')
        if b"reply" not in head:
            return OTHER, 0
        return (REPLY, _number_after(frame, b'"seq":')) if b"true" in frame[:60] else (REFUSED, 0)


class Boardgame:
    """boardgame.io: socket.io's framing, the whole state to everybody; no reply of its own."""

    replies, kind = False, TEXT

    async def enter(self, wire: Wire, place: Place, hear: Hear) -> int | None:
        await hear()
        wire.send(b"40/quarto,")
        await hear()
        who = [place.game, None if place.seat is None else str(place.seat - 1), place.token]
        wire.send(b"42/quarto," + json.dumps(["sync", *who]).encode())
        while not (await hear()).startswith(b'42/quarto,["sync"'):
            pass
        return place.seat

    def action(self, place: Place, seq: int, action: dict[str, str]) -> bytes:
        assert place.seat is not None
        player = str(place.seat - 1)
        arguments = [value for name, value in action.items() if name != "do"]
        payload = {"type": action["do"], "args": arguments, "playerID": player, "credentials": place.token}
        message = ["update", {"type": "MAKE_MOVE", "payload": payload}, seq, place.game, player]
        return b"42/quarto," + json.dumps(message).encode()

    def read(self, frame: bytes) -> tuple[str, int]:
        """
        >>> Boardgame().read(b'42/quarto,["update","m",{"G":{},"_stateID":7},[]]')
        ('state', 7)
        """
        if frame.startswith(b'42/quarto,["update"'):
            return STATE, _number_after(frame, b'"_stateID":')
        return OTHER, 0


class Colyseus:
    """Colyseus: messages in MessagePack, the state as patches of its schema, whose first field is the seq."""

    replies, kind = True, BINARY
    JOIN, MESSAGE, PATCH = 10, 13, 15

    async def enter(self, wire: Wire, place: Place, hear: Hear) -> int | None:
        await hear()
        wire.send(bytes((self.JOIN,)), BINARY)
        await hear()
        return place.seat

    def action(self, place: Place, seq: int, action: dict[str, str]) -> bytes:
        message: dict[str, str | int] = {**action, "seq": seq, "id": str(seq)}
        return bytes((self.MESSAGE,)) + _packed("action") + _packed_map(message)

    def read(self, frame: bytes) -> tuple[str, int]:
        """
        >>> Colyseus().read(b"\\x0f\\x80\\x02\\x01\\x00\\x00\\x86\\xa3 b2")
        ('state', 258)
        >>> Colyseus().read(b"\\x0d\\xa5reply\\x83\\xa2id\\xa10\\xa2ok\\xc3\\xa3seq\\x09")
        ('reply', 9)
        """
        if frame[0] == self.PATCH:
            at = frame.index(b"\x80", 1) + 1  # the first patch also tells the reference of the board
            return STATE, int.from_bytes(frame[at : at + 4], "little")
        if frame[0] != self.MESSAGE:
            return OTHER, 0
        return (REPLY, frame[frame.index(b"\xa3seq") + 4]) if b"\xa2ok\xc3" in frame else (REFUSED, 0)


def _number_after(frame: bytes, name: bytes) -> int:
    at = frame.index(name) + len(name)
    end = at + 1
    while frame[end : end + 1].isdigit():
        end += 1
    return int(frame[at:end])


def _packed(value: str | int) -> bytes:
    """A short text or a small number in MessagePack.

    >>> _packed("do"), _packed(5)
    (b'\\xa2do', b'\\x05')
    """
    if isinstance(value, int):
        return bytes((value,))
    return bytes((0xA0 | len(value),)) + value.encode()


def _packed_map(message: dict[str, str | int]) -> bytes:
    pairs = b"".join(_packed(name) + _packed(value) for name, value in message.items())
    return bytes((0x80 | len(message),)) + pairs


async def open_place(dialect: Dialect, place: Place) -> tuple[Wire, int | None]:
    """Opens a socket and enters its game; returns it and the seat. It keeps what it hears from then on."""
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    wire = await open_wire(place.url, heard.put_nowait, place.token)
    async with asyncio.timeout(ENTER_LIMIT_S):
        seat = await dialect.enter(wire, place, heard.get)
    wire.hear = None
    return wire, seat
