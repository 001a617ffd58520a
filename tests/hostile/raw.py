"""Bytes on a connection, with nothing between: websocket frames as nobody's library would write them."""

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import BinaryIO

from tests.server import PATIENCE_S, Server

TEXT, BINARY, CLOSE, PING, PONG, MORE = 1, 2, 8, 9, 10, 0
UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)
LAST = json.dumps({"id": "the last"}).encode()


def frame(
    opcode: int,
    payload: bytes = b"",
    *,
    fin: bool = True,
    rsv: int = 0,
    masked: bool = True,
    size: bytes = b"",
) -> bytes:
    """A frame (RFC 6455, 5.2); `size` is written in place of the true one, its first byte without the mask bit."""
    if not size:
        length = len(payload)
        size = bytes((length,)) if length < 126 else b"\x7e" + struct.pack("!H", length)
        size = size if length < 65536 else b"\x7f" + struct.pack("!Q", length)
    head = bytes((fin << 7 | rsv << 4 | opcode, size[0] | masked << 7)) + size[1:]
    return head + (b"\0\0\0\0" if masked else b"") + payload  # a mask of zeros leaves the payload as it is


@contextmanager
def connected(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as raw:
        yield raw


@dataclass
class Heard:
    """What the server said: the status of its answer, the texts, how often it ponged, and how it closed."""

    status: int = 0
    head: str = ""
    texts: list[str] = field(default_factory=list)
    pongs: int = 0
    close_code: int | None = None


def say(server: Server, path: str, *parts: bytes, more: str = "", hang_up: bool = False) -> Heard:
    """Opens a websocket, says all that at once and hears until the socket is closed or the last was answered.

    With `hang_up` nothing more can come after it: a frame that was announced and is not whole ends there.
    """
    upgrade = UPGRADE.format(path=path, port=server.port, more=more).encode("latin1")
    heard = Heard()
    with connected(server) as raw, raw.makefile("rb") as stream, suppress(ConnectionError, EOFError):
        raw.sendall(upgrade)
        heard.head = _head(stream)
        heard.status = int(heard.head.split(" ")[1]) if heard.head else 0
        if heard.status == 101:
            with suppress(ConnectionError):  # closed already; what it said is still there
                raw.sendall(b"".join(parts) + frame(TEXT, LAST))
                if hang_up:
                    with suppress(OSError):  # closed already
                        raw.shutdown(socket.SHUT_WR)
            _hear(stream, heard)
    return heard


def _hear(stream: BinaryIO, heard: Heard) -> None:
    while not heard.texts or json.loads(heard.texts[-1]).get("id") != "the last":
        opcode, payload = _frame(stream)
        match opcode:
            case 1:
                heard.texts.append(payload.decode())
            case 10:
                heard.pongs += 1
            case 8:
                heard.close_code = struct.unpack("!H", payload[:2])[0] if payload else 1005
                return


def _head(stream: BinaryIO) -> str:
    lines = []
    while line := stream.readline().decode("latin1").rstrip("\r\n"):
        lines.append(line)
    return "\r\n".join(lines)


def _frame(stream: BinaryIO) -> tuple[int, bytes]:
    first, size = _exactly(stream, 2)
    if size >= 126:
        size = int.from_bytes(_exactly(stream, 2 if size == 126 else 8))
    return first & 15, _exactly(stream, size)


def _exactly(stream: BinaryIO, count: int) -> bytes:
    found = stream.read(count)
    if len(found) < count:
        raise EOFError
    return found
