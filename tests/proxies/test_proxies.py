"""What the shipped files of nginx and Caddy promise, before two real processes."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from django.conf import settings
from websockets.exceptions import InvalidStatus

from games.api.events import LONGEST_WAIT_S
from tests.clients import PASSWORD, Match, Wire, cookies_of, http_client, sitting
from tests.positions import DARK_ROW
from tests.proxies.conftest import SIGNUPS_PER_HOUR
from tests.proxies.fronts import DEPLOY
from tests.server import PATIENCE_S, let_pass

CAP = 500
ESTABLISHED = "01"


@pytest.fixture
def http(front):
    with http_client(front) as client:
        yield client


@pytest.fixture(scope="module")
def games(pair, people):
    """More games than two processes could have on one side by chance."""
    names = [person.name for person in next(iter(people.values()))]
    return pair.seat(*names, *[{"no_show_ms": 3_600_000}] * 16)


def open_at(server):
    """The connections that a process has open."""
    rows = [line.split()[1:4] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    port = f":{server.port:04X}"
    return {client for own, client, status in rows if own.endswith(port) and status == ESTABLISHED}


def home_of(pair, stay):
    """The one process that something reaches which `stay` opens and leaves open.

    Caddy asks every process each second whether it lives: such a connection is soon gone again.
    """
    before = {server: open_at(server) for server in pair.both}
    stay()
    homes = {server: open_at(server) - before[server] for server in pair.both}
    while all(homes.values()):
        homes = {server: stayed & open_at(server) for server, stayed in homes.items()}
    [home] = [server for server, stayed in homes.items() if stayed]
    return home


def homes_of(stack, pair, front, games):
    """Where each game is, by its socket."""
    return {
        game: home_of(pair, lambda game=game: stack.callback(Wire(front, f"/ws/games/{game}/").close))
        for game in games
    }


def from_address(front, source):
    """A client at another address of this machine."""
    transport = httpx.HTTPTransport(verify=False, local_address=source)
    return httpx.Client(base_url=front.url, transport=transport, timeout=PATIENCE_S)


def is_cut(connection):
    """Reads until the other side ends the connection; what it says before that is of no interest."""
    connection.settimeout(PATIENCE_S)
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def test_a_whole_game(front, people):
    with sitting(front, *people[front], claims="lose") as match:
        state = match.play(f"{DARK_ROW} Q1(a1-d1)")
        assert (state["result"], state["termination"]) == ("1-0", "quarto-placer")


def test_everything_of_a_game_reaches_one_process_and_games_both(front, http, pair, games):
    with ExitStack() as stack:
        homes = homes_of(stack, pair, front, games)
        assert set(homes.values()) == set(pair.both)
        for frozen in pair.both:
            game = next(game for game, home in homes.items() if home != frozen)
            frozen.freeze()
            try:  # who asked it would get no answer
                assert http.get(f"/games/{game}/").status_code == 200
                assert http.get(f"/api/games/{game}/").status_code == 200
                assert http.get(f"/api/games/{game}/events/?wait=0").status_code == 204
                assert http.post(f"/api/games/{game}/actions/", json={}).status_code == 401
            finally:
                frozen.thaw()


def test_what_belongs_to_no_game_reaches_the_process_that_has_least_to_do(front, http, pair):
    with ExitStack() as stack:

        def open_lobby():
            stack.callback(Wire(front, "/ws/lobby/").close)

        first = home_of(pair, open_lobby)
        http.get("/rules/")  # which would be the other's turn
        assert home_of(pair, open_lobby) != first


def test_a_long_poll_is_answered_with_the_move(front, people):
    ann, ben = people[front]
    with sitting(front, ann, ben) as match, ThreadPoolExecutor() as threads:
        path = f"/api/games/{match.id}/events/?since=0&wait={LONGEST_WAIT_S}"
        answer = threads.submit(ann.http.get, path)
        match.play("@5")
        assert answer.result(PATIENCE_S).json()["seq"] == 1


def test_a_browser_signs_in_and_sits_down(front, people):
    ann, ben = people[front]
    game = ann.challenge(ben)
    with http_client(front) as browser:
        browser.headers["Origin"] = front.url
        form = browser.get("/accounts/sign-in/")
        assert form.headers["Strict-Transport-Security"]
        browser.post(
            "/accounts/sign-in/",
            data={"username": ann.name, "password": PASSWORD},
            headers={"X-CSRFToken": browser.cookies["csrftoken"]},
        )
        assert all(cookie.secure for cookie in browser.cookies.jar)
        cookies = cookies_of(browser)
        own = Wire(front, f"/ws/games/{game}/", origin=front.url, Cookie=cookies)
        assert own.receive_kind("game")["you"] in (1, 2)
        own.close()
        with pytest.raises(InvalidStatus) as refused:
            Wire(front, f"/ws/games/{game}/", origin="https://elsewhere.example", Cookie=cookies)
        assert refused.value.response.status_code == 403


def test_what_comes_without_tls_is_sent_to_it(front):
    answer = httpx.get(f"http://localhost:{front.plain_port}/rules/?x=1", trust_env=False)
    assert answer.status_code in (301, 308)
    assert re.fullmatch(r"https://localhost(:\d+)?/rules/\?x=1", answer.headers["Location"])


@pytest.mark.parametrize("tell", [True, False], ids=["told", "not told"])
def test_a_body_over_1_mb_is_refused(front, http, tell):
    def answer(size):
        body = b"{" + b" " * (size - 1)
        headers = {"Content-Type": "application/json"}
        return http.post("/api/accounts/", content=body if tell else iter([body]), headers=headers)

    assert answer(900_000).status_code == 400  # the site has read it, and it is no JSON
    assert answer(1_100_000).status_code == 413


def test_endless_headers_are_refused(front, http):
    assert http.get("/rules/", headers={"X-Long": "x" * 100_000}).status_code in (400, 431)
    assert http.get("/rules/?" + "x" * 60_000).status_code in (414, 431)
    assert http.get("/rules/?" + "x" * 2_000, headers={"X-Long": "x" * 2_000}).status_code == 200


def test_slow_headers_are_cut_and_nobody_waits_for_them(fronts):
    with ExitStack() as stack:
        slow = [stack.enter_context(front.connect()) for front in fronts for _visitor in range(20)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        for front in fronts:
            with http_client(front) as client:
                assert client.get("/rules/").status_code == 200
        assert all(is_cut(connection) for connection in slow)


def test_an_address_may_have_some_hundreds_of_requests_open_and_others_are_served(fronts):
    """nginx counts them; for Caddy the kernel does, see `test_files.py`."""
    nginx = fronts[0]
    with ExitStack() as stack:
        for _visitor in range(CAP):
            waiting = stack.enter_context(nginx.connect("127.0.0.90"))
            waiting.sendall(b"POST /api/tokens/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        with from_address(nginx, "127.0.0.90") as one_more, from_address(nginx, "127.0.0.91") as another:
            statuses = [client.get("/healthz").status_code for client in (one_more, another)]
    assert statuses == [429, 200]


def test_limits_see_the_visitor_whatever_he_claims(front, fronts, pair):
    address, other = (f"127.0.0.{20 + 2 * fronts.index(front) + number}" for number in (0, 1))
    with from_address(front, address) as crowd, from_address(front, other) as another:

        def sign_up(client, number):
            claimed = {"X-Forwarded-For": f"198.51.100.{number}", "X-Real-IP": f"198.51.100.{number}"}
            body = {"username": f"guest{number}at{front.port}", "password": PASSWORD}
            return client.post("/api/accounts/", json=body, headers=claimed).status_code

        most = len(pair.both) * SIGNUPS_PER_HOUR
        statuses = [sign_up(crowd, number) for number in range(most + 1)]
        assert sorted(set(statuses)) == [201, 429]
        assert sign_up(another, 99) == 201


def test_nobody_is_cut_off_while_he_waits_for_a_move():
    """The proxy must have more patience than a long poll asks for, and than a socket is silent."""
    nginx = (DEPLOY / "nginx.conf").read_text()
    patience_s = int(re.search(r"proxy_read_timeout (\d+)s;", nginx)[1])
    assert patience_s > max(LONGEST_WAIT_S, 2 * settings.PING_SECONDS)
    assert not re.search(r"write \d", (DEPLOY / "Caddyfile").read_text())


def test_a_process_that_dies_is_passed_over_and_comes_back(fronts, pair, people, games):
    dying = pair.other
    dying.may_log_errors = True
    with ExitStack() as stack:
        matches = {front: stack.enter_context(sitting(front, *people[front])) for front in fronts}
        homes = {front: homes_of(stack, pair, front, games) for front in fronts}
        dying.kill()
        for front, match in matches.items():
            with http_client(front) as client:
                assert {client.get(f"/api/games/{game}/").status_code for game in games} == {200}
                assert {client.get("/rules/").status_code for _time in range(4)} == {200}
            again = Match(front, match.id, *people[front])
            stack.callback(again.close)
            again.play("@5 a1")
        dying.start()
        limit = time.monotonic() + PATIENCE_S
        for front in fronts:
            [game, *_others] = [game for game, home in homes[front].items() if home is dying]
            while homes_of(stack, pair, front, [game])[game] is not dying:
                assert time.monotonic() < limit
                let_pass(0.2)
