"""What a process does so that a lost message is no lost fact: one from another process, or, with the
connection to the database, the answer to a commit.

Every two seconds, and a moment after a board has been opened, the seqs of the boards that are open
here are compared with the database, and a state that nobody sent is delivered. When the relay is
heard again after a gap (and now and then while it is not), every socket's credential is looked up
again and its opening facts are read and sent anew.
"""

import asyncio
import logging
import time
from collections.abc import Collection, Iterable
from contextlib import suppress

from django.db import DatabaseError

from games import presence
from games.background import Background
from games.encoding import encode
from games.hub import Room, hub
from games.live import kind_of, publisher
from games.queries.challenges import open_seeks
from games.queries.games import seqs_of, states_of
from games.readers import read
from games.sockets import SIGNED_OUT, Refused, Socket

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
OPENED_AFTER_S = 0.2
ON_ITS_WAY_S = 0.05
AWAY_ROUNDS = 5


class Healer(Background):
    """Looks in rounds, and whenever it is woken."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._has_gap = False
        self._opened: set[str] = set()
        self._look_at = 0.0
        self._away = 0

    def recovered(self) -> None:
        """Something may have been missed: everything is looked at now."""
        self._has_gap, self._look_at = True, 0.0
        self._woken.set()

    def opened(self, room: str) -> None:
        """A room is new here: the others begin to send what is said in it a moment later."""
        if room.startswith("game:"):
            self._opened.add(room)
            self._woken.set()

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._woken.wait()
            self._woken.clear()
            if self._opened:
                await asyncio.sleep(OPENED_AFTER_S)
            opened, self._opened = self._opened, set()
            if time.monotonic() >= self._look_at:
                opened = {name for name in hub.rooms if name.startswith("game:")}
                self._look_at = time.monotonic() + LOOK_EVERY_S
                self._count_away()
            await self._heal(opened)

    def _count_away(self) -> None:
        is_away = publisher.relay is not None and publisher.relay.away
        self._away = self._away + 1 if is_away else 0
        if is_away and self._away % AWAY_ROUNDS == 0:
            self._has_gap = True

    async def _heal(self, opened: set[str]) -> None:
        has_gap, self._has_gap = self._has_gap, False
        try:
            await heal_games(opened)
            if has_gap:
                presence.tell_again()
                await heal_sockets()
        except DatabaseError:
            self._has_gap |= has_gap  # the referee says so; the next round looks again
        except Exception:
            logger.exception("the sockets could not be looked after")


async def heal_games(rooms: Collection[str]) -> None:
    """Delivers the states of those games among these that have moved on unheard.

    What was committed this moment is on its way: here it would come before the reply to who made it.
    """
    open_games = {name.partition(":")[2]: hub.rooms[name] for name in rooms if name in hub.rooms}
    if not open_games:
        return
    stored = [(game_id, open_games[game_id], seq) for game_id, seq in await read(seqs_of, list(open_games))]
    if any(_is_behind(room, seq) for _game_id, room, seq in stored):
        await asyncio.sleep(ON_ITS_WAY_S)
    behind = [game_id for game_id, room, seq in stored if _is_behind(room, seq)]
    if behind:
        for game_id, seq, state in await read(states_of, behind):
            publisher.hear(f"game:{game_id}", "state", state, seq)


def _is_behind(room: Room, seq: int) -> bool:
    return room.delivered is None or seq > room.delivered


async def heal_sockets() -> None:
    """Each socket as if it had been opened anew."""
    sockets = {
        listener
        for room in hub.rooms.values()
        for listener in room
        if isinstance(listener, Socket) and listener.is_open
    }
    for socket in sockets:
        await _heal(socket)


async def look_again(rooms: Iterable[str]) -> None:
    """Closes (4001) the sockets in these rooms whose credential is not what it was when they opened."""
    sockets = {
        listener
        for name in rooms
        for listener in hub.rooms.get(name, ())
        if isinstance(listener, Socket) and listener.is_open
    }
    for socket in sockets:
        try:
            identity = await read(socket.recognise, dict(socket.scope["headers"]))
        except Refused as refused:
            socket.shut(refused.code)
        else:
            if identity != socket.identity:
                socket.shut(SIGNED_OUT)


async def show_seeks() -> None:
    """Tells the lobby of this process what is open now."""
    frame = {"type": "seeks", "seeks": await read(open_seeks)}
    publisher.hear("lobby", kind_of(frame), encode(frame), None)


async def _heal(socket: Socket) -> None:
    try:
        identity = await read(socket.recognise, dict(socket.scope["headers"]))
        frames = await read(socket.opening, identity)
    except Refused as refused:
        socket.shut(refused.code)
        return
    if identity != socket.identity:
        socket.shut(SIGNED_OUT)
        return
    for frame in frames:
        if frame["type"] not in ("game", "state"):  # the boards are looked after by themselves
            socket.push(kind_of(frame), encode(frame))
