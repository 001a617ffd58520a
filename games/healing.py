"""What a process with others beside it does so that a lost message is no lost fact.

Every two seconds the seqs of the boards that are open here are compared with the database, and a
state that nobody sent is delivered. When the relay is heard again after a gap (and now and then while it is
not), every socket's credential is looked up again and its opening facts are read and sent anew.
"""

import asyncio
import logging

from django.db import DatabaseError

from games import presence
from games.hub import hub
from games.live import encode, kind_of, publisher
from games.queries.games import seqs_of, states_of
from games.readers import read
from games.sockets import SIGNED_OUT, Refused, Socket

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
AWAY_ROUNDS = 5


class Healer:
    """One task on the loop."""

    def __init__(self) -> None:
        self._gap = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._task = loop.create_task(self._run())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def recovered(self) -> None:
        """Something may have been missed: everything is looked at now."""
        self._gap.set()

    async def _run(self) -> None:
        away = 0
        while True:
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._gap.wait()
            except TimeoutError:
                pass
            away = away + 1 if publisher.relay is not None and publisher.relay.away else 0
            has_gap = self._gap.is_set() or (away > 0 and away % AWAY_ROUNDS == 0)
            self._gap.clear()
            try:
                await heal_games()
                if has_gap:
                    presence.tell_again()
                    await heal_sockets()
            except DatabaseError:
                pass  # the referee says so; the next round looks again
            except Exception:
                logger.exception("the sockets could not be looked after")


async def heal_games() -> None:
    """Delivers the states of the games that are open here and have moved on unheard."""
    open_games = {
        name.partition(":")[2]: room for name, room in hub.rooms.items() if name.startswith("game:")
    }
    if not open_games:
        return
    behind = [
        game_id
        for game_id, seq in await read(seqs_of, list(open_games))
        if (delivered := open_games[game_id].delivered) is None or seq > delivered
    ]
    if behind:
        for game_id, seq, state in await read(states_of, behind):
            publisher.hear(f"game:{game_id}", "state", state, seq)


async def heal_sockets() -> None:
    """Each socket as if it had been opened anew."""
    sockets = {listener for room in hub.rooms.values() for listener in room if isinstance(listener, Socket)}
    for socket in sockets:
        await _heal(socket)


async def _heal(socket: Socket) -> None:
    try:
        identity = await read(socket.identify_again)
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
