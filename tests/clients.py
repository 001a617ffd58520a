"""Clients of a server: people with accounts, and the sockets they open. Everything is synchronous."""

import itertools
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server import PATIENCE_S, Server

PASSWORD = "four in a row"
Frame = dict[str, Any]


class Wire:
    """One websocket; `texts` are all the frames that came, as they came."""

    def __init__(self, server: Server, path: str, *, origin: str | None = None, **headers: str) -> None:
        self.path = path
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                (server.socket_url if origin else server.next_socket_url()) + path,
                origin=origin,
                additional_headers=named,
                proxy=None,
                ssl=server.tls,
                max_size=None,
                ping_interval=None,  # its thread would draw from `random`, for which Hypothesis blames other tests
                max_queue=None,  # or who has not read all would not see the end of the connection
            )
        )
        self.texts: list[str] = []
        self._numbers = itertools.count(1)

    def send(self, frame: Frame | str | bytes) -> None:
        self._socket.send(json.dumps(frame) if isinstance(frame, dict) else frame)

    def receive(self, timeout: float = PATIENCE_S) -> Frame:
        """The next frame; raises TimeoutError, ConnectionClosed."""
        text = self._socket.recv(timeout=timeout)
        assert isinstance(text, str)
        self.texts.append(text)
        return json.loads(text)

    def receive_kind(self, kind: str) -> Frame:
        """The next frame of a type, past all others."""
        while True:
            frame = self.receive()
            if frame["type"] == kind:
                return frame

    def close_code(self) -> int | None:
        """Reads on until the server closes, and says with which code."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    def close(self) -> None:
        self._open.close()


class Board(Wire):
    """The socket of a game; `state` is the newest that came, by its `seq`."""

    def __init__(self, server: Server, game_id: str, **options: Any) -> None:
        super().__init__(server, f"/ws/games/{game_id}/", **options)
        self.state: Frame = {"seq": -1}
        try:
            self.game = self.receive()
            assert self.game["type"] == "game"
            self.receive_kind("state")
        except BaseException:
            self.close()
            raise

    @property
    def seq(self) -> int:
        return self.state["seq"]

    def receive(self, timeout: float = PATIENCE_S) -> Frame:
        frame = super().receive(timeout)
        if frame["type"] == "state" and frame["seq"] > self.seq:
            self.state = frame
        return frame

    def ask(self, frame: Frame | str | bytes, reply_id: str | None) -> Frame:
        """Sends a frame and returns the reply to it."""
        self.send(frame)
        while True:
            reply = self.receive_kind("reply")
            if reply["id"] == reply_id:
                return reply

    def act(self, do: str, seq: int | None = None, **fields: object) -> Frame:
        """Sends an action and returns its reply."""
        reply_id = f"c-{next(self._numbers)}"
        seq = self.seq if seq is None else seq
        return self.ask({"do": do, **fields, "seq": seq, "id": reply_id}, reply_id)

    def reach(self, seq: int) -> Frame:
        """Reads on until the state has at least this seq."""
        while self.seq < seq:
            self.receive()
        return self.state

    def sync(self) -> Frame:
        """The present state, asked for."""
        self.send({"do": "sync"})
        return self.receive_kind("state")

    def settle(self) -> list[Frame]:
        """What had been sent before this call and was not read yet: the server answers a ping behind it."""
        mark = next(self._numbers)
        self.send({"do": "ping", "t": mark})
        frames: list[Frame] = []
        while True:
            frame = self.receive()
            if frame["type"] == "pong" and frame["t"] == mark:
                return frames
            frames.append(frame)


def http_client(server: Server, url: str | None = None) -> httpx.Client:
    """A client without an account, for as many requests at once as one likes."""
    limits = httpx.Limits(max_connections=None, keepalive_expiry=30)  # no test is to depend on being quick
    return httpx.Client(
        base_url=url or server.url, timeout=PATIENCE_S, trust_env=False, verify=False, limits=limits
    )


def submit(browser: httpx.Client, path: str, **fields: str) -> httpx.Response:
    """Submits a form of a page that the browser has seen."""
    return browser.post(path, data=fields, headers={"X-CSRFToken": browser.cookies["csrftoken"]})


def cookies_of(browser: httpx.Client) -> str:
    """The Cookie header that the browser would send."""
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar)


class Person:
    """Somebody with an account and a token."""

    def __init__(self, server: Server, name: str) -> None:
        self.server, self.name = server, name
        self.http = http_client(server, server.next_url())
        signed_up = self.http.post("/api/accounts/", json={"username": name, "password": PASSWORD})
        assert signed_up.status_code == 201, signed_up.text
        self.token = self.new_token()
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def new_token(self) -> str:
        made = self.http.post("/api/tokens/", json={"username": self.name, "password": PASSWORD})
        assert made.status_code == 201, made.text
        return made.json()["token"]

    def browser(self) -> httpx.Client:
        """A browser in which the person is signed in; the caller closes it."""
        browser = http_client(self.server)
        browser.get("/accounts/sign-in/")
        answer = submit(browser, "/accounts/sign-in/", username=self.name, password=PASSWORD)
        assert "sessionid" in browser.cookies, answer.text
        return browser

    def board(self, game_id: str) -> Board:
        return Board(self.server, game_id, Authorization=f"Bearer {self.token}")

    def challenge(self, other: "Person", **terms: object) -> str:
        """The id of a new game against somebody who accepts."""
        asked = self.http.post("/api/challenges/", json={"opponent": other.name} | terms)
        assert asked.status_code == 201, asked.text
        accepted = other.http.post(f"/api/challenges/{asked.json()['id']}/accept/")
        assert accepted.status_code == 200, accepted.text
        return accepted.json()["game"]

    def post_action(self, game_id: str, do: str, seq: int, **fields: object) -> httpx.Response:
        return self.http.post(f"/api/games/{game_id}/actions/", json={"do": do, "seq": seq, **fields})


class Match:
    """A game in play: `one` and `two` are the boards of the seats, `watcher` belongs to nobody.

    `persons` are the players by seat.
    """

    def __init__(self, server: Server, game_id: str, *players: Person) -> None:
        self.server, self.id = server, game_id
        boards = [player.board(game_id) for player in players]
        self.persons: dict[int, Person] = {
            board.game["you"]: player for board, player in zip(boards, players, strict=True)
        }
        self.boards: dict[int, Board] = {board.game["you"]: board for board in boards}
        self.watcher = Board(server, game_id)

    @property
    def one(self) -> Board:
        return self.boards[1]

    @property
    def two(self) -> Board:
        return self.boards[2]

    @property
    def everybody(self) -> tuple[Board, Board, Board]:
        return self.one, self.two, self.watcher

    def play(self, script: str) -> Frame:
        """Plays actions in the notation of a record, without its numbers, and returns the last state.

        `@5` gives, `a1` places and `--` passes for whoever is to act; `Q1(a1-d1)` claims, `R1` resigns,
        `D1?` offers, `D1-` declines and `D1=` accepts a draw for seat 1. Everybody has seen each state
        before the next action.
        """
        for token in script.split():
            seat, do, fields = self._action(token)
            reply = self.boards[seat].act(do, **fields)
            assert reply["ok"], (token, reply)
            self.reach(reply["seq"])
        return self.watcher.state

    def _action(self, token: str) -> tuple[int, str, dict[str, str]]:
        if token[0] == "@":
            return self.watcher.state["to_act"], "give", {"piece": token[1]}
        if token == "--":
            return self.watcher.state["to_act"], "pass", {}
        if token[0] == "Q":
            return int(token[1]), "claim", {"line": token[3:-1]}
        if token[0] == "R":
            return int(token[1]), "resign", {}
        if token[0] == "D":
            return int(token[1]), {"?": "offer_draw", "-": "decline_draw", "=": "accept_draw"}[token[2]], {}
        return self.watcher.state["to_act"], "place", {"square": token}

    def reach(self, seq: int) -> None:
        for board in self.everybody:
            board.reach(seq)

    def close(self) -> None:
        for board in self.everybody:
            board.close()


@contextmanager
def sitting(server: Server, *players: Person, **terms: object) -> Iterator[Match]:
    """A new game of two, with their sockets open and a watcher beside."""
    match = Match(server, players[0].challenge(players[1], **terms), *players)
    try:
        yield match
    finally:
        match.close()
