"""One simulated person at one board: plays at random, claims what he sees, now and then behaves oddly."""

import random
from collections.abc import Awaitable, Callable
from time import perf_counter

from websockets.exceptions import ConnectionClosed

from quarto_site.simulation.board import BLOCKS, LINES, Board
from quarto_site.simulation.ear import Ear, Frame, Stuck
from quarto_site.simulation.site import Site
from quarto_site.simulation.witness import Witness

ODD_PROBABILITY = 0.03


class Chair(Ear):
    """A player's socket: his decisions come from `rng` alone, so that the same seed plays the same game."""

    def __init__(
        self,
        site: Site,
        witness: Witness,
        *,
        who: str,
        token: str,
        seat: int,
        rng: random.Random,
        miss: float,
    ) -> None:
        super().__init__(site, witness, who=who, token=token, seat=seat)
        self.rng, self.miss = rng, miss
        self.board = Board.of(witness.terms["rules"])
        self.acks_ms: list[float] = []
        self._number = 0
        self._last: Frame | None = None

    async def play(self) -> None:
        """Sit down and play until the game is over; raises Stuck."""
        await self.connect()
        try:
            while not self.over:
                try:
                    await self._turn()
                except ConnectionClosed as loss:
                    await self.connect_after(loss)
        finally:
            await self.close()

    async def _turn(self) -> None:
        if self.state["to_act"] != self.seat or self.state["status"] not in ("waiting", "live"):
            await self.hear()
            return
        self.board = board_of(self.state["position"])
        if self.rng.random() < ODD_PROBABILITY:
            await self.rng.choice(self._oddities())()
        else:
            await self._act(self._decide())

    def _decide(self) -> Frame:
        """Claim what he sees, else give or place anything, or pass. He looks for lines once a window."""
        assert self.seat is not None
        phase = self.state["phase"]
        lines = self.board.claimable() if self.board.window_open(self.seat) else []
        if lines and self.rng.random() >= self.miss:
            return {"do": "claim", "line": self._cite(self.rng.choice(lines))}
        if phase == "give":
            return {"do": "give", "piece": self.rng.choice(self.board.free_pieces())}
        if phase == "place":
            return {"do": "place", "square": self.rng.choice(self.board.free_squares())}
        return {"do": "pass"}

    def _cite(self, line: str) -> str:
        """One of the ways to point at a line: either end first; a square by either diagonal."""
        squares = LINES["LS"][line]
        ends = [squares[0], squares[3]]
        if line in BLOCKS and self.rng.random() < 0.5:
            ends = squares[1:3]
        if self.rng.random() < 0.5:
            ends = ends[::-1]
        return "-".join(ends)

    async def _act(self, action: Frame) -> None:
        """Send a legal action, check its reply and wait for the state it makes."""
        seq = self.state["seq"]
        self._last = {**action, "seq": seq}
        reply = await self._ask(self._last, timed=True)
        if reply["ok"]:
            self._same("seq of the reply", reply["seq"], seq + 1)
            self._same("seq of the states heard before the reply", self.state["seq"], seq)
            while self.state["seq"] <= seq:
                await self.hear()
        elif self._overtaken(reply, seq):
            self._last = None
        else:
            raise Stuck(f"{self.who} was refused {self._last}: {reply['code']}")

    async def _ask(self, frame: Frame, *, timed: bool = False) -> Frame:
        """Send something with an id of its own and return its reply."""
        self._number += 1
        name = f"{self.seat}-{self._number}"
        sent_at = perf_counter()
        await self.send({**frame, "id": name})
        while (reply := await self.hear()).get("type") != "reply":
            pass
        if timed:
            self.acks_ms.append(1000 * (perf_counter() - sent_at))
        self._same("id of the reply", reply["id"], name)
        return reply

    def _same(self, what: str, told: object, expected: object) -> None:
        where = f"game {self.witness.game_id} seq {self.state['seq']} as told to {self.who}"
        self.witness.doubts.same(where, what, told, expected)

    # --- harmless odd behaviour ---

    def _oddities(self) -> list[Callable[[], Awaitable[None]]]:
        odd: list[Callable[[], Awaitable[None]]] = [
            self._stale,
            self._sync,
            self._ping,
            self._bare_claim,
            self._babble,
        ]
        if self.board.pieces and self.state["phase"] in ("give", "place"):
            odd.append(self._occupied)
        if self._last is not None and self._last["seq"] == self.state["seq"] - 1:
            odd.append(self._again)
        return odd

    async def _refusal(self, frame: Frame, code: str) -> None:
        """Expect a refusal that changes nothing and tells the present state."""
        seq = self.state["seq"]
        reply = await self._ask(frame)
        if self._overtaken(reply, seq):
            return
        self._same(f"reply to {frame}", (reply["ok"], reply.get("code"), reply["seq"]), (False, code, seq))
        self.witness.hear_state(reply["state"], who=self.who)

    def _overtaken(self, reply: Frame, seq: int) -> bool:
        """Whether the clock, an outage or an arbiter changed the state before a refused action was judged."""
        if reply["ok"] or reply["state"]["seq"] <= seq:
            return False
        self.witness.hear_state(reply["state"], who=self.who)
        self._take(reply["state"])
        return True

    async def _stale(self) -> None:
        await self._refusal({"do": "give", "piece": "0", "seq": self.state["seq"] + 7}, "stale")

    async def _bare_claim(self) -> None:
        assert self.seat is not None
        code = "line_required" if self.board.window_open(self.seat) else "no_window"
        await self._refusal({"do": "claim", "seq": self.state["seq"]}, code)

    async def _occupied(self) -> None:
        square = self.rng.choice(sorted(self.board.pieces))
        action: Frame = {"do": "place", "square": square}
        if self.state["phase"] == "give":
            action = {"do": "give", "piece": self.board.pieces[square]}
        code = "piece_taken" if self.state["phase"] == "give" else "square_taken"
        await self._refusal({**action, "seq": self.state["seq"]}, code)

    async def _babble(self) -> None:
        """A frame that is no JSON; the socket must stay open."""
        seq = self.state["seq"]
        await self.send_text(self.rng.choice(["{", "give 5", "[]", "null"]))
        while (reply := await self.hear()).get("type") != "reply":
            pass
        if not self._overtaken(reply, seq):
            told = reply["id"], reply["code"], reply["seq"]
            self._same("reply to a frame that is no object", told, (None, "bad_request", seq))
            self.witness.hear_state(reply["state"], who=self.who)

    async def _sync(self) -> None:
        seq = self.state["seq"]
        self.syncing = True
        await self.send({"do": "sync"})
        while (answer := await self.hear()).get("type") != "state":
            pass
        self.syncing = False
        self._same("whether the answer to sync is up to date", answer["seq"] >= seq, True)

    async def _ping(self) -> None:
        mark = self.rng.randrange(10**6)
        await self.send({"do": "ping", "t": mark})
        while (pong := await self.hear()).get("type") != "pong":
            pass
        self._same("pong", (pong["t"], pong["seq"]), (mark, self.state["seq"]))

    async def _again(self) -> None:
        """Lose the connection after an acknowledged action and repeat it: acknowledged, not executed."""
        assert self._last is not None
        seq = self.state["seq"]
        await self.connect()
        reply = await self._ask(self._last)
        if self.state["seq"] == seq:
            self._same("reply to a repeat", (reply["ok"], reply["seq"]), (True, seq))
        else:
            self._overtaken(reply, seq)


def board_of(position: str) -> Board:
    """Read a position string."""
    ranks, hand, _side, letter, last, closed, rules = position.split(" ")
    board = Board.of(rules)
    for number, rank in zip("4321", ranks.split("/"), strict=True):
        board.pieces |= {
            file + number: piece for file, piece in zip("abcd", rank, strict=True) if piece != "."
        }
    board.hand = None if hand == "-" else hand
    board.last = None if last == "-" else last
    board.phase = {"G": "give", "P": "place", "E": "end", "F": "reply", "X": "over"}[letter]
    board.closed = set() if closed == "-" else {int(seat) for seat in closed}
    return board
