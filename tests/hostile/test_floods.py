"""Connections by the hundred, pings and pieces without end, bodies over the limit: they cost their sender alone."""

import gzip
import json
import resource
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.clients import Match, Person, http_client
from tests.hostile.amount import TIMES
from tests.hostile.raw import MORE, PING, PONG, TEXT, UPGRADE, connected, frame, say
from tests.server import serving
from tests.stubborn import never_reading

LOBBY = "/ws/lobby/"
PER_SECOND, BURST = 20, 60
GROWTH_KB = 12_000
LIMIT = 1_000_000


@pytest.mark.parametrize(
    ("first", "more"),
    [
        (b"", frame(PING, b"x" * 125)),
        (b"", frame(PONG)),
        (frame(TEXT, fin=False), frame(MORE, fin=False)),
        (b"", frame(TEXT, b"{}")),
    ],
    ids=["pings", "pongs", "pieces of one message", "messages"],
)
def test_frames_of_any_kind_without_end_close_their_socket(strict, first, more):
    heard = say(strict, LOBBY, first, more * 2_000)
    assert heard.close_code == 4029
    assert heard.pongs <= BURST + PER_SECOND


@pytest.fixture(scope="module")
def strict(empty_database, tmp_path_factory):
    """A server with the limits of a real one."""
    folder = tmp_path_factory.mktemp("strict")
    with serving(folder, empty_database, frames_per_second=PER_SECOND, frames_burst=BURST) as server:
        yield server


def test_pings_of_a_client_that_reads_nothing_pile_up_nowhere(field):
    before = field.server.status("VmRSS")
    with never_reading(field.server, LOBBY) as slow:
        slow.settimeout(2)
        with suppress(TimeoutError, ConnectionError):
            for _part in range(300):
                slow.sendall(frame(PING, b"x" * 125) * 1_000)  # 38 MB of pongs
        assert field.server.status("VmRSS") < before + GROWTH_KB
    assert len(say(field.server, LOBBY).texts) == 2


def test_hundreds_of_connections_that_ask_for_nothing_hinder_nobody(strict):
    ann, ben = Person(strict, "ann"), Person(strict, "ben")
    match = Match(strict, ann.challenge(ben), ann, ben)
    upgrade = UPGRADE.format(path=LOBBY, port=strict.port, more="").encode()
    with ExitStack() as stack:
        for number in range(300):
            raw = stack.enter_context(connected(strict))
            if number % 3 == 1:
                raw.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            if number % 3 == 2:
                raw.sendall(upgrade)
        assert match.play("@5 a1 @6 b1 @7 c1")["seq"] == 6
        assert ann.http.get("/api/games/").status_code == 200
    assert match.play("@8 d1 @9")["seq"] == 9
    match.close()
    ann.http.close(), ben.http.close()


def test_more_connections_than_there_are_files_for_leave_the_games_alone(serve):
    server = serve()
    ann, ben = Person(server, "ann"), Person(server, "ben")
    match = Match(server, ann.challenge(ben), ann, ben)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (300, 300))
    with ExitStack() as stack:
        taken = [stack.enter_context(connected(server)) for _number in range(400)]
        assert taken[-1].recv(1) == b""  # closed at once
        assert match.play("@5 a1 @6 b1 @7 c1")["seq"] == 6
        assert ann.post_action(match.id, "place", 0).status_code == 409
    assert match.play("@8 d1 @9")["seq"] == 9
    assert len(say(server, LOBBY).texts) == 2
    match.close()
    ann.http.close(), ben.http.close()


def post(server, head: bytes, body: bytes) -> bytes:
    """What is answered to a POST of JSON, whatever becomes of its body."""
    request = b"POST /api/accounts/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    with connected(server) as raw, raw.makefile("rb") as stream:
        with suppress(ConnectionError):
            raw.sendall(request + head + b"\r\n\r\n" + body)
        heard = b""
        with suppress(ConnectionError):
            heard = stream.readline()
            while (line := stream.readline().strip()) and not line.lower().startswith(b"content-length"):
                pass
            size = int(line.partition(b":")[2])
            while stream.readline().strip():
                pass
            heard += stream.read(size)
        return heard


