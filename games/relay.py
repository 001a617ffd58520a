"""The relay between the processes that serve one site: one channel layer, and no socket ever waits for it.

A process hears of a game or an event through a group of its own, which it joins when somebody here begins to
listen and leaves with the last; everything else (the lobby, players, sign-outs) is rare and goes
through one group that all processes are in, so that no credential is the name of anything outside.

Messages may be lost and may come twice. What is sent is the whole of a fact: the latest of its kind
waits while the layer is away, and goes out when it is back. Each process listens for its own beat:
where that stays out or a number is missing, something was not heard, and `recovered` is called
once it is heard again.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

from games.hub import hub

logger = logging.getLogger(__name__)

ALL = "all"
OWN_GROUP = ("game:", "event:")
BEAT_EVERY_S = 1.0
SILENT_FOR_S = 3.0
GONE_AFTER_S = 5.0
READY_LIMIT_S = 1.0
RETRY_S = 0.5
CONNECT_LIMIT_S = 5.0
END_LIMIT_S = 0.5
OUTBOX_LIMIT = 10_000

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ears:
    """Whom the relay tells, always on the loop."""

    hear: Callable[[str, str, Any, int | None], None]  # room, kind, body, seq
    seats: Callable[[str, str, Any], None]  # room, process, body
    gone: Callable[[str], None]  # process
    recovered: Callable[[], None]


class Relay:
    """This process's part. Everything but the constructor is called on the loop."""

    def __init__(self, layer: Any, ears: Ears) -> None:
        self.process = secrets.token_hex(4)
        self.away = True
        self._layer, self._ears = layer, ears
        self._channel = ""
        self._outbox: dict[tuple[str, str], Message] = {}
        self._posted, self._changed = asyncio.Event(), asyncio.Event()
        self._pending: dict[str, asyncio.Future[None]] = {}
        self._joined: set[str] = set()
        self._beat = self._last_heard = 0
        self._heard_at = 0.0
        self._others: dict[str, float] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        hub.on_change = self._room_changed
        self._tasks = [loop.create_task(work()) for work in (self._live, self._post, self._subscribe)]

    async def stop(self) -> None:
        """Sends what waits, where that is quickly done, and leaves."""
        hub.on_change = None
        end = time.monotonic() + RETRY_S
        while self._outbox and not self.away and time.monotonic() < end:  # noqa: ASYNC110 - at the end
            await asyncio.sleep(0.01)
        await _ended(self._tasks)
        await _ended([asyncio.ensure_future(_tried(self._layer.flush()))], cancel=False)

    def send(self, room: str, kind: str, body: Any, seq: int | None = None) -> None:
        """Tells the other processes; replaces what waits of the same kind for the same room."""
        key = room, kind
        self._outbox.pop(key, None)
        self._outbox[key] = {
            "type": "relay", "from": self.process, "room": room, "kind": kind, "body": body, "seq": seq,
        }  # fmt: skip
        if len(self._outbox) > OUTBOX_LIMIT:
            del self._outbox[next(iter(self._outbox))]
        self._posted.set()

    async def ready(self, rooms: Iterable[str]) -> None:
        """Returns when these rooms are subscribed to, or when it would take too long."""
        waiting = [self._pending[room] for room in rooms if room in self._pending]
        if waiting:
            await asyncio.wait(waiting, timeout=READY_LIMIT_S)

    # --- sending ---

    async def _post(self) -> None:
        while True:
            await self._posted.wait()
            self._posted.clear()
            while self._outbox:
                key = next(iter(self._outbox))
                message = self._outbox.pop(key)
                if not await _tried(self._layer.group_send(_group(message["room"]), message)):
                    self._outbox.setdefault(key, message)
                    await asyncio.sleep(RETRY_S)

    # --- subscribing ---

    def _room_changed(self, room: str) -> None:
        if room.startswith(OWN_GROUP) and room not in self._pending:
            self._pending[room] = asyncio.get_running_loop().create_future()
            self._changed.set()

    async def _subscribe(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._pending:
                room = next(iter(self._pending))
                done = await self._follow(room)
                self._pending.pop(room).set_result(None)
                if not done:
                    await asyncio.sleep(RETRY_S)
                if not done or (room in hub.rooms) != (room in self._joined):
                    self._room_changed(room)

    async def _follow(self, room: str) -> bool:
        """Subscribes or leaves, whichever the room asks for now."""
        if room in hub.rooms and room not in self._joined:
            if not await _tried(self._layer.group_add(_group(room), self._channel)):
                return False
            self._joined.add(room)
        elif room not in hub.rooms and room in self._joined:
            if not await _tried(self._layer.group_discard(_group(room), self._channel)):
                return False
            self._joined.discard(room)
        return True

    # --- listening ---

    async def _live(self) -> None:
        """Connects, listens and beats; where the beat is not heard, all of it again."""
        while True:
            listening: asyncio.Task[None] | None = None
            try:
                async with asyncio.timeout(CONNECT_LIMIT_S):
                    await self._connect()
                listening = asyncio.create_task(self._listen(self._channel))
                await self._beat_while(listening)
                error: Exception | None = None
            except Exception as failure:
                error = failure
            if not self.away:
                logger.warning("the channel layer is away: %s", error or "nothing is heard from it")
                self.away = True
            if listening is not None:
                await _ended([listening])
            await asyncio.sleep(RETRY_S)

    async def _connect(self) -> None:
        await self._layer.flush()
        self._joined.clear()
        self._channel = await self._layer.new_channel()
        await self._layer.group_add(ALL, self._channel)
        for room in list(hub.rooms):
            self._room_changed(room)

    async def _beat_while(self, listening: "asyncio.Task[None]") -> None:
        self._heard_at = time.monotonic()
        while not listening.done() and time.monotonic() - self._heard_at < SILENT_FOR_S:
            self._beat += 1
            beat = {"type": "relay", "from": self.process, "kind": "beat", "body": self._beat}
            async with asyncio.timeout(SILENT_FOR_S):
                await self._layer.group_send(ALL, beat)
            await asyncio.sleep(BEAT_EVERY_S)
            self._bury()

    async def _listen(self, channel: str) -> None:
        while True:
            message = await self._layer.receive(channel)
            try:
                self._take(message)
            except Exception:
                logger.exception("a message of another process could not be taken")

    def _take(self, message: Message) -> None:
        process, kind = message["from"], message["kind"]
        if kind == "beat":
            self._heard_beat(process, message["body"])
        elif process == self.process:
            return
        elif kind == "seats":
            self._ears.seats(message["room"], process, message["body"])
        else:
            self._ears.hear(message["room"], kind, message["body"], message["seq"])

    def _heard_beat(self, process: str, number: int) -> None:
        if process != self.process:
            self._others[process] = time.monotonic()
            return
        self._heard_at = time.monotonic()
        is_whole = not self.away and number == self._last_heard + 1
        self._last_heard = number
        if not is_whole:
            logger.info("the channel layer is heard")
            self.away = False
            self._ears.recovered()

    def _bury(self) -> None:
        """Takes leave of processes that beat no more."""
        now = time.monotonic()
        for process in [name for name, at in self._others.items() if now - at > GONE_AFTER_S]:
            del self._others[process]
            self._ears.gone(process)


def _group(room: str) -> str:
    return room if room.startswith(OWN_GROUP) else ALL


async def _tried(attempt: Coroutine[Any, Any, Any]) -> bool:
    """Whether it went well. That the layer is away is noticed and said by the beat."""
    try:
        await attempt
    except Exception:
        return False
    return True


async def _ended(tasks: "list[asyncio.Task[Any]]", *, cancel: bool = True) -> None:
    """Waits a moment for tasks to end; the library of the layer may swallow one cancellation."""
    for _attempt in range(3):
        for task in tasks:
            if cancel:
                task.cancel()
        _done, left = await asyncio.wait(tasks, timeout=END_LIMIT_S)
        if not left:
            return
