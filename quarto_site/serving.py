"""Daphne with what live games need: the moment of receipt, the outgoing buffer, a clean stop.

A thin subclass at Daphne's own points of extension (`Server.create_application`,
`WebSocketFactory.protocol`): everything that is not named here is Daphne's.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from daphne import server as daphne_server
from daphne.server import Server, twisted_loop
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from twisted.internet import reactor
from twisted.internet.tcp import Server as PlainConnection

from games.servertime import now_ms
from games.sockets import RESTARTING, TOO_MANY
from quarto_site.security import CSP, HEADERS, SITE_POLICY
from quarto_site.bounds import BoundedFrames, BoundedHTTPFactory

logger = logging.getLogger(__name__)

REFUSAL_HEADERS = {CSP: SITE_POLICY, **HEADERS, "Referrer-Policy": "same-origin"}
DRAIN_LIMIT_S = 3.0
INBOX_S = 20  # how long frames may come in at the full rate while none can be taken


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


def _send_at_once(transport: Any, frame: bytes) -> bytes:
    """Hands a frame to the kernel where nothing waits before it; returns what is left to be buffered.

    Twisted would register a writer and turn its loop for each frame: a third of an action's cost.
    Only on plain connections; `_tempDataBuffer` is private to Twisted and tells what was written
    since the loop last turned.
    """
    if type(transport) is not PlainConnection or transport.disconnecting or not transport.connected:
        return frame
    if transport.dataBuffer or getattr(transport, "_tempDataBuffer", True):
        return frame
    sent = transport.writeSomeData(frame)
    return frame[sent:] if isinstance(sent, int) else frame


class LiveProtocol(BoundedFrames, WebSocketProtocol):
    """A websocket that stamps what it receives and tells when its client stops reading.

    It registers itself as the transport's producer: Twisted then says when the outgoing buffer
    is over its limit (64 KiB) and when it is empty again.
    """

    stalled = False
    on_drained: Callable[[], None] | None = None

    def onConnect(self, request: Any) -> Any:  # noqa: N802 - Daphne's name
        self.transport.unregisterProducer()  # the HTTP channel that this connection was
        self.transport.registerProducer(self, True)
        self.failByDrop = False  # a frame over the limit is told so (1009)
        return super().onConnect(request)

    def sendHttpErrorResponse(self, code: int, reason: str, responseHeaders: Any = None) -> None:  # noqa: N802, N803
        """A refused handshake is an answer like others."""
        super().sendHttpErrorResponse(code, reason, [*(responseHeaders or ()), *REFUSAL_HEADERS.items()])

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 - Daphne's names
        received_ms = now_ms()  # before any queue
        if self.muted:
            return
        if self.application_queue.qsize() > settings.FRAMES_BURST + INBOX_S * settings.FRAMES_PER_SECOND:
            self.serverClose(code=TOO_MANY)
            return
        self.last_ping = time.time()
        content = {"bytes": payload} if isBinary else {"text": payload.decode()}
        self.application_queue.put_nowait(
            {"type": "websocket.receive", "quarto.received_ms": received_ms, **content}
        )

    def write_text(self, payload: bytes) -> None:
        """Sends one text message past the framing of the library, which costs most of a send."""
        if self.state == self.STATE_OPEN:
            rest = _send_at_once(self.transport, text_frame(payload))
            if rest:
                self.transport.write(rest)

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        self.stalled = True

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        self.stalled = False
        if self.on_drained is not None:
            self.on_drained()

    def stopProducing(self) -> None:  # noqa: N802 - Twisted's name
        self.stalled = True


WebSocketFactory.protocol = LiveProtocol
daphne_server.HTTPFactory = BoundedHTTPFactory  # the name by which Daphne makes its own


class LiveServer(Server):
    """Daphne that announces its address, stamps requests and drains before it stops.

    `on_drain` runs when new connections are refused and before the sockets are closed.
    """

    def __init__(self, *args: Any, on_drain: Callable[[], Awaitable[None]], **options: Any) -> None:
        super().__init__(*args, signal_handlers=False, **options)
        self.on_drain = on_drain
        self.ports: list[Any] = []
        self.draining = False
        self.failed = False

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        scope["quarto.received_ms"] = now_ms()
        if scope["type"] == "websocket":
            scope["quarto.wire"] = protocol
        return super().create_application(protocol, scope)

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self.ports.append(port)
        host = port.getHost()
        name = f"[{host.host}]" if ":" in host.host else host.host
        print(f"Listening on http://{name}:{host.port}", flush=True)  # noqa: T201

    def listen_error(self, failure: Any) -> None:
        self.failed = True
        super().listen_error(failure)

    def drain(self) -> None:
        """Refuses new connections, lets what was received be judged and answered, closes with 4012, stops."""
        if not self.draining:
            self.draining = True
            self._drain_task = twisted_loop.create_task(self._drain())

    async def _drain(self) -> None:
        try:
            for port in self.ports:
                port.stopListening()
            answers = self._running_requests()
            await self.on_drain()
            for protocol in self._open_sockets():
                protocol.serverClose(code=RESTARTING)
            end = time.monotonic() + DRAIN_LIMIT_S
            if answers:
                await asyncio.wait(answers, timeout=DRAIN_LIMIT_S)
                await asyncio.sleep(0.02)  # for Twisted to write them
            while self._open_sockets() and time.monotonic() < end:  # noqa: ASYNC110 - sockets close in Twisted
                await asyncio.sleep(0.02)
        except Exception:
            logger.exception("the drain failed")
        finally:
            reactor.stop()  # type: ignore[misc]

    def _running_requests(self) -> list[asyncio.Task[Any]]:
        """Those over HTTP that came before and have no answer yet."""
        return [
            details["application_instance"]
            for protocol, details in self.connections.items()
            if not isinstance(protocol, LiveProtocol)
            and "application_instance" in details
            and not details["application_instance"].done()
        ]

    def _open_sockets(self) -> list[LiveProtocol]:
        return [
            protocol
            for protocol, details in self.connections.items()
            if isinstance(protocol, LiveProtocol) and "disconnected" not in details
        ]
