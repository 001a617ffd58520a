"""A client that speaks websocket with as little as possible, and does not read what it is sent."""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager

from tests.server import PATIENCE_S, Server

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{headers}\r\n"
)


def masked(payload: bytes) -> bytes:
    """A text frame as a client must send it (RFC 6455, 5.3)."""
    mask = os.urandom(4)
    size = bytes((0x80 | len(payload),)) if len(payload) < 126 else b"\xfe" + struct.pack("!H", len(payload))
    return b"\x81" + size + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))


@contextmanager
def never_reading(server: Server, path: str, *headers: str) -> Iterator[socket.socket]:
    """An open websocket with the smallest of receive buffers, of which nothing more is read."""
    lines = "".join(f"{header}\r\n" for header in headers)
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)  # the kernel takes its least
        raw.settimeout(PATIENCE_S)
        raw.connect(("127.0.0.1", server.port))
        raw.sendall(HANDSHAKE.format(path=path, port=server.port, headers=lines).encode())
        assert raw.recv(12) == b"HTTP/1.1 101"
        yield raw
