"""The publisher: the only place that sends to sockets, and only after the commit.

`publish` and `close` may be called from any thread. In a process that serves no sockets (a
command, a test) they do nothing: no fact exists only as a message.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.encoding import encode
from games.hub import hub
from games.relay import Relay

BOARD_EVERY_S = 1.0
CLOSE = "close"


class Update(NamedTuple):
    """One change of one game: its whole state, encoded once, and the compact board if it belongs
    to an event (`event_slug`)."""

    game_id: str
    seq: int
    state: bytes
    event_slug: str | None
    board: bytes


@dataclass(frozen=True, slots=True)
class Resting:
    """A board of an event that was shown less than a second ago, up to which `seq` it is known, and the
    `frame` that waits; `is_own` where other processes are to hear of it from here."""

    seq: int
    frame: bytes | None = None
    is_own: bool = False


class Publisher:
    """Hands frames to the event loop of this process once there is one, and to its `relay` where other
    processes serve the same site."""

    def __init__(self) -> None:
        self.relay: Relay | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._resting: dict[tuple[str, str], Resting] = {}

    def start(self, loop: asyncio.AbstractEventLoop, relay: Relay | None = None) -> None:
        self._loop, self.relay = loop, relay

    def stop(self) -> None:
        self._loop = self.relay = None

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
            if self.relay is not None:
                self.relay.send(f"game:{update.game_id}", "state", update.state, update.seq)
            if update.event_slug is not None:
                self._board(update.event_slug, update.game_id, Resting(update.seq, update.board, True))

    def _board(self, slug: str, game_id: str, news: Resting) -> None:
        """At most one frame a second for each board; the latest wins."""
        key, room = (slug, game_id), f"event:{slug}"
        resting = self._resting.get(key)
        if resting is not None:
            if news.seq > resting.seq:
                self._resting[key] = news
            return
        relay = self.relay if news.is_own else None
        if news.frame is not None and (relay is not None or room in hub.rooms):
            hub.deliver(room, f"board:{game_id}", news.frame)
            if relay is not None:
                relay.send(room, f"board:{game_id}", news.frame, news.seq)
            self._resting[key] = Resting(news.seq)
            asyncio.get_running_loop().call_later(BOARD_EVERY_S, self._rested, slug, game_id)

    def _rested(self, slug: str, game_id: str) -> None:
        resting = self._resting.pop((slug, game_id))
        if resting.frame is not None:
            self._board(slug, game_id, resting)

    def tell(self, room: str, kind: str, frame: bytes) -> None:
        """On the loop: to everybody in a room, here and elsewhere."""
        hub.deliver(room, kind, frame)
        if self.relay is not None:
            self.relay.send(room, kind, frame)

    def announce(self, frame: dict[str, Any]) -> None:
        """To every socket of this process; each process does so for its own."""
        self.call(hub.deliver_to_all, kind_of(frame), encode(frame))

    def shut(self, room: str, code: int) -> None:
        """On the loop: closes every socket in a room, here and elsewhere."""
        hub.close(room, code)
        if self.relay is not None:
            self.relay.send(room, CLOSE, code)

    def hear(self, room: str, kind: str, body: Any, seq: int | None) -> None:
        """On the loop: what another process has told."""
        if kind == CLOSE:
            hub.close(room, body)
        elif kind.startswith("board:") and seq is not None:
            self._board(room.partition(":")[2], kind.partition(":")[2], Resting(seq, body))
        elif seq is None or hub.is_news(room, seq):
            hub.deliver(room, kind, body, seq=seq)


publisher = Publisher()


def publish(room: str, frame: dict[str, Any]) -> None:
    """Sends one frame to everybody in `room`. Call it through `transaction.on_commit`.

    To a client that is slow to read, it replaces an earlier one of its type (about the same game).
    """
    publisher.call(publisher.tell, room, kind_of(frame), encode(frame))


def kind_of(frame: dict[str, Any]) -> str:
    """What a frame replaces: an earlier one of its type about the same game."""
    return f"{frame['type']}:{frame.get('game', '')}"


def close(room: str, code: int) -> None:
    """Closes every socket in `room` with `code`."""
    publisher.call(publisher.shut, room, code)


def layer_is_heard() -> bool | None:
    """Whether this process hears the others; None where it is the only one."""
    return None if publisher.relay is None else not publisher.relay.away
