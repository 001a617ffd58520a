"""Bytes that are no websocket frames, and requests that are none: refused with a code, and nothing else suffers."""

import random

import pytest

from tests.hostile.amount import TIMES
from tests.hostile.raw import BINARY, CLOSE, MORE, PING, PONG, TEXT, connected, frame, say

PROTOCOL_ERROR, NOT_TEXT, TOO_BIG = 1002, 1007, 1009
LOBBY = "/ws/lobby/"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(TEXT, b"{}", rsv=4), PROTOCOL_ERROR),
        (frame(TEXT, b"{}", rsv=2), PROTOCOL_ERROR),
        (frame(TEXT, b"{}", rsv=1), PROTOCOL_ERROR),
        *((frame(opcode, b"x"), PROTOCOL_ERROR) for opcode in (3, 7, 11, 15)),
        (frame(TEXT, b"{}", masked=False), PROTOCOL_ERROR),
        (frame(PING, b"x" * 126), PROTOCOL_ERROR),
        (frame(PING, fin=False), PROTOCOL_ERROR),
        (frame(MORE, b"x"), PROTOCOL_ERROR),
        (frame(TEXT, b"a", fin=False) + frame(TEXT, b"b"), PROTOCOL_ERROR),
        (frame(TEXT, b"x", size=b"\x7e\0\1"), PROTOCOL_ERROR),
        (frame(TEXT, b"x", size=b"\x7f" + b"\0" * 7 + b"\1"), PROTOCOL_ERROR),
        (frame(TEXT, size=b"\x7f\x80" + b"\0" * 7), PROTOCOL_ERROR),
        (frame(TEXT, size=b"\x7f\x40" + b"\0" * 7), TOO_BIG),
        (frame(TEXT, b"x" * 8_193), TOO_BIG),
        (frame(TEXT, b"x" * 100, fin=False) + frame(MORE, b"x" * 100, fin=False) * 100, TOO_BIG),
        (frame(TEXT, b"\xff"), NOT_TEXT),
        (frame(TEXT, b"\xc3"), NOT_TEXT),
        (frame(TEXT, b"\xed\xa0\x80"), NOT_TEXT),
        (frame(TEXT, b"\xf4\x90\x80\x80"), NOT_TEXT),
        (frame(TEXT, b"\xc3", fin=False) + frame(MORE, b"\x28"), NOT_TEXT),
        (frame(CLOSE), 1000),
        (frame(CLOSE, b"\x03\xe8"), 1000),
        (frame(CLOSE, b"\x0f\xa0" + b"x" * 123), 1000),
    ],
)
def test_a_frame_that_breaks_the_framing_ends_its_socket_with_a_code(field, sent, code):
    assert say(field.server, LOBBY, sent).close_code == code


@pytest.mark.parametrize(
    "sent", [frame(CLOSE, b"\x03"), frame(CLOSE, b"\x03\xe7"), frame(CLOSE, b"\x03\xe8\xff")]
)
def test_a_goodbye_that_is_none_ends_its_socket(field, sent):
    assert say(field.server, LOBBY, sent).texts[1:] == []


@pytest.mark.parametrize(
    ("sent", "answers", "pongs"),
    [
        (frame(PONG, b"nobody asked"), 1, 0),
        (frame(PING) * 50, 1, 50),
        (frame(BINARY, b"\xff\x00"), 2, 0),
        (frame(TEXT, b'{"id"', fin=False) + frame(PING) + frame(MORE, b': "c-17"}'), 2, 1),
        (frame(TEXT, fin=False) + frame(MORE, fin=False) * 50 + frame(MORE), 2, 0),
    ],
)
def test_what_is_unusual_and_allowed_is_answered(field, sent, answers, pongs):
    heard = say(field.server, LOBBY, sent)
    assert (len(heard.texts[1:]), heard.pongs, heard.close_code) == (answers, pongs, None)


def test_no_bytes_at_all_do_more_than_end_their_own_socket(field, request):
    chance = random.Random(request.config.getoption("randomly_seed"))
    for _number in range(150 * TIMES):
        sent = nonsense(chance)
        heard = say(field.server, LOBBY, sent, hang_up=True)
        assert heard.status == 101, sent
        assert heard.close_code in (None, 1000, PROTOCOL_ERROR, NOT_TEXT, TOO_BIG), sent
    assert len(say(field.server, LOBBY).texts) == 2


