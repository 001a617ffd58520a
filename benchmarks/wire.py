"""A cheap websocket client: the load generator must not be the bottleneck.

It speaks just enough of RFC 6455 for whole messages over loopback and makes no object per frame but its bytes.
"""

import asyncio
import base64
import os
from collections.abc import Callable
from urllib.parse import urlsplit

TEXT, BINARY, CLOSE, PING = 0x81, 0x82, 0x88, 0x89
_MASK = os.urandom(4)


def masked(payload: bytes, kind: int = TEXT) -> bytes:
    """One client frame with a short payload.

    >>> len(masked(b"x" * 10)), len(masked(b"x" * 200))
    (16, 208)
    """
    size = len(payload)
    head = bytes((kind, 0x80 | size)) if size < 126 else bytes((kind, 0x80 | 126)) + size.to_bytes(2, "big")
    key = int.from_bytes((_MASK * (size // 4 + 1))[:size], "big")
    return head + _MASK + (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")


class Wire(asyncio.Protocol):
    """One socket. `hear` is called with the bytes of every message: at once, or where it is None, never:
    then they are kept as they come, and taken apart when nothing is measured any more."""

    def __init__(self, request: bytes, hear: Callable[[bytes], None] | None) -> None:
        self._request, self.hear = request, hear
        self._kept: list[bytes] = []
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self.opened = asyncio.get_running_loop().create_future()
        self.closed = False

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        assert self._transport is not None
        self._transport.write(masked(payload, kind))

    def forget(self) -> None:
        """Drops what was kept, which must be whole frames."""
        self._kept.clear()

    def kept(self) -> list[bytes]:
        """The frames that were kept."""
        heard: list[bytes] = []
        self.hear = heard.append
        self._frames(b"".join(self._kept))
        return heard

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    # --- what asyncio calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server refused the socket"))

    def data_received(self, data: bytes) -> None:
        self._buffer = data = self._buffer + data if self._buffer else data
        if not self.opened.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.split(b"\r\n")[0].decode()))
                return
            self.opened.set_result(None)
        if self.hear is None:
            self._buffer = b""
            self._kept.append(data)
        else:
            self._buffer = self._frames(data)

    def _frames(self, data: bytes) -> bytes:
        """Hands on every whole frame; returns the rest."""
        at, size = 0, len(data)
        while size - at >= 2:
            length, body = data[at + 1], at + 2
            if length == 126:
                length, body = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, body = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if body + length > size or body > size:
                break
            self._take(data[at], data[body : body + length])
            at = body + length
        return data[at:]

    def _take(self, kind: int, payload: bytes) -> None:
        assert self._transport is not None
        if kind in (TEXT, BINARY):
            assert self.hear is not None
            self.hear(payload)
        elif kind == PING:
            self._transport.write(bytes((0x8A, 0x80 | len(payload))) + b"\0\0\0\0" + payload)
        elif kind == CLOSE:
            self._transport.close()


async def open_wire(url: str, hear: Callable[[bytes], None] | None, token: str | None = None) -> Wire:
    """Opens one socket; raises OSError where the server refuses it."""
    parts = urlsplit(url)
    lines = [
        f"GET {parts.path}{'?' + parts.query if parts.query else ''} HTTP/1.1",
        f"Host: {parts.netloc}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
    ]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    request = "\r\n".join([*lines, "", ""]).encode()
    assert parts.hostname is not None and parts.port is not None
    loop = asyncio.get_running_loop()
    _transport, wire = await loop.create_connection(lambda: Wire(request, hear), parts.hostname, parts.port)
    await wire.opened
    return wire
