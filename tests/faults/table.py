"""Two players at one table, who play one game after the other through whatever breaks.

They follow the protocol and nothing else: what has no answer is sent again with the seq that it was
made on, a connection that broke is opened anew, and a state that is not newer is dropped.
"""

import itertools
import json
import re
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import httpx
from websockets.exceptions import WebSocketException

from tests.clients import Frame, Person, Wire
from tests.server import Server, let_pass

T = TypeVar("T")

BROKEN = (WebSocketException, OSError, httpx.TransportError)
GIVE_UP_S = 120
ASK_AGAIN_S = 5.0
RETRY_S = 0.05
CONTROL = "turn=20"
SQUARES = [f"{file}{rank}" for rank in range(1, 5) for file in "abcd"]


def tokens_of(record: str) -> list[str]:
    """The actions in a record, without times and numbers, and without the notes of outages."""
    bare = re.sub(r"\{outage: [^}]*\}|\{[\d.]+\}|\d+\.(?=@)", "", record)
    return bare.split()


def next_action(state: Frame, *, to_the_end: bool) -> dict[str, str]:
    """Pieces from 0 to F on the squares from a1 to d4. The first row is a line of round pieces: it is
    called, or overlooked and the board filled, with a pass in both end windows."""
    placed = sum(token in SQUARES for token in tokens_of(state["record"]))
    match state["phase"]:
        case "give" if placed == 4 and not to_the_end:
            return {"do": "claim", "line": "a1-d1"}
        case "give":
            return {"do": "give", "piece": "0123456789ABCDEF"[placed]}
        case "place":
            return {"do": "place", "square": SQUARES[placed]}
    return {"do": "pass"}


def token_of(action: dict[str, str], seat: int) -> str:
    match action["do"]:
        case "give":
            return f"@{action['piece']}"
        case "place":
            return action["square"]
        case "claim":
            return f"Q{seat}({action['line']})!"
    return "--"


class Seat(Wire):
    """A socket at a game, a player's or a watcher's; `state` is the newest that came."""

    def __init__(self, server: Server, game_id: str, person: Person | None, ask_again_s: float) -> None:
        headers = {"Authorization": f"Bearer {person.token}"} if person else {}
        super().__init__(server, f"/ws/games/{game_id}/", **headers)
        self.ask_again_s = ask_again_s
        self.state: Frame = {"seq": -1}

    def receive(self, timeout: float | None = None) -> Frame:
        frame = super().receive(self.ask_again_s if timeout is None else timeout)
        if frame["type"] == "state" and frame["seq"] > self.state["seq"]:
            self.state = frame
        return frame

    def ask(self, question: Frame, is_answer: Callable[[Frame], bool]) -> Frame:
        """Asks until there is an answer. Raises TimeoutError, ConnectionClosed."""
        limit = time.monotonic() + GIVE_UP_S
        while time.monotonic() < limit:
            self.send(question)
            with suppress(TimeoutError):
                while not is_answer(frame := self.receive()):
                    pass
                return frame
        raise TimeoutError(json.dumps(question))

    def sync(self) -> Frame:
        return self.ask({"do": "sync"}, lambda frame: frame["type"] == "state")

    def reach(self, seq: int) -> Frame:
        while self.state["seq"] < seq:
            try:
                self.receive()
            except TimeoutError:
                self.sync()
        return self.state


