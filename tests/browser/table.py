"""A game's page with nothing behind it but the judge: pages and scripts from the project, one socket."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Page, Route, WebSocketRoute

from games.frames import state_frame
from games.judge import Action, GameState, judge
from games.phrases import phrases

HOST = "http://quarto.test"
GAME = "k3J9xQ2a"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Table:
    """Serves one game to one page, which sits at `you` (None: watches)."""

    def __init__(self, page: Page, state: GameState, you: int | None, claims: str = "lose") -> None:
        self.page, self.state, self.you, self.claims = page, state, you, claims
        self.received: list[dict] = []
        self.deaf = False
        self.sockets: list[WebSocketRoute] = []
        self.greet: Callable[[WebSocketRoute], None] = self.welcome
        self.answer: Callable[[Route, str], None] | None = None
        page.route("**/*", self._serve)
        page.route_web_socket(re.compile("/ws/games/"), self._connect)

    def open(self) -> None:
        self.page.goto(f"{HOST}/games/{GAME}/")

    @property
    def frame(self) -> dict:
        return state_frame(GAME, self.state, at_ms=0)

    @property
    def game(self) -> dict:
        return {
            "type": "game",
            "id": GAME,
            "rules": str(self.state.position.rules),
            "claims": self.claims,
            "control": str(self.state.clock.control),
            "rated": True,
            "players": [
                {"seat": 1, "player": "ann", "name": "Ann", "rating": 1512, "provisional": False},
                {"seat": 2, "player": "ben", "name": "Ben", "rating": 1498, "provisional": True},
            ],
            "you": self.you,
            "tournament": None,
        }

    def welcome(self, socket: WebSocketRoute) -> None:
        self.send(self.game)
        self.send(self.frame)

    def send(self, frame: dict) -> None:
        self.sockets[-1].send(json.dumps(frame))

    def act(self, seat: int, do: str, **what: str) -> None:
        """An action that the server has from elsewhere; the page hears of it."""
        judgement = judge(self.state, seat, Action(do, **what), seq=self.state.seq, at_ms=0)
        assert judgement.accepted, judgement.code
        self.state = judgement.state
        if self.sockets:
            self.send(self.frame)

    def hear(self, frame: dict) -> dict:
        """Judge an action of the page; the reply."""
        what = {key: frame[key] for key in ("piece", "square", "line") if key in frame}
        judgement = judge(self.state, self.you, Action(frame["do"], **what), seq=frame["seq"], at_ms=0)
        self.state = judgement.state
        reply = {"type": "reply", "id": frame["id"], "ok": judgement.accepted or judgement.repeat}
        if not reply["ok"]:
            reply |= {"code": judgement.code, "detail": "", "state": self.frame}
        return reply | {"seq": self.state.seq}

    def _connect(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        socket.on_message(lambda text: self._receive(json.loads(text)))
        self.greet(socket)

    def _receive(self, frame: dict) -> None:
        if frame["do"] == "ping":
            self.send({"type": "pong", "t": frame["t"], "now": 0, "seq": self.state.seq})
            return
        self.received.append(frame)
        if not self.deaf:
            self.send(self.hear(frame))
            self.send(self.frame)

    def _serve(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/static/"):
            found = Path(str(finders.find(path.removeprefix("/static/"))))
            route.fulfill(body=found.read_bytes(), content_type=TYPES[found.suffix])
        elif path == f"/games/{GAME}/":
            route.fulfill(body=self._page(path), content_type="text/html; charset=utf-8")
        elif self.answer is not None:
            self.answer(route, path)
        else:
            route.fulfill(status=404)

    def _page(self, path: str) -> str:
        request = RequestFactory().get(path)
        request.user = AnonymousUser()
        options = {"draws": True, "signed_in": True, "rematch": True, "changes": []}
        context = {"game": self.game | {"state": self.frame}, "options": options, "phrases": phrases()}
        return render_to_string("games/game.html", context, request=request)