def chunked(*chunks: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        (b"Content-Length: %d" % LIMIT, b"x" * LIMIT, 400),
        (b"Content-Length: %d" % (LIMIT + 1), b"x" * (LIMIT + 1), 413),
        (b"Content-Length: 5000000", b"x" * 5_000_000, 413),
        (b"Content-Length: 5000000", b"", 413),
        (b"Content-Length: %d" % 10**18, b"", 413),
        (b"Transfer-Encoding: chunked", chunked(b"x" * 70_000) + b"0\r\n\r\n", 400),
        (b"Transfer-Encoding: chunked", chunked(*[b"x" * 65_536] * 16), 413),
    ],
    ids=[
        "at the limit",
        "over it",
        "far over it",
        "promised",
        "beyond all",
        "in pieces",
        "in pieces without end",
    ],
)
def test_a_body_over_a_megabyte_is_refused_before_it_is_taken_in(field, head, body, status):
    heard = post(field.server, head, body)
    assert heard.split(b" ")[1] == str(status).encode()
    assert json.loads(heard.partition(b"\n")[2])["code"] == "bad_request"


def test_bodies_over_the_limit_reach_neither_memory_nor_disk(field):
    files = f"/proc/{field.server.pid}/fd"
    before = field.server.status("VmRSS")
    with ExitStack() as stack:
        for _number in range(20 * TIMES):
            raw = stack.enter_context(connected(field.server))
            raw.sendall(
                b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 7000000\r\n\r\n" + b"x" * 2_000_000
            )
        held = [path for path in open_files(files) if "deleted" in path]
    assert held == []
    assert field.server.status("VmRSS") < before + GROWTH_KB


def open_files(folder: str) -> list[str]:
    found = []
    for path in Path(folder).iterdir():
        with suppress(FileNotFoundError):
            found.append(str(path.readlink()))
    return found


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Type": "application/json", "Content-Encoding": "gzip"}, gzip.compress(b"x" * 50_000_000)),
        ({"Content-Type": "application/json"}, gzip.compress(b"{}")),
        ({"Content-Type": "application/json"}, b'{"username":' * 5_000),
        ({"Content-Type": "application/json"}, b"[" * 60_000),
        ({"Content-Type": "application/json"}, b'{"username": ' + b"9" * 60_000 + b"}"),
        ({"Content-Type": "application/json; charset=utf-16"}, '{"username": "ann"}'.encode("utf-16")),
        ({"Content-Type": "application/json; charset=nonsense"}, b"{}"),
        ({"Content-Type": "multipart/form-data; boundary=x"}, b"--x\r\n" * 1_000),
        ({"Content-Type": "multipart/form-data"}, b"--x\r\n"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, b"a=1&" * 5_000),
        ({"Content-Type": "\xff/\xfe"}, b"{}"),
    ],
    ids=[
        "a bomb", "packed", "deep objects", "deep lists", "a long number", "utf-16", "no charset", "many parts",
        "no boundary", "a form", "nothing at all",
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/accounts/", "/api/tournaments/", "/accounts/sign-up/"])
def test_a_body_of_another_kind_is_refused_and_unpacks_to_nothing(field, headers, body, path):
    before = field.server.status("VmRSS")
    with http_client(field.server) as client:
        client.headers["Authorization"] = f"Bearer {field.cleo.token}"
        raw = {name: value.encode("latin1") for name, value in headers.items()}
        assert client.post(path, content=body, headers=raw).status_code in (400, 403, 415)
    assert field.server.status("VmRSS") < before + GROWTH_KB


def test_a_server_with_halves_of_requests_stops_well(serve):
    server = serve()
    with ExitStack() as stack:
        for said in (
            b"",
            b"GET / HT",
            b"GET / HTTP/1.1\r\nHost: ",
            b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx",
        ):
            raw = stack.enter_context(connected(server))
            raw.sendall(said)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        assert len(say(server, LOBBY).texts) == 2
        assert server.stop() == 0
