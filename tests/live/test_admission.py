"""Who may open a socket, and when it is closed on him."""

import re

import pytest
from websockets.exceptions import InvalidStatus

from games.routing import websocket_urlpatterns
from quarto_site.asgi import sockets
from tests.clients import PASSWORD, Board, Person, Wire, cookies_of, submit
from tests.server import serving

NOBODYS = "k3J9xQ2a"


def socket_paths():
    """Every websocket address of the site, with something in place of each variable."""
    routes = sockets.routes
    paths = ["/" + str(route.pattern) for route in routes if str(route.pattern)]
    assert len(paths) >= len(websocket_urlpatterns)
    return [re.sub("<.*?>", NOBODYS, path) for path in paths]


PATHS = socket_paths()


@pytest.mark.parametrize("path", [*PATHS, "/ws/nothing/", "/"])
@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example", "null", "", "http://127.0.0.1", "https://127.0.0.1:{port}", "http://127.0.0.1:1",
        "http://127.0.0.1:{port}.evil.example", "http://localhost:{port}", "file://",
    ],
)  # fmt: skip
def test_no_socket_opens_for_a_foreign_origin(server, ann, path, origin):
    """The cookies of a signed-in visitor come along when another site's page opens a socket."""
    with pytest.raises(InvalidStatus) as refused:
        Wire(server, path, origin=origin.format(port=server.port), Authorization=f"Bearer {ann.token}")
    assert refused.value.response.status_code in (400, 403)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:{port}", "HTTP://127.0.0.1:{port}"])
def test_a_socket_opens_for_a_program_and_for_the_sites_own_pages(wire, server, ann, path, origin):
    origin = origin and origin.format(port=server.port)
    opened = wire(path, origin=origin, Authorization=f"Bearer {ann.token}")
    if NOBODYS in path:
        assert opened.close_code() == 4004
    else:
        opened.send("nonsense")
        assert opened.receive_kind("reply")["code"] == "bad_request"


def test_origins_may_be_added(tmp_path, empty_database):
    with serving(tmp_path, empty_database, origins="https://club.example http://localhost:3000") as server:
        for origin in ("https://club.example", "http://localhost:3000", f"http://127.0.0.1:{server.port}"):
            Wire(server, "/ws/lobby/", origin=origin).close()
        for origin in (
            "http://club.example",
            "https://club.example:8443",
            "https://sub.club.example",
            "null",
        ):
            with pytest.raises(InvalidStatus):
                Wire(server, "/ws/lobby/", origin=origin)


@pytest.mark.parametrize("game_id", ["nope", "%00", "x" * 3_000, "%F0%9F%98%80", "%2e%2e", "'%20OR%201=1"])
def test_an_unknown_game_closes_with_4004(wire, game_id):
    assert wire(f"/ws/games/{game_id}/").close_code() == 4004


@pytest.mark.parametrize("path", ["/ws/", "/ws/nothing/", "/ws/games/", "/ws/games/a/b/", "/"])
def test_an_unknown_address_closes_with_4004(wire, path):
    assert wire(path).close_code() == 4004


def test_a_players_own_socket_needs_somebody_who_is_signed_in(wire, ann):
    assert wire("/ws/me/").close_code() == 4001
    assert wire("/ws/me/", Cookie="sessionid=nope").close_code() == 4001
    opened = wire("/ws/me/", Authorization=f"Bearer {ann.token}")
    opened.send({"do": "dance", "id": "x"})
    assert opened.receive_kind("reply")["id"] == "x"


@pytest.mark.parametrize(
    "authorization",
    [
        "Bearer nope",
        "Bearer ",
        "Bearer",
        "Basic YW5uOm5vcGU=",
        "Bearer " + "f" * 64,
        "Bearer \xff\xfe",
        "Bearer a b",
    ],
)
def test_a_token_that_is_none_closes_with_4001(sit, wire, authorization):
    match = sit()
    for path in (f"/ws/games/{match.id}/", "/ws/me/", "/ws/lobby/"):
        assert wire(path, Authorization=authorization).close_code() == 4001


def test_a_revoked_token_closes_the_sockets_that_stand_on_it_and_no_others(sit, server, ann):
    match = sit()
    token = ann.new_token()
    bearer = {"Authorization": f"Bearer {token}"}
    board, mine = Board(server, match.id, **bearer), Wire(server, "/ws/me/", **bearer)
    revoked = ann.http.delete(f"/api/tokens/{token[:15]}/")
    assert revoked.status_code == 204
    assert board.close_code() == 4001
    assert mine.close_code() == 4001
    assert Wire(server, "/ws/me/", **bearer).close_code() == 4001
    for board in match.everybody:
        board.sync()


def test_a_session_cookie_seats_the_player_and_signing_out_closes_his_sockets(sit, server, ann):
    match = sit()
    seat = next(seat for seat, person in match.persons.items() if person is ann)
    browser, other = ann.browser(), ann.browser()
    origin = server.url
    board = Board(server, match.id, origin=origin, Cookie=cookies_of(browser))
    elsewhere = Board(server, match.id, origin=origin, Cookie=cookies_of(other))
    mine = Wire(server, "/ws/me/", origin=origin, Cookie=cookies_of(browser))
    assert (board.game["you"], elsewhere.game["you"]) == (seat, seat)
    assert submit(browser, "/accounts/sign-out/").status_code == 302
    assert board.close_code() == 4001
    assert mine.close_code() == 4001
    assert elsewhere.act("place", square="a1")["code"] in ("wrong_phase", "not_your_turn")
    stranger = Board(server, match.id, origin=origin, Cookie=cookies_of(browser))
    assert stranger.game["you"] is None
    for closing in (board, elsewhere, mine, stranger, browser, other):
        closing.close()


def test_a_session_is_found_behind_cookies_that_are_none(sit, server, ann):
    match = sit()
    browser = ann.browser()
    odd = f'{{"json": "from another site"}}; a b=c; ;=; {cookies_of(browser)}'
    board = Board(server, match.id, origin=server.url, Cookie=odd)
    assert board.game["you"] is not None
    board.close()
    browser.close()


def test_a_new_password_closes_every_socket_of_the_user(server):
    dora = Person(server, "dora")
    browser = dora.browser()
    by_session = Wire(server, "/ws/me/", origin=server.url, Cookie=cookies_of(browser))
    by_token = Wire(server, "/ws/me/", Authorization=f"Bearer {dora.token}")
    by_session.send("x"), by_token.send("x")
    by_session.receive_kind("reply"), by_token.receive_kind("reply")
    browser.get("/accounts/password/")
    changed = submit(
        browser, "/accounts/password/", old_password=PASSWORD, new_password=f"{PASSWORD}, at last"
    )
    assert changed.status_code == 302, changed.text
    assert by_session.close_code() == 4001
    assert by_token.close_code() == 4001
    for closing in (by_session, by_token, browser, dora.http):
        closing.close()


@pytest.mark.parametrize(
    "do", ["give", "place", "claim", "pass", "resign", "offer_draw", "accept_draw", "flag"]
)
def test_nobody_acts_on_other_peoples_boards(sit, cleo, do):
    match = sit()
    board = cleo.board(match.id)
    assert board.act(do, piece="5", square="a1", line="a1-d1")["code"] == "not_a_player"
    assert cleo.post_action(match.id, do, 0, piece="5").status_code == 403
    board.close()
    assert match.watcher.sync()["seq"] == 0
