"""A served site with a game for each example, and one socket of every kind at it."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from tests.clients import Board, Match, Person, Wire
from tests.server import Server

TERMS = {"claims": "void", "control": "turn=3600", "draws_allowed": True, "no_show_ms": 3_600_000}
GAMES_AT_ONCE = 150
LAST = json.dumps({"do": "dance", "id": "the last"})


class Field:
    """A server, its people, and games that nobody has touched yet."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.ann, self.ben, self.cleo = (Person(server, name) for name in ("ann", "ben", "cleo"))
        made = self.cleo.http.post("/api/tournaments/", json={"name": "Thursday"})
        self.event = made.json()["slug"]
        self._fresh: list[str] = []
        self.bystanders = Match(server, self.ann.challenge(self.ben, control="turn=3600"), self.ann, self.ben)
        self.bystanders.play("@5 a1")  # so that it does not wait for its first piece

    def game(self) -> str:
        if not self._fresh:
            self._fresh = self.server.seat("ann", "ben", *(dict(TERMS) for _game in range(GAMES_AT_ONCE)))
        return self._fresh.pop()

    @contextmanager
    def sockets(self, game_id: str) -> Iterator[dict[str, Wire]]:
        """One socket of every kind, by who holds it."""
        with ExitStack() as stack:
            boards: dict[str, Wire] = {
                "one": self.ann.board(game_id),
                "two": self.ben.board(game_id),
                "player": self.cleo.board(game_id),
                "watcher": Board(self.server, game_id),
            }
            others = {
                "lobby": Wire(self.server, "/ws/lobby/"),
                "me": Wire(self.server, "/ws/me/", Authorization=f"Bearer {self.ann.token}"),
                "event": Wire(self.server, f"/ws/tournaments/{self.event}/"),
            }
            opened = boards | others
            for wire in opened.values():
                stack.callback(wire.close)
            yield opened

    def close(self) -> None:
        self.bystanders.close()
        for person in (self.ann, self.ben, self.cleo):
            person.http.close()


ON_A_GAME = ("one", "two", "player", "watcher")
SEATS = {"one": 1, "two": 2}


def answers(wire: Wire) -> list[dict[str, Any]]:
    """All that comes until the answer to the last frame, without it."""
    wire.send(LAST)
    heard = []
    while (frame := wire.receive()) != {**frame, "type": "reply", "id": "the last"}:
        heard.append(frame)
    return heard
