"""Guesses at a password and the end of somebody's access, over real connections."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
from websockets.exceptions import ConnectionClosed

from quarto_site.services.tries import BY_SOURCE
from tests.clients import PASSWORD, Person, Wire, cookies_of, http_client, submit
from tests.server import let_pass

GUESSES = 200
CLOSED_WITHIN_S = 6  # two, and what a busy machine takes; by other ways it takes ten
LOOKED_TWICE_S = 2


def closed_in_time(wire: Wire) -> bool:
    """Whether the server closes with 4001 in time, whatever else it says before."""
    limit = time.monotonic() + CLOSED_WITHIN_S
    try:
        while True:
            wire.receive(timeout=max(0.0, limit - time.monotonic()))
    except TimeoutError:
        return False
    except ConnectionClosed:
        return wire.close_code() == 4001


def seeks_in(lobby: Wire) -> set[str]:
    """The ids in the next frame of the lobby."""
    return {seek["id"] for seek in lobby.receive_kind("seeks")["seeks"]}


def test_of_two_hundred_guesses_at_once_ten_are_looked_at(server):
    gina = Person(server, "gina")
    clients = [http_client(server, server.next_url()) for _process in range(2)]

    def guess(number: int) -> httpx.Response:
        body = {"username": "GINA" if number % 3 else "gina", "password": f"guess {number}"}
        return clients[number % 2].post("/api/tokens/", json=body)

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(guess, range(GUESSES)))
    counts = Counter(answer.status_code for answer in answers)
    assert counts == {401: BY_SOURCE.tries, 429: GUESSES - BY_SOURCE.tries}
    assert all(0 < int(one.headers["Retry-After"]) <= 30 for one in answers if one.status_code == 429)
    assert gina.http.get("/api/tokens/").status_code == 200  # whoever is signed in stays so
    for client in (*clients, gina.http):
        client.close()


def test_a_ban_on_the_command_line_closes_every_socket_and_no_one_elses(server, ann):
    hugo = Person(server, "hugo")
    browser = hugo.browser()
    game = hugo.challenge(ann)
    sought = hugo.http.post("/api/challenges/", json={"opponent": None}).json()["id"]
    lobby = Wire(server, "/ws/lobby/")
    assert sought in seeks_in(lobby)
    headers = [{"Authorization": f"Bearer {hugo.token}"}, {"Cookie": cookies_of(browser)}]
    paths = ("/ws/me/", "/ws/lobby/", f"/ws/games/{game}/")
    wires = [Wire(server, path, **header) for header in headers * 2 for path in paths]
    others = Wire(server, f"/ws/games/{game}/", Authorization=f"Bearer {ann.token}")
    assert all(wire.receive() for wire in (*wires, others) if "/ws/me/" not in wire.path)
    banned = server.manage("ban", "hugo", "--reason", "Two accounts")
    assert banned.returncode == 0, banned.stderr
    assert "go on by their clocks: 1" in banned.stdout
    assert [closed_in_time(wire) for wire in wires] == [True] * len(wires)
    while sought in seeks_in(lobby):
        pass
    assert hugo.http.get("/api/tokens/").status_code == 401
    assert browser.get("/accounts/").status_code == 302
    for header in headers:
        assert Wire(server, "/ws/me/", **header).close_code() == 4001
    others.send({"do": "sync"})
    assert others.receive_kind("state")["status"] in ("waiting", "live")
    for closing in (*wires, others, lobby, hugo.http, browser):
        closing.close()


def test_a_sign_out_takes_the_sockets_of_its_session_along_and_no_others(server, ann):
    gone, stays = ann.browser(), ann.browser()
    wires = [
        Wire(server, "/ws/lobby/", Cookie=cookies_of(browser))
        for browser in (gone, stays)
        for _process in range(2)
    ]
    assert all(wire.receive_kind("seeks") for wire in wires)
    assert submit(gone, "/accounts/sign-out/").is_redirect
    assert [closed_in_time(wire) for wire in wires[:2]] == [True, True]
    for wire in wires[2:]:
        wire.send({"do": "nothing", "id": "still here"})
        assert wire.receive_kind("reply")["id"] == "still here"
    for closing in (*wires, gone, stays):
        closing.close()


def test_what_comes_back_after_a_new_password_stays(server):
    """The browser that changed it opens its sockets anew; nobody closes them a second time."""
    ida = Person(server, "ida")
    browser = ida.browser()
    old = [Wire(server, "/ws/lobby/", Cookie=cookies_of(browser)) for _process in range(2)]
    assert all(wire.receive_kind("seeks") for wire in old)
    browser.get("/accounts/password/")
    assert submit(
        browser, "/accounts/password/", old_password=PASSWORD, new_password="at last four"
    ).is_redirect
    assert [closed_in_time(wire) for wire in old] == [True, True]
    new = Wire(server, "/ws/me/", origin=server.url, Cookie=cookies_of(browser))
    let_pass(LOOKED_TWICE_S)
    new.send({"do": "nothing", "id": "still here"})
    assert new.receive_kind("reply")["id"] == "still here"
    for closing in (*old, new, browser, ida.http):
        closing.close()
