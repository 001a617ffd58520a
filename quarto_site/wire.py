"""One websocket as Daphne has it, with what live games need: the moment of receipt, the outgoing buffer, and
the short way for what makes up nearly all the traffic: a small message in, a text out.

Whatever is unusual goes the library's way: fragments, control frames, binary or compressed messages, large
ones, those cut by the network, wrong ones; TLS; a connection in which something waits to be sent. What is
private to a library is guarded: where it is not there, the library's way is taken as well.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from twisted.internet.tcp import Server as PlainConnection

from games.servertime import now_ms
from games.sockets import TOO_MANY
from quarto_site.bounds import BoundedFrames
from quarto_site.security import CSP, HEADERS, SITE_POLICY

logger = logging.getLogger(__name__)

REFUSAL_HEADERS = {CSP: SITE_POLICY, **HEADERS, "Referrer-Policy": "same-origin"}
INBOX_S = 20  # how long frames may come in at the full rate while none can be taken
OPEN = WebSocketProtocol.STATE_OPEN
HEAD = 6  # bytes of a small frame before its payload: kind, size, mask
assert settings.FRAME_LIMIT_BYTES > 125

Later = Callable[[], Awaitable[None]]


@lru_cache(maxsize=1)  # the same frame goes to everybody in a room
def text_frame(payload: bytes) -> bytes:
    """A whole text message as one unmasked frame (RFC 6455, 5.2).

    >>> text_frame(b"ok")
    b'\\x81\\x02ok'
    """
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload


def small_text(received: bytes) -> tuple[str, int] | None:
    """The text of a whole masked message of less than 126 bytes that comes first, and the size of its frame;
    None where something else comes first.

    >>> small_text(bytes.fromhex("8182 01020304 6e69") + b"more")
    ('ok', 8)
    """
    if len(received) < HEAD or received[0] != 0x81 or not 0x80 <= received[1] < 0xFE:
        return None
    end = HEAD + received[1] - 0x80
    if len(received) < end:
        return None
    size = end - HEAD
    mask = int.from_bytes((received[2:HEAD] * (size // 4 + 1))[:size], "big")
    payload = (int.from_bytes(received[HEAD:end], "big") ^ mask).to_bytes(size, "big")
    try:
        return payload.decode(), end
    except UnicodeDecodeError:
        return None


def send_at_once(transport: Any, frame: bytes) -> bytes:
    """Hands a frame to the kernel where nothing waits before it; returns what is left to be buffered.

    Twisted would register a writer and turn its loop for each frame: a third of an action's cost.
    Only on plain connections; `_tempDataBuffer` is private to Twisted and tells what was written
    since the loop last turned. A connection that is lost is left for Twisted to find out.
    """
    if type(transport) is not PlainConnection or transport.disconnecting or not transport.connected:
        return frame
    if transport.dataBuffer or getattr(transport, "_tempDataBuffer", True):
        return frame
    try:
        return frame[transport.socket.send(frame) :]
    except OSError:
        return frame


def read_directly(transport: Any) -> None:
    """Lets the loop call what reads from a connection, without Twisted's context for the log of each reading.

    `_readers` and `_readOrWrite` are private to Twisted. A connection that stops and resumes reading is read
    in Twisted's way from then on.
    """
    reactor = getattr(transport, "reactor", None)
    read = getattr(reactor, "_readOrWrite", None)
    if read is not None and transport in getattr(reactor, "_readers", ()):
        asyncio.get_running_loop().add_reader(transport.fileno(), read, transport, True)


_holding: "list[LiveProtocol]" = []


def release_all() -> None:
    holding = _holding.copy()
    _holding.clear()
    for protocol in holding:
        protocol.release()


class LiveProtocol(BoundedFrames, WebSocketProtocol):
    """A websocket that stamps what it receives and tells when its client stops reading.

    It registers itself as the transport's producer: Twisted then says when the outgoing buffer
    is over its limit (64 KiB) and when it is empty again. While the application does nothing but wait
    for a message, it may set `on_text`, which takes the text (None for a binary message) and its moment
    without a turn of the loop, and returns what is to be done later, if anything.
    """

    stalled = False
    on_drained: Callable[[], None] | None = None
    on_text: Callable[[str | None, int], Later | None] | None = None

    CONFIG_ATTRS: tuple[str, ...] = ()
    _held = b""

    def connectionMade(self) -> None:  # noqa: N802 - Twisted's name
        """The library takes its settings over in the same way, but with a line for a debug log that costs as much
        as all the rest of a handshake."""
        for name in WebSocketProtocol.CONFIG_ATTRS:
            if not hasattr(self, name):
                setattr(self, name, getattr(self.factory, name))
        super().connectionMade()

    def onConnect(self, request: Any) -> Any:  # noqa: N802 - Daphne's name
        self.transport.unregisterProducer()  # the HTTP channel that this connection was
        self.transport.registerProducer(self, True)
        self.failByDrop = False  # a frame over the limit is told so (1009)
        answer = super().onConnect(request)
        self.last_ping = time.monotonic()
        return answer

    def sendHttpErrorResponse(self, code: int, reason: str, responseHeaders: Any = None) -> None:  # noqa: N802, N803
        """A refused handshake is an answer like others."""
        super().sendHttpErrorResponse(code, reason, [*(responseHeaders or ()), *REFUSAL_HEADERS.items()])

    def check_timeouts(self) -> None:
        """As Daphne's, by a clock that does not step: asks whoever has been quiet whether he is still there."""
        quiet_s = time.monotonic() - self.last_ping
        if self.state == OPEN and quiet_s > self.server.ping_interval:
            self._sendAutoPing()
            self.last_ping = time.monotonic()
        elif self.state == self.STATE_CONNECTING and quiet_s > self.server.websocket_connect_timeout:
            self.serverReject()

    def onOpen(self) -> None:  # noqa: N802 - Daphne's name
        super().onOpen()
        read_directly(self.transport)

    # --- in ---

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        while self._is_between_frames() and (small := small_text(data)) is not None:
            text, size = small
            data = data[size:]
            self._heard(text)
        if data:
            super().dataReceived(data)

    def _is_between_frames(self) -> bool:
        """Whether a new message may begin here, and the library waits for nothing, not even for a pong."""
        try:
            return (
                self.state == OPEN
                and not self.data
                and self.current_frame is None
                and not self.inside_message
                and not self.autoPingTimeoutCall
            )
        except AttributeError:
            return False

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 - Daphne's names
        self._heard(None if isBinary else payload.decode())

    def _heard(self, text: str | None) -> None:
        received_ms = now_ms()  # before any queue
        if self.muted:
            return
        self.last_ping = time.monotonic()
        queue, take = self.application_queue, self.on_text
        if take is not None and queue.empty():
            later = self._take(take, text, received_ms)
            if later is not None:
                queue.put_nowait({"type": "websocket.receive", "quarto.later": later})
        elif queue.qsize() > settings.FRAMES_BURST + INBOX_S * settings.FRAMES_PER_SECOND:
            self.serverClose(code=TOO_MANY)
        else:
            queue.put_nowait({"type": "websocket.receive", "quarto.received_ms": received_ms, "text": text})

    def _take(
        self, take: Callable[[str | None, int], Later | None], text: str | None, received_ms: int
    ) -> Later | None:
        try:
            return take(text, received_ms)
        except Exception as error:  # as Daphne does where the application fails
            logger.exception("a message could not be taken")
            self.handle_exception(error)
            return None

    # --- out ---

    def write_text(self, payload: bytes) -> None:
        """Sends one text message past the framing of the library, which costs most of a send."""
        if self.state == OPEN:
            frame = text_frame(payload)
            if self._held:
                frame, self._held = self._held + frame, b""
            rest = send_at_once(self.transport, frame)
            if rest:
                self.transport.write(rest)

    def hold_text(self, payload: bytes) -> None:
        """Sends a message together with the next one, which follows at once, or else at the loop's next turn."""
        if self.state == OPEN:
            if not _holding:
                asyncio.get_running_loop().call_soon(release_all)
            _holding.append(self)
            self._held += text_frame(payload)

    def release(self) -> None:
        """Sends what is held."""
        held, self._held = self._held, b""
        if held and self.state == OPEN:
            self.transport.write(send_at_once(self.transport, held))

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802 - Daphne's name
        self.release()
        super().serverClose(code)

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        self.stalled = True

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        self.stalled = False
        self.answer_ping()
        if self.on_drained is not None:
            self.on_drained()

    def stopProducing(self) -> None:  # noqa: N802 - Twisted's name
        self.stalled = True


WebSocketFactory.protocol = LiveProtocol
