"""The short way of a message gives what the library's way gives, byte for byte and message for message."""

import asyncio
import socket
import warnings
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import daphne.server  # noqa: F401 - it chooses the reactor, so nothing of Twisted may come before it
    from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
    from twisted.internet.tcp import Server as PlainConnection
    from twisted.internet.testing import StringTransport

    from quarto_site.wire import LiveProtocol, read_directly, send_at_once, small_text, text_frame

HANDSHAKE = (
    b"GET /ws/lobby/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
LIMIT = 300


class Server:
    """Daphne, as far as a protocol uses it."""

    root_path = ""
    proxy_forwarded_address_header = None

    def __init__(self):
        self.queue, self.connected = asyncio.Queue(), True

    def create_application(self, protocol, scope):
        return self.queue

    def protocol_connected(self, protocol):
        pass

    def protocol_disconnected(self, protocol):
        self.connected = False

    def log_action(self, *_about):
        pass


class Transport(StringTransport):
    def abortConnection(self):  # noqa: N802 - Twisted's name
        self.loseConnection()

    def setTcpNoDelay(self, _on):  # noqa: N802 - Twisted's name
        pass


class Line:
    """An open websocket of either kind in the hands of a test."""

    def __init__(self, kind):
        factory = WebSocketFactory(Server(), server="test")
        factory.protocol = kind
        factory.setProtocolOptions(
            maxFramePayloadSize=LIMIT, maxMessagePayloadSize=LIMIT, openHandshakeTimeout=0
        )
        self.protocol, self.transport = factory.buildProtocol(None), Transport()
        self.protocol._raw_query_string = b""
        self.transport.registerProducer(object(), True)
        self.transport.protocol = self.protocol
        self.protocol.makeConnection(self.transport)
        self.protocol.failByDrop = False
        self.protocol.dataReceived(HANDSHAKE)
        self.protocol.serverAccept()
        self.queue = factory.server_class.queue
        assert self.queue.get_nowait() == {"type": "websocket.connect"}
        self.transport.clear()

    def receive(self, chunks):
        for chunk in chunks:
            if not self.transport.disconnecting:
                self.protocol.dataReceived(chunk)

    @property
    def heard(self):
        messages = [self.queue.get_nowait() for _message in range(self.queue.qsize())]
        return [
            (message["type"], message.get("text"), message.get("bytes"), message.get("code"))
            for message in messages
        ]

    @property
    def became(self):
        """What went out and how it stands; close frames come one by one."""
        return self.transport.value(), self.transport.disconnecting, self.protocol.state


def frame(kind, payload, mask=b"\x01\x02\x03\x04", *, size=None):
    """A client's frame; `size` is what it says of its payload."""
    size = len(payload) if size is None else size
    head = bytes((kind, 0x80 | size)) if size < 126 else bytes((kind, 0xFE)) + size.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


def parts(stream, cuts):
    ends = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    return [stream[start:end] for start, end in pairwise(ends)]


TEXTS = st.text(max_size=60).map(str.encode)
MASKS = st.binary(min_size=4, max_size=4)
KINDS = st.sampled_from([0x81, 0x81, 0x81, 0x01, 0x00, 0x80, 0x82, 0x89, 0x8A, 0x88, 0xC1, 0x83, 0x8B])
FRAMES = st.one_of(
    st.builds(frame, st.just(0x81), TEXTS, MASKS),
    st.builds(frame, KINDS, TEXTS | st.binary(max_size=130), MASKS),
    st.builds(lambda payload: b"\x81" + bytes((len(payload),)) + payload, st.binary(max_size=9)),
    st.binary(max_size=5),
)


@given(frames=st.lists(FRAMES, max_size=6), cuts=st.lists(st.integers(1, 400), max_size=5))
@example(frames=[frame(0x81, b"\xff")], cuts=[])
@example(frames=[frame(0x81, b"\xed\xa0\x80")], cuts=[])
@example(frames=[frame(0x81, b""), frame(0x81, b"x" * 125), frame(0x81, b"x" * 126)], cuts=[])
@example(frames=[frame(0x01, b"a"), frame(0x81, b"b"), frame(0x80, b"c")], cuts=[7, 14])
@example(frames=[b"\x81", frame(0x81, b"")], cuts=[1])
@example(frames=[frame(0x89, frame(0x81, b"ab", bytes(4)), bytes(4))], cuts=[6])
@example(frames=[frame(0x88, b"\x03\xe8"), frame(0x81, b"late")], cuts=[8])
@example(frames=[frame(0x81, b"x" * 200, size=LIMIT + 1), frame(0x81, b"y")], cuts=[50])
@settings(max_examples=150, deadline=None)
def test_every_stream_of_bytes_is_understood_as_the_library_understands_it(frames, cuts):
    live, stock = Line(LiveProtocol), Line(WebSocketProtocol)
    chunks = parts(b"".join(frames), cuts)
    for chunk in chunks:
        live.receive([chunk])
        stock.receive([chunk])
        assert live.became == stock.became
        texts = [(kind, text, None, code) for kind, text, _binary, code in stock.heard]
        assert live.heard == texts


def test_what_comes_after_the_server_has_closed_is_as_the_library_has_it():
    live, stock = Line(LiveProtocol), Line(WebSocketProtocol)
    for line in (live, stock):
        line.protocol.serverClose(code=4012)
        line.receive([frame(0x81, b"late"), frame(0x88, b"\x0f\xac")])
    assert live.heard == stock.heard
    assert live.became == stock.became


def test_a_small_text_takes_the_short_way(monkeypatch):
    line = Line(LiveProtocol)
    monkeypatch.setattr(line.protocol, "_dataReceived", lambda data: pytest.fail("it went the library's way"))
    line.receive([frame(0x81, b"{}") + frame(0x81, "é".encode() * 50), frame(0x81, b"")])
    assert [text for _kind, text, _bytes, _code in line.heard] == ["{}", "é" * 50, ""]


def test_who_waits_for_messages_takes_them_at_once_and_in_order():
    """A message that has to wait for something goes through the queue, and so do all after it."""
    line, taken = Line(LiveProtocol), []

    def take(text, received_ms):
        taken.append((text, received_ms > 0))
        return (lambda: None) if text == "later" else None

    line.protocol.on_text = take
    line.receive([frame(0x81, b"a"), frame(0x82, b"b"), frame(0x81, b"later"), frame(0x81, b"c")])
    assert taken == [("a", True), (None, True), ("later", True)]
    later, after = (line.queue.get_nowait() for _message in range(2))
    assert (callable(later["quarto.later"]), after["text"]) == (True, "c")


def test_a_message_that_cannot_be_taken_ends_the_socket_and_nothing_else(caplog):
    line = Line(LiveProtocol)
    line.protocol.on_text = lambda text, received_ms: 1 / 0
    line.receive([frame(0x81, b"a")])
    assert line.transport.value() == bytes.fromhex("8802 03f3")
    assert "could not be taken" in caplog.text


# --- out ---


@pytest.fixture
def ends():
    one, other = socket.socketpair()
    with one, other:
        other.settimeout(5)
        yield PlainConnection.__new__(PlainConnection), one, other


def connected(ends):
    connection, one, other = ends
    one.setblocking(False)
    connection.socket, connection.connected, connection._tempDataBuffer = one, 1, []
    return connection, other


def test_a_frame_is_sent_at_once_and_what_does_not_fit_is_left(ends):
    connection, other = connected(ends)
    assert send_at_once(connection, b"abc") == b""
    assert other.recv(9) == b"abc"
    left = send_at_once(connection, bytes(4_000_000))
    assert 0 < len(left) < 4_000_000
    assert send_at_once(connection, b"x") == b"x"


@pytest.mark.parametrize(
    "state",
    [{"disconnecting": True}, {"connected": 0}, {"dataBuffer": b"x"}, {"_tempDataBuffer": [b"x"]}],
    ids=lambda state: next(iter(state)),
)
def test_nothing_is_sent_before_what_waits_nor_when_the_connection_ends(ends, state):
    connection, _other = connected(ends)
    for name, value in state.items():
        setattr(connection, name, value)
    assert send_at_once(connection, b"abc") == b"abc"


def test_a_lost_connection_is_left_for_the_library_to_find(ends):
    connection, other = connected(ends)
    other.close()
    send_at_once(connection, b"abc")
    assert send_at_once(connection, b"abc") == b"abc"


def test_a_held_reply_goes_out_with_the_state_that_follows_or_else_at_once_after():
    async def scenario():
        line, sent = Line(LiveProtocol), []
        line.transport.write = sent.append
        line.protocol.hold_text(b"reply")
        line.protocol.hold_text(b"reply")
        line.protocol.write_text(b"state")
        assert sent == [2 * text_frame(b"reply") + text_frame(b"state")]
        line.protocol.hold_text(b"reply")
        await asyncio.sleep(0)
        assert sent[1:] == [text_frame(b"reply")]

    asyncio.run(scenario())


def test_a_held_reply_goes_out_before_the_socket_is_closed():
    async def scenario():
        line = Line(LiveProtocol)
        line.protocol.hold_text(b"reply")
        line.protocol.serverClose(code=4012)
        line.protocol.hold_text(b"late")
        await asyncio.sleep(0)
        assert line.transport.value() == text_frame(b"reply") + bytes.fromhex("8802 0fac")

    asyncio.run(scenario())


def test_a_connection_that_reads_is_read_without_a_context_for_the_log(ends):
    connection, other = connected(ends)

    async def scenario():
        called = asyncio.get_running_loop().create_future()
        connection.fileno = connection.socket.fileno
        connection.reactor = SimpleNamespace(_readers={}, _readOrWrite=lambda *how: called.set_result(how))
        read_directly(connection)
        assert not asyncio.get_running_loop().remove_reader(connection.fileno())
        connection.reactor._readers[connection] = connection.fileno()
        read_directly(connection)
        other.send(b"x")
        assert await called == (connection, True)
        asyncio.get_running_loop().remove_reader(connection.fileno())

    asyncio.run(scenario())


def test_what_is_no_plain_connection_goes_the_librarys_way():
    line = Line(LiveProtocol)
    line.protocol.write_text(b"{}")
    assert line.transport.value() == text_frame(b"{}") == b"\x81\x02{}"


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_text_frame_says_its_size(size):
    head = text_frame(bytes(size))[: -size or None]
    assert (head[0], len(head)) == (0x81, 2 if size < 126 else 4 if size < 65_536 else 10)
    assert (head[1] if size < 126 else int.from_bytes(head[2:], "big")) == size


@pytest.mark.parametrize("size", [0, 1, 124, 125])
def test_a_small_text_is_unmasked(size):
    text = "".join(chr(33 + index % 90) for index in range(size))
    for mask in (b"\0\0\0\0", b"\xff\x00\x80\x01"):
        assert small_text(frame(0x81, text.encode(), mask) + b"more") == (text, 6 + size)


def test_who_reads_again_gets_the_pong_of_his_latest_ping():
    line = Line(LiveProtocol)
    line.protocol.pauseProducing()
    line.receive([frame(0x89, b"first"), frame(0x89, b"latest")])
    assert line.transport.value() == b""
    line.protocol.resumeProducing()
    assert line.transport.value() == b"\x8a\x06latest"
    line.receive([frame(0x89, b"next")])
    assert line.transport.value() == b"\x8a\x06latest\x8a\x04next"
