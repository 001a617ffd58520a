"""The publisher: the only place that sends to sockets, and only after the commit.

`publish` and `close` may be called from any thread. In a process that serves no sockets (a
command, a test) they do nothing: no fact exists only as a message.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games.hub import hub

BOARD_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Update:
    """One change of one game: its whole state, encoded once, and the compact board if it belongs
    to an event (`event_slug`)."""

    game_id: str
    seq: int
    state: bytes
    event_slug: str | None
    board: bytes


class Publisher:
    """Hands frames to the event loop of this process once there is one."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._resting: dict[tuple[str, str], bytes | None] = {}

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def stop(self) -> None:
        self._loop = None

    def call(self, function: Callable[..., object], *args: object) -> None:
        """Runs `function` on the loop, where there is one that still runs."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *args)

    def updates(self, answers: Iterable[Callable[[], object]], updates: list[Update]) -> None:
        """Replies first, so that on the actor's own socket the reply precedes the state."""
        waiting = list(answers)
        if waiting or updates:
            self.call(self._deliver, waiting, updates)

    def _deliver(self, answers: list[Callable[[], object]], updates: list[Update]) -> None:
        for answer in answers:
            answer()
        for update in updates:
            hub.deliver(f"game:{update.game_id}", "state", update.state, seq=update.seq)
            if update.event_slug is not None:
                self._board(update.event_slug, update.game_id, update.board)

    def _board(self, slug: str, game_id: str, frame: bytes) -> None:
        """At most one frame a second for each board; the latest wins."""
        key = (slug, game_id)
        if key in self._resting:
            self._resting[key] = frame
        elif f"event:{slug}" in hub.rooms:
            hub.deliver(f"event:{slug}", f"board:{game_id}", frame)
            self._resting[key] = None
            asyncio.get_running_loop().call_later(BOARD_EVERY_S, self._rested, slug, game_id)

    def _rested(self, slug: str, game_id: str) -> None:
        frame = self._resting.pop((slug, game_id))
        if frame is not None:
            self._board(slug, game_id, frame)


publisher = Publisher()


def encode(frame: dict[str, Any]) -> bytes:
    return json.dumps(frame, separators=(",", ":")).encode()


def publish(room: str, frame: dict[str, Any]) -> None:
    """Sends one frame to everybody in `room`. Call it through `transaction.on_commit`.

    To a client that is slow to read, it replaces an earlier one of its type (about the same game).
    """
    publisher.call(hub.deliver, room, f"{frame['type']}:{frame.get('game', '')}", encode(frame))


def close(room: str, code: int) -> None:
    """Closes every socket in `room` with `code`."""
    publisher.call(hub.close, room, code)
