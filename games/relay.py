"""The relay between the processes that serve one site: one channel layer, and no socket ever waits for it.

Each process has a group of its own and tells the others which boards and events somebody here looks
at. A state goes to the processes that want it and to nobody else; of what waits for a process
everything goes out in one message. All that is rare (the lobby, players, sign-outs) goes to all, so
that no credential is the name of anything outside.

Messages may be lost and may come twice. What is sent is the whole of a fact: the latest of its kind
waits while the layer is away, and goes out when it is back. Each process listens for its own beat:
where that stays out or a number is missing, something was not heard, and `recovered` is called
once it is heard again.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from games.hub import hub

logger = logging.getLogger(__name__)

ALL = "all"
BEAT_EVERY_S = 1.0
SILENT_FOR_S = 3.0
GONE_AFTER_S = 5.0
RETRY_S = 0.5
CONNECT_LIMIT_S = 5.0
END_LIMIT_S = 0.5
OUTBOX_LIMIT = 10_000
PARTS_AT_MOST = 200

Part = tuple[str, str, Any, int | None]
"""Room, kind, body, and the seq of a state."""


@dataclass(frozen=True, slots=True)
class Ears:
    """Whom the relay tells, always on the loop."""

    hear: Callable[[str, str, Any, int | None], None]
    seats: Callable[[str, str, Any], None]
    """Room, process, body."""
    gone: Callable[[str], None]
    """The process that has gone."""
    opened: Callable[[str], None]
    """The room: until the others know that it is wanted here, something may have been said in it."""
    recovered: Callable[[], None]


class Relay:
    """This process's part. Everything but the constructor is called on the loop."""

    def __init__(self, layer: Any, ears: Ears) -> None:
        self.process = secrets.token_hex(4)
        self.away = True
        self._layer, self._ears = layer, ears
        self._channel = ""
        self._outbox: dict[str, dict[tuple[str, str], Part]] = {}
        self._posted = asyncio.Event()
        self._wanted_by: dict[str, set[str]] = {}
        self._others: dict[str, float] = {}
        self._beat = self._last_heard = 0
        self._heard_at = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        hub.on_change = self._room_changed
        self._tasks = [loop.create_task(work()) for work in (self._live, self._post)]

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
        if _is_addressed(room, kind):
            for process, rooms in self._wanted_by.items():
                if room in rooms:
                    self._put(process, (room, kind, body, seq))
        else:
            self._put(ALL, (room, kind, body, seq))

    def _put(self, target: str, part: Part) -> None:
        waiting = self._outbox.setdefault(target, {})
        waiting.pop(part[:2], None)
        waiting[part[:2]] = part
        if len(waiting) > OUTBOX_LIMIT:
            del waiting[next(iter(waiting))]
        self._posted.set()

    async def _post(self) -> None:
        while True:
            await self._posted.wait()
            self._posted.clear()
            while self._outbox:
                if self.away:  # the others are just as likely to hear nothing
                    await asyncio.sleep(RETRY_S)
                    continue
                target = next(iter(self._outbox))
                parts = _first(self._outbox, target)
                message = {"type": "relay", "from": self.process, "parts": parts}
                if not await _tried(self._layer.group_send(target, message)):
                    waiting = self._outbox.get(target, {})
                    self._outbox[target] = {part[:2]: part for part in parts} | waiting
                    await asyncio.sleep(RETRY_S)

    # --- who wants what ---

    def _room_changed(self, room: str) -> None:
        if room.startswith(("game:", "event:")):
            is_open = room in hub.rooms
            self._put(ALL, (room, "wanted", is_open, None))
            if is_open:
                self._ears.opened(room)

    def _tell_wanted(self, target: str, *, asks: bool) -> None:
        rooms = [room for room in hub.rooms if room.startswith(("game:", "event:"))]
        self._put(target, ("", "all wanted", [rooms, asks], None))

    def _take(self, process: str, part: Part) -> None:
        room, kind, body, seq = part
        match kind:
            case "wanted":
                rooms = self._wanted_by.setdefault(process, set())
                (rooms.add if body else rooms.discard)(room)
            case "all wanted":
                self._wanted_by[process] = set(body[0])
                if body[1]:
                    self._tell_wanted(process, asks=False)
            case "seats":
                self._ears.seats(room, process, body)
            case _:
                self._ears.hear(room, kind, body, seq)

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
        self._channel = await self._layer.new_channel()
        for group in (ALL, self.process):
            await self._layer.group_add(group, self._channel)

    async def _beat_while(self, listening: "asyncio.Task[None]") -> None:
        self._heard_at = time.monotonic()
        while not listening.done() and time.monotonic() - self._heard_at < SILENT_FOR_S:
            self._beat += 1
            beat = {"type": "relay", "from": self.process, "beat": self._beat}
            async with asyncio.timeout(SILENT_FOR_S):
                await self._layer.group_send(ALL, beat)
            await asyncio.sleep(BEAT_EVERY_S)
            self._bury()

    async def _listen(self, channel: str) -> None:
        while True:
            message = await self._layer.receive(channel)
            process = message["from"]
            if "beat" in message:
                self._heard_beat(process, message["beat"])
            elif process != self.process:
                for part in message["parts"]:
                    try:
                        self._take(process, part)
                    except Exception:
                        logger.exception("what another process told could not be taken")

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
            self._tell_wanted(ALL, asks=True)
            self._ears.recovered()

    def _bury(self) -> None:
        """Takes leave of processes that beat no more."""
        now = time.monotonic()
        for process in [name for name, at in self._others.items() if now - at > GONE_AFTER_S]:
            del self._others[process]
            self._wanted_by.pop(process, None)
            self._outbox.pop(process, None)
            self._ears.gone(process)


def _is_addressed(room: str, kind: str) -> bool:
    """Whether only those hear of it who look at it: what makes up nearly all that is said."""
    return room.startswith("game:") or (room.startswith("event:") and kind.startswith("board:"))


def _first(outbox: dict[str, dict[tuple[str, str], Part]], target: str) -> list[Part]:
    """Takes out what has waited longest for a target, as much as fits a message."""
    waiting = outbox.pop(target)
    parts = list(waiting.values())
    if len(parts) > PARTS_AT_MOST:
        outbox[target] = {part[:2]: part for part in parts[PARTS_AT_MOST:]}
    return parts[:PARTS_AT_MOST]


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
