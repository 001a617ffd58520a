"""Daphne with what live games need: the moment of receipt, sockets of its own (`wire`), a clean stop.

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
from twisted.internet import reactor

from games.servertime import now_ms
from games.sockets import RESTARTING
from quarto_site.bounds import BoundedHTTPFactory
from quarto_site.wire import LiveProtocol

logger = logging.getLogger(__name__)

DRAIN_LIMIT_S = 3.0

daphne_server.HTTPFactory = BoundedHTTPFactory  # the name by which Daphne makes its own

# Twisted counts by the wall clock: set back by an hour, it would hold every timer that runs for an hour.
reactor.seconds = time.monotonic  # type: ignore[method-assign, misc]


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
