"""The load: many games at once, each played action by action as fast as the server lets it.

A closed loop: the next action of a game leaves when the player who makes it has heard the state before it, so
the load is bounded by the number of games. Everything goes over loopback.
"""

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time

from benchmarks.wire import Wire, open_wire

PLAY_LIMIT_S = 300.0
SQUARES = [file + rank for rank in "1234" for file in "abcd"]


@dataclass(frozen=True, slots=True)
class Seating:
    """Where a game is played: its socket's address and token for each player, the address for watchers."""

    players: tuple[tuple[str, str | None], tuple[str, str | None]]
    watcher: str


@dataclass(slots=True)
class Outcome:
    """What one batch of games took; `own_seconds` is the processor time of the load itself."""

    actions: int
    seconds: float
    own_seconds: float
    acks_ms: list[float]
    heard: int


def script(rng: random.Random) -> list[tuple[int, dict[str, str]]]:
    """A whole random game in which nobody claims: the seat and the action of each of its 34 steps."""
    pieces, squares = list("0123456789ABCDEF"), list(SQUARES)
    rng.shuffle(pieces)
    rng.shuffle(squares)
    steps: list[tuple[int, dict[str, str]]] = []
    for number, (piece, square) in enumerate(zip(pieces, squares, strict=True)):
        giver = 1 + number % 2
        steps += [(giver, {"do": "give", "piece": piece}), (3 - giver, {"do": "place", "square": square})]
    return [*steps, (1, {"do": "pass"}), (2, {"do": "pass"})]


class Board:
    """One game with its sockets. `finished` is done when a player has heard the last state."""

    def __init__(self, seating: Seating, rng: random.Random, watchers: int) -> None:
        self._seating, self._watchers_wanted = seating, watchers
        self._steps = [
            (seat, json.dumps({**action, "seq": seq, "id": str(seq)}).encode())
            for seq, (seat, action) in enumerate(script(rng))
        ]
        self._seats: dict[int, Wire] = {}
        self._wires: list[Wire] = []
        self._seq = 0
        self._sent_at = 0.0
        self.acks_ms: list[float] = []
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Opens the players' sockets, which say who sits where, then the watchers'."""
        for url, token in self._seating.players:
            opening: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
            wire = await open_wire(url, _once(opening), token)
            seat = json.loads(await opening)["you"]
            wire.hear = self._ear_of(seat)
            self._seats[seat] = wire
        self._wires = [
            await open_wire(self._seating.watcher, None) for _watcher in range(self._watchers_wanted)
        ]

    def close(self) -> None:
        for wire in [*self._seats.values(), *self._wires]:
            wire.close()

    def start(self) -> None:
        for wire in self._wires:
            wire.forget()
        self._send()

    def heard(self) -> int:
        """How many states the watchers got since the start."""
        return sum(_kind(frame) == "state" for wire in self._wires for frame in wire.kept())

    @property
    def actions(self) -> int:
        return self._seq

    def _send(self) -> None:
        seat, payload = self._steps[self._seq]
        self._sent_at = perf_counter()
        self._seats[seat].send(payload)

    def _ear_of(self, seat: int) -> Callable[[bytes], None]:
        def hear(frame: bytes) -> None:
            kind = _kind(frame)
            if kind == "reply":
                self._acknowledged(frame)
            elif kind == "state":
                self._moved_on(seat, frame)

        return hear

    def _acknowledged(self, frame: bytes) -> None:
        self.acks_ms.append(1000 * (perf_counter() - self._sent_at))
        reply = json.loads(frame)
        if not reply["ok"] and not self.finished.done():
            self.finished.set_exception(RuntimeError(f"refused at {self._seq}: {frame.decode()}"))

    def _moved_on(self, seat: int, frame: bytes) -> None:
        if self.finished.done():
            return
        last = self._seq + 1 == len(self._steps)
        if not last and seat != self._steps[self._seq + 1][0]:
            return
        if json.loads(frame)["seq"] != self._seq + 1:
            return
        self._seq += 1
        if last:
            self.finished.set_result(None)
        else:
            self._send()


def _kind(frame: bytes) -> str:
    """The type of a frame, without taking it apart: both servers write it first."""
    return frame[:20].replace(b" ", b"").split(b'"')[3].decode()


def _once(opening: asyncio.Future[bytes]) -> Callable[[bytes], None]:
    def hear(frame: bytes) -> None:
        if not opening.done():
            opening.set_result(frame)

    return hear


async def play(seatings: list[Seating], *, watchers: int, seed: int, meter: Callable[[], None]) -> Outcome:
    """Plays one batch of games at once; `meter` is called before the first and after the last action."""
    boards = [Board(seating, random.Random(f"{seed} {n}"), watchers) for n, seating in enumerate(seatings)]
    try:
        for board in boards:
            await board.open()
        await asyncio.sleep(0.5)
        meter()
        started_at, own_at = perf_counter(), process_time()
        for board in boards:
            board.start()
        async with asyncio.timeout(PLAY_LIMIT_S):
            await asyncio.gather(*(board.finished for board in boards))
        seconds, own_seconds = perf_counter() - started_at, process_time() - own_at
        meter()
        await asyncio.sleep(0.1)
        heard = sum(board.heard() for board in boards)
    finally:
        for board in boards:
            board.close()
    acks_ms = [ms for board in boards for ms in board.acks_ms]
    actions = sum(board.actions for board in boards)
    return Outcome(actions, seconds, own_seconds, acks_ms, heard)


async def open_idle(url_of: list[str], count: int) -> list[Wire]:
    """Opens watchers that only listen, spread over the games."""
    return [await open_wire(url_of[n % len(url_of)], None) for n in range(count)]
