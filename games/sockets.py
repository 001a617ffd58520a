"""The base of every socket: one receive loop without thread hops, own parsing, bounded output.

Laws: a frame that cannot be understood is answered and the socket stays open; subscribe first,
then read the snapshot; a socket whose client stops reading keeps only the latest frame of each
kind and is closed (4008) when that lasts.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from django.conf import settings
from django.db import DatabaseError
from django.utils.translation import gettext as _

from games import metrics, watch
from games.encoding import encode
from games.frames import BadFrame, frame_for_its_id, parse_frame, reply_id_of
from games.hub import hub
from games.identity import NOBODY, Identity, NotSignedIn, credential_rooms, identify
from games.notice import notice, notice_frame
from games.origins import allowed_origin
from games.readers import read
from games.servertime import now_ms

logger = logging.getLogger(__name__)

SIGNED_OUT, FORBIDDEN, NOT_FOUND, TOO_SLOW, RESTARTING, TOO_MANY = 4001, 4003, 4004, 4008, 4012, 4029
MAILBOX_LIMIT = 100
STALLED_LIMIT_S = 30.0

Message = dict[str, Any]
Later = Callable[[], Awaitable[None]]


class Refused(Exception):
    """The socket cannot be opened; `code` is its close code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Allowance:
    """A token bucket for incoming frames, by the moments of their receipt."""

    __slots__ = ("_at_ms", "_burst", "_left", "_per_ms")

    def __init__(self, at_ms: int) -> None:
        self._burst, self._per_ms = float(settings.FRAMES_BURST), settings.FRAMES_PER_SECOND / 1000
        self._left = self._burst
        self._at_ms = at_ms

    def spend(self, at_ms: int) -> bool:
        gained = max(0, at_ms - self._at_ms) * self._per_ms
        self._left = min(self._burst, self._left + gained)
        self._at_ms = at_ms
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Socket:
    """One websocket. Subclasses say what they listen to and what they open with."""

    kind: ClassVar[str] = "other"
    """What an operator counts it as."""
    needs_player: ClassVar[bool] = False

    __slots__ = (
        "_allowance", "_close_code", "_closed", "_joined", "_mailbox", "_opened", "_send", "_stalled_at", "_wire",
        "identity", "kwargs", "scope",
    )  # fmt: skip

    def __init__(self, scope: Message, send: Callable[[Message], Awaitable[None]]) -> None:
        self.scope = scope
        self.kwargs: dict[str, str] = scope["url_route"]["kwargs"]
        self.identity = NOBODY
        self._send = send
        self._wire = scope.get("quarto.wire")
        self._joined: list[str] = []
        self._mailbox: dict[str, bytes] = {}
        self._opened = self._closed = False
        self._close_code: int | None = None
        self._stalled_at: float | None = None
        self._allowance = Allowance(now_ms())

    @classmethod
    def as_asgi(cls) -> Callable[..., Awaitable[None]]:
        async def application(scope: Message, receive: Any, send: Any) -> None:
            await cls(scope, send).run(receive)

        return application

    # --- what a subclass says ---

    def rooms(self) -> list[str]:
        """Addresses to listen to; asked once the identity is known and before the opening is read."""
        return []

    def opening(self, identity: Identity) -> list[Message]:
        """The first frames. Runs in a reader thread; raises Refused."""
        return []

    def joined(self) -> None:
        """Called on the loop when the opening frames are out."""

    def left(self) -> None:
        """Called on the loop when the socket has gone."""

    def receive_frame(self, frame: Message, received_ms: int) -> Later | None:
        """One understood frame; raises BadFrame for one that the socket does not know.

        Returns what has to wait for something: it is done before the next frame is taken.
        """
        raise BadFrame

    # --- life ---

    async def run(self, receive: Callable[[], Awaitable[Message]]) -> None:
        await receive()  # websocket.connect
        headers = dict(self.scope["headers"])
        if not allowed_origin(headers):
            await self._send({"type": "websocket.close"})  # before accept: HTTP 403
            return
        await self._send({"type": "websocket.accept"})
        if self._wire is not None:
            self._wire.on_drained = self._flush
        watch.opened(self)
        try:
            await self._open(headers)
            while (message := await self._next(receive))["type"] != "websocket.disconnect":
                later = message.get("quarto.later")
                if later is None:
                    later = self._take(message.get("text"), message.get("quarto.received_ms") or now_ms())
                if later is not None:
                    await later()
            self._close_code = self._close_code or message.get("code")
        finally:
            self._leave()

    async def _next(self, receive: Callable[[], Awaitable[Message]]) -> Message:
        """The next message. While it is waited for, a wire may hand frames over without a turn of the loop."""
        if self._wire is None:
            return await receive()
        self._wire.on_text = self._take
        try:
            return await receive()
        finally:
            self._wire.on_text = None

    async def _open(self, headers: dict[bytes, bytes]) -> None:
        for room in credential_rooms(headers):
            self._join(room)
        try:
            self.identity = await read(self.recognise, headers)
            for room in (*self._user_rooms(), *self.rooms()):
                self._join(room)
            frames = await read(self.opening, self.identity)
        except Refused as refused:
            self.shut(refused.code)
            return
        except DatabaseError:
            logger.exception("the database is away", extra=watch.about_socket(self))
            self.shut(RESTARTING)
            return
        if self._closed:  # signed out in the meantime
            return
        if notice() is not None:
            frames.append(notice_frame())
        for frame in frames:
            self.write(encode(frame))
        self._opened = True
        self.joined()
        self._flush()

    def recognise(self, headers: dict[bytes, bytes]) -> Identity:
        try:
            identity = identify(headers)
        except NotSignedIn as error:
            raise Refused(SIGNED_OUT) from error
        if self.needs_player and identity.player_id is None:
            raise Refused(SIGNED_OUT)
        return identity

    @property
    def is_open(self) -> bool:
        """Whether it has had its opening frames and was not closed."""
        return self._opened and not self._closed

    def _user_rooms(self) -> list[str]:
        return [] if self.identity.user_id is None else [f"user:{self.identity.user_id}"]

    def _take(self, text: str | None, received_ms: int) -> Later | None:
        """One frame, None where it is no text; returns what has to wait for something."""
        if self._closed:
            return None
        if not self._allowance.spend(received_ms):
            self.shut(TOO_MANY)
            return None
        try:
            return self.receive_frame(parse_frame(text), received_ms)
        except BadFrame:
            self.bad_frame(frame_for_its_id(text))
            return None

    def bad_frame(self, frame: Message) -> None:
        self.answer(encode({"type": "reply", "id": reply_id_of(frame), "ok": False, "code": "bad_request",
                            "detail": _("This message cannot be understood.")}))  # fmt: skip

    def _join(self, room: str, *, first: bool = False) -> None:
        hub.join(self, room, first=first)
        self._joined.append(room)

    def _leave(self) -> None:
        self._closed = True
        for room in self._joined:
            hub.leave(self, room)
        if self._wire is not None:
            self._wire.on_drained = self._wire.on_text = None
        if self._opened:
            self.left()
            metrics.dropped.inc(len(self._mailbox))
        watch.closed(self, self._close_code)

    # --- output ---

    def push(self, kind: str, frame: bytes) -> None:
        """Writes a frame, or keeps it as the latest of its kind while the client does not read."""
        if self._closed:
            return
        if self._wire is not None and self._opened and not self._wire.stalled:
            self._wire.write_text(frame)  # as nearly always
            return
        if self._opened and not self._stalled():
            self.write(frame)
            return
        if self._mailbox.pop(kind, None) is not None and self._opened:
            metrics.replaced.inc()
        self._mailbox[kind] = frame
        if len(self._mailbox) > MAILBOX_LIMIT:
            self.shut(TOO_SLOW)

    def answer(self, frame: bytes, *, state_follows: bool = False) -> None:
        """A reply: never dropped while the socket lives, never replaced by another."""
        if self._closed:
            return
        if self._stalled():
            self.push(f"reply:{len(self._mailbox)}:{time.monotonic_ns()}", frame)
        elif state_follows and self._wire is not None:
            self._wire.hold_text(frame)
        else:
            self.write(frame)

    def _stalled(self) -> bool:
        if self._wire is None or not self._wire.stalled:
            self._stalled_at = None
            return False
        now = time.monotonic()
        if self._stalled_at is None:
            self._stalled_at = now
        elif now - self._stalled_at > STALLED_LIMIT_S:
            self.shut(TOO_SLOW)
        return True

    def _flush(self) -> None:
        """The client reads again (or has its opening frames): sends what was kept."""
        self._stalled_at = None
        while self._mailbox and self._opened and not self._closed and not self._stalled():
            kind = next(iter(self._mailbox))
            self.write(self._mailbox.pop(kind))

    def write(self, frame: bytes) -> None:
        if self._wire is not None:
            self._wire.write_text(frame)
        else:
            self._later({"type": "websocket.send", "text": frame.decode()})

    def shut(self, code: int) -> None:
        if not self._closed:
            self._closed, self._close_code = True, code
            self._later({"type": "websocket.close", "code": code})

    def _later(self, message: Message) -> None:
        task = asyncio.ensure_future(self._send(message))
        _sending.add(task)
        task.add_done_callback(_sending.discard)


# The loop keeps only weak references to its tasks.
_sending: set["asyncio.Future[None]"] = set()