class Table:
    """`acknowledged` is what the server acknowledged, by game; `acks` how much that was."""

    def __init__(
        self, server: Server, players: tuple[Person, Person], *, ask_again_s: float = ASK_AGAIN_S
    ) -> None:
        self.server, self.players, self.ask_again_s = server, players, ask_again_s
        self.acknowledged: dict[str, list[str]] = defaultdict(list)
        self.acks = self.games = 0
        self.stopping = False
        self.told: set[str] = set()  # codes of refusal
        self._asked: str | None = None  # the challenge that is not accepted yet
        self._seats: dict[int, Seat] = {}  # 0 is the watcher
        self._persons: dict[int, Person | None] = {}
        self._ids = itertools.count(1)

    def play(self, games: int | None = None) -> None:
        """Plays until `stopping`, or that many games to their ends."""
        try:
            while not self.stopping and self.games != games:
                self._play_one(self._until_answered(self._start_game))
        finally:
            self._leave()

    def _start_game(self) -> str | None:
        one, two = self.players
        if self._asked is None:
            terms = {"opponent": two.name, "rated": True, "control": CONTROL}
            asked = self._body_of(one.http.post(f"{self.server.next_url()}/api/challenges/", json=terms))
            self._asked = asked and asked["id"]
            return None
        answer = two.http.post(f"{self.server.next_url()}/api/challenges/{self._asked}/accept/")
        if answer.status_code == 409:  # accepted, and the answer was lost: nobody sits down at that game
            self._asked = None
            return None
        accepted = self._body_of(answer)
        if accepted is None:
            return None
        game = self._body_of(two.http.get(f"{self.server.next_url()}/api/games/{accepted['game']}/"))
        if game is None:
            return None
        by_name = {player.name: player for player in self.players}
        self._persons = {0: None, **{seat["seat"]: by_name[seat["player"]] for seat in game["players"]}}
        self._asked = None
        return game["id"]

    def _body_of(self, answer: httpx.Response) -> Frame | None:
        """None where the server is not able to answer now."""
        if answer.status_code == 503:
            self.told.add(answer.json()["code"])
            return None
        assert answer.is_success, answer.text
        return answer.json()

    def _until_answered(self, attempt: Callable[[], T | None]) -> T:
        """Tries again what was answered with nothing (unavailable) or whose connection broke."""
        limit = time.monotonic() + GIVE_UP_S
        while True:
            try:
                result = attempt()
            except BROKEN:
                self._leave()
                result = None
            if result is not None:
                return result
            assert time.monotonic() < limit, f"no answer in {GIVE_UP_S} s"
            let_pass(RETRY_S)

    def _play_one(self, game_id: str) -> None:
        to_the_end = bool(self.games % 2)
        state = self._until_answered(lambda: self._seat(game_id, 1).sync())
        while state["status"] != "over":
            if self.stopping:
                return
            action = next_action(state, to_the_end=to_the_end)
            state = self._act(game_id, state, action)
            self.acks += 1
        self.games += 1
        self._compare(game_id, state["seq"])
        self._leave()

    def _act(self, game_id: str, state: Frame, action: dict[str, str]) -> Frame:
        """Sends one action until it is known to count; returns the state that it made."""
        seat, acknowledged = state["to_act"], self.acknowledged[game_id]
        wanted = [*acknowledged, token_of(action, seat)]
        seq = state["seq"]

        def attempt() -> Frame | None:
            nonlocal seq
            wire = self._seat(game_id, seat)
            reply_id = f"c-{next(self._ids)}"
            question = action | {"seq": seq, "id": reply_id}
            reply = wire.ask(question, lambda frame: frame["type"] == "reply" and frame["id"] == reply_id)
            if reply["ok"]:
                return wire.reach(reply["seq"])
            self.told.add(reply["code"])
            if reply["code"] == "unavailable":
                return None
            now = reply["state"]
            assert reply["code"] in ("stale", "game_over"), reply
            if tokens_of(now["record"])[: len(wanted)] == wanted:
                return now  # it had been judged, and an outage was credited since
            assert tokens_of(now["record"]) == acknowledged, (now, acknowledged)
            seq = now["seq"]  # an outage was credited: the action is made on the state that this made
            return None

        after = self._until_answered(attempt)
        acknowledged.append(wanted[-1])
        return after

    def _compare(self, game_id: str, seq: int) -> None:
        """Whatever was lost on the way, everybody ends with the same board."""
        ends = [
            self._until_answered(lambda seat=seat: self._seat(game_id, seat).reach(seq)) for seat in (0, 1, 2)
        ]
        boards = [end | {"clock": None} for end in ends]
        assert boards[0] == boards[1] == boards[2]
        assert tokens_of(ends[0]["record"]) == self.acknowledged[game_id]

    def _seat(self, game_id: str, number: int) -> Seat:
        """Somebody's socket; whoever comes to a game finds the watcher there."""
        for one in (0, number):
            if one not in self._seats:
                self._seats[one] = Seat(self.server, game_id, self._persons[one], self.ask_again_s)
        return self._seats[number]

    def _leave(self) -> None:
        while self._seats:
            _number, seat = self._seats.popitem()
            seat.close()
