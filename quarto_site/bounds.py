"""What a connection may cost before anything of the site is asked: bodies, pings, pieces of a message.

Daphne would keep a body of any size on the disk, answer every ping of a client that reads nothing, and
fall over headers that only it understands.
"""

import os
import resource
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings

from games.servertime import now_ms
from games.sockets import TOO_MANY, Allowance

# Read and thrown away, so that a client that is still sending reads why it was refused.
LINGER_BYTES = 8_000_000
RESERVED_FILES = 100
CONTINUATION = 0
TOO_LARGE = b'{"code": "bad_request", "detail": "The body is too large."}'
REFUSAL = (
    b"HTTP/1.1 413 Content Too Large\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(TOO_LARGE), TOO_LARGE)
)
# The one would let a client choose the site's root; the other names protocols, of which the sockets have none.
OF_NO_MEANING_HERE = (b"daphne-root-path", b"sec-websocket-protocol")


class BoundedRequest(WebRequest):
    """A request whose body is at most DATA_UPLOAD_MAX_MEMORY_SIZE; a larger one is refused as it comes in."""

    _received = 0
    _refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        if length is None or length <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            super().gotLength(length)
            return
        super().gotLength(0)
        self._refuse()
        if length > LINGER_BYTES:
            self.channel.loseConnection()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        self._received += len(data)
        if self._received <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE and not self._refused:
            super().handleContentChunk(data)
            return
        if not self._refused:
            self._refuse()
        if self._received > LINGER_BYTES:
            self.channel.loseConnection()

    def _refuse(self) -> None:
        self._refused = True
        self.channel.transport.write(REFUSAL)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802 - Twisted's name
        if self._refused:
            self.channel.loseConnection()
        else:
            super().requestReceived(command, path, version)

    def process(self) -> Any:
        for name in OF_NO_MEANING_HERE:
            self.requestHeaders.removeHeader(name)
        return super().process()


def raise_limit_of_files() -> None:
    """As many files and connections as the machine's administrator allows, not only as many as is usual."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _has_room() -> bool:
    """Whether one more connection leaves files for the database, told by the number of the next that is opened."""
    number = os.open(os.devnull, os.O_RDONLY)
    os.close(number)
    return number < resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_FILES


class BoundedHTTPFactory(HTTPFactory):
    """Daphne's, with bounded requests, and of no more connections than leave the database its files."""

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 - Twisted's name
        if not _has_room():
            return None  # Twisted closes it
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = BoundedRequest
        return protocol


class BoundedFrames:
    """For a websocket: pings, pongs and the pieces of a message are counted as messages are, each for itself.

    While a client does not read, nothing piles up for it: of its pings the latest is answered when it reads
    again (RFC 6455, 5.5.3).
    """

    _extras: Allowance | None = None
    _owed: bytes | None = None

    def onPing(self, payload: bytes) -> None:  # noqa: N802 - the library's name
        if self._may_go_on():
            self._owed = payload
            self.answer_ping()

    def answer_ping(self) -> None:
        """Sends the pong that is owed, unless the client does not read."""
        if self._owed is not None and not self.stalled:  # type: ignore[attr-defined]
            payload, self._owed = self._owed, None
            super().onPing(payload)  # type: ignore[misc]

    def onPong(self, payload: bytes) -> None:  # noqa: N802 - the library's name
        if self._may_go_on():
            super().onPong(payload)  # type: ignore[misc]

    def onMessageFrameBegin(self, length: int) -> None:  # noqa: N802 - the library's name
        super().onMessageFrameBegin(length)  # type: ignore[misc]
        if self.current_frame.opcode == CONTINUATION:  # type: ignore[attr-defined]
            self._may_go_on()

    def _may_go_on(self) -> bool:
        """Counts one; False, and the socket closed, where it was one too many."""
        at_ms = now_ms()
        if self._extras is None:
            self._extras = Allowance(at_ms)
        if self._extras.spend(at_ms):
            return True
        self.serverClose(code=TOO_MANY)  # type: ignore[attr-defined]
        return False
