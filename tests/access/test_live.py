"""The same over real sockets: each opening and each command, by each role."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
from websockets.exceptions import ConnectionClosed

from games.consumers import GameSocket, LobbySocket, MySocket
from games.sockets import Socket
from tests.access.matrix import ANYTHING, LIVE, LONG_POLL, ROLES, ROWS, Row, commands_of, socket_addresses
from tests.access.world import PEOPLE
from tests.clients import Person, Wire, submit
from tests.server import Server
from tournaments.consumers import TournamentSocket

SOCKETS: dict[str, type[Socket]] = {
    "/ws/games/<game_id>/": GameSocket,
    "/ws/tournaments/<slug>/": TournamentSocket,
    "/ws/lobby/": LobbySocket,
    "/ws/me/": MySocket,
}
LIVE_ROWS = [row for row in ROWS if row.is_live]
PLAYERS = ("seat", "opponent")
BYSTANDERS_FIRST = sorted(ROLES, key=lambda role: role in PLAYERS)
CASUAL = {"rules": "L:8", "claims": "void", "rated": False, "draws_allowed": True}
# Pieces of two kinds in turns, so that no four of a line are of one: then seat 1 has the last word.
NO_LINE = "@0 a1 @1 b1 @8 c1 @9 d1 @2 c2 @3 d2 @a a2 @b b2 @4 a3 @5 b3 @c c3 @d d3 @6 c4 @7 d4 @e a4 @f b4"
SCRIPTS = {
    "a game": "",
    "to place": "@5 a1 @6",
    "with a line": "@0 a1 @1 b1 @2 c1 @3 d1",
    "with an offer": "@5 a1 offer_draw",
    "full": NO_LINE,
}
FIELDS = {"give": {"piece": "7"}, "place": {"square": "a4"}, "claim": {"line": "a1-d1"}, "ping": {"t": 5}}


def test_every_socket_and_every_command_has_a_row():
    assert {row.address for row in LIVE_ROWS if row.address.startswith(LIVE)} == socket_addresses()
    assert socket_addresses() == {*SOCKETS, f"{LIVE}{ANYTHING}"}
    for address, socket in SOCKETS.items():
        known = {row.method for row in LIVE_ROWS if row.address == address}
        assert known == {"open", "anything else", *commands_of(socket)}


class Scene:
    """People in their roles at the server, a draft and an open tournament, and games as they are asked for."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.server = server
        self.people = {role: Person(server, f"{name}.live") for role, name in PEOPLE.items()}
        for person in self.people.values():
            stack.callback(person.http.close)
        server.change("UPDATE auth_user SET is_staff = ? WHERE username = ?", True, "stella.live")
        organiser = self.people["organiser"]
        browser = stack.enter_context(closing(organiser.browser()))
        for status in ("draft", "published"):
            made = organiser.http.post("/api/tournaments/", json={"name": f"Live {status}", "status": status})
            assert made.status_code == 201, made.text
            browser.get("/")
            fields = {"username": "arthur.live", "role": "arbiter"}
            assert submit(browser, f"/tournaments/live-{status}/manage/staff/", **fields).is_redirect

    def headers(self, role: str) -> dict[str, str]:
        return {} if role == "anonymous" else {"Authorization": f"Bearer {self.people[role].token}"}

    def games(self, wheres: list[str]) -> Iterator[str]:
        """Games of seat and opponent, each played until it is as its `where` says."""
        ids = self.server.seat("ann.live", "ben.live", *[dict(CASUAL) for _where in wheres])
        for game_id, where in zip(ids, wheres, strict=True):
            actor = "seat"
            for seq, word in enumerate(SCRIPTS[where].split()):
                do, fields = ("offer_draw", {}) if word == "offer_draw" else ("place", {"square": word})
                if word[0] == "@":
                    do, fields = "give", {"piece": word[1]}
                played = self.people[actor].post_action(game_id, do, seq, **fields)
                assert played.status_code == 200, (where, word, played.text)
                if do == "give":
                    actor = "opponent" if actor == "seat" else "seat"
            yield game_id

    def open(self, address: str, role: str, where: str, game_id: str = "") -> Wire:
        values = {"<game_id>": game_id, "<slug>": f"live-{where}", ANYTHING: "nothing/at/all/"}
        for name, value in values.items():
            address = address.replace(name, value)
        return Wire(self.server, address, **self.headers(role))


@pytest.fixture(scope="module")
def scene(server) -> Iterator[Scene]:
    with ExitStack() as stack:
        yield Scene(server, stack)


def opened(wire: Wire) -> str:
    """The opening in the words of the document: it stays open when it answers."""
    try:
        wire.send({"do": "nothing", "id": "there"})
        while wire.receive().get("id") != "there":
            pass
    except ConnectionClosed as error:
        return str(error.rcvd.code if error.rcvd else "cut")
    return "yes"


def commanded(wire: Wire, do: str) -> str:
    """What a command came to."""
    frame = {"do": do, **FIELDS.get(do, {}), "id": "mine"}
    seq = 0
    try:
        if "/ws/games/" in wire.path:
            wire.send({"do": "sync"})
            wire.receive_kind("state")
            seq = wire.receive_kind("state")["seq"]
        wire.send(frame | {"seq": seq})
        if do in ("sync", "ping"):
            return "yes" if wire.receive_kind({"sync": "state", "ping": "pong"}[do]) else ""
        while (reply := wire.receive_kind("reply"))["id"] != "mine":
            pass
    except ConnectionClosed as error:
        return str(error.rcvd.code if error.rcvd else "cut")
    return "yes" if reply["ok"] else reply["code"]


def test_each_role_opens_what_the_table_says(scene):
    game_id = next(scene.games(["a game"]))
    wrong = []
    for row in LIVE_ROWS:
        if row.method == "open":
            for role in ROLES:
                with closing(scene.open(row.address, role, row.where, game_id)) as wire:
                    found = opened(wire)
                if found != row.answers[role]:
                    wrong.append(f"{row}, {role}: {found}")
    assert not wrong, "\n".join(wrong)


def test_each_role_may_give_the_commands_that_the_table_says(scene):
    asked = [
        (row, role) for row in LIVE_ROWS if row.method not in ("open", "GET") for role in BYSTANDERS_FIRST
    ]
    games = scene.games([row.where for row, role in asked if needs_game(row, role)])
    game_id, wrong = "", []
    for row, role in asked:
        if needs_game(row, role):
            game_id = next(games)
        with closing(scene.open(row.address, role, row.where, game_id)) as wire:
            found = commanded(wire, row.method)
        if found != row.answers[role]:
            wrong.append(f"{row}, {role}: {found}")
    assert not wrong, "\n".join(wrong)


def needs_game(row: Row, role: str) -> bool:
    """Bystanders change nothing and share one; each player has his own."""
    return "<game_id>" in row.address and role in (BYSTANDERS_FIRST[0], *PLAYERS)


def test_everybody_may_wait_for_what_happens_in_a_game(scene):
    row = next(row for row in LIVE_ROWS if row.address == LONG_POLL)
    game_id = next(scene.games(["to place"]))
    for role in ROLES:
        client = scene.people["seat" if role == "anonymous" else role].http
        headers = {"Authorization": ""} if role == "anonymous" else {}
        answered = client.get(row.address.replace("<game_id>", game_id), params={"since": 0}, headers=headers)
        assert (answered.status_code, row.answers[role]) == (200, "yes"), role
        assert "no-cache" in answered.headers["Cache-Control"]