def nonsense(chance: random.Random) -> bytes:
    """Frames of which a bit was turned, and plain noise."""
    sent = bytearray()
    for _part in range(chance.randrange(1, 5)):
        part = bytearray(
            frame(chance.randrange(16), chance.randbytes(chance.choice([0, 1, 7, 125, 126, 900])))
        )
        if chance.random() < 0.7:
            part[chance.randrange(min(len(part), 8))] ^= 1 << chance.randrange(8)
        sent += chance.randbytes(20) if chance.random() < 0.2 else part
    return bytes(sent[: chance.randrange(1, len(sent) + 1)] if chance.random() < 0.2 else sent) + frame(CLOSE)


HANDSHAKES = [
    ("Sec-WebSocket-Protocol: caf\xe9\r\n", 101),
    ("Sec-WebSocket-Protocol: json, soap\r\n", 101),
    ("Sec-WebSocket-Extensions: permessage-deflate\r\n", 101),
    ("Daphne-Root-Path: /elsewhere\r\n", 101),
    ("Daphne-Root-Path: /\xe9\r\n", 101),
    ("Cookie: \xff=\xfe; sessionid=\x80\r\n", 101),
    ("X-Odd: \xff\xfe\r\n", 101),
    ("Origin: \xe9\r\n", 400),
    ("Origin: http://[::1\r\n", 400),
    ("Host: elsewhere\r\n", 400),
    ("Sec-WebSocket-Key: short\r\n", 400),
    ("Sec-WebSocket-Version: 8\r\n", 400),
    ("X\xe9: a\r\n", 400),
    ("".join(f"X-{number}: a\r\n" for number in range(600)), 400),
    (f"X-Long: {'x' * 20_000}\r\n", 0),
]


@pytest.mark.parametrize(("header", "status"), HANDSHAKES, ids=lambda value: repr(value)[:30])
def test_a_handshake_with_odd_headers_is_accepted_or_refused_and_never_an_error(field, header, status):
    heard = say(field.server, LOBBY, more=header)
    assert heard.status == status
    assert "sec-websocket-extensions" not in heard.head.lower()
    assert "sec-websocket-protocol" not in heard.head.lower()


REQUESTS = [
    (b"GET / HTTP/9.9\r\nHost: 127.0.0.1", 400),
    (b"G\xc9T / HTTP/1.1\r\nHost: 127.0.0.1", 400),
    (b"GET /\xe9 HTTP/1.1\r\nHost: 127.0.0.1", 400),
    (b"GET /?\xe9 HTTP/1.1\r\nHost: 127.0.0.1", 400),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nDaphne-Root-Path: /\xe9", 200),
    (b"GET /%00 HTTP/1.1\r\nHost: 127.0.0.1", 404),
    (b"GET /%ff%fe/ HTTP/1.1\r\nHost: 127.0.0.1", 404),
    (b"GET /games/%00/ HTTP/1.1\r\nHost: 127.0.0.1", 404),
    (b"GET /players/%00%ff/ HTTP/1.1\r\nHost: 127.0.0.1", 404),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1", 400),
    (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: gzip, chunked", 400),
    (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3", 400),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: sessionid=\xff\xfe; csrftoken=\x00", 400),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: " + b"a," * 4_000, 200),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),  # TLS
]


@pytest.mark.parametrize(("head", "status"), REQUESTS, ids=lambda value: repr(value)[:40])
def test_a_request_that_is_hardly_one_is_answered_and_never_an_error(field, head, status):
    with connected(field.server) as raw, raw.makefile("rb") as stream:
        raw.sendall(head + b"\r\nConnection: close\r\n\r\n")
        assert stream.readline().split(b" ")[1] == str(status).encode()


def test_nobody_chooses_the_root_of_the_site_by_a_header(field):
    page = field.cleo.http.get("/", headers={"Daphne-Root-Path": "/elsewhere"})
    assert page.status_code == 200
    assert "/elsewhere" not in page.text
