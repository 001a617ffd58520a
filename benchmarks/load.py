"""The load: many games at once, over loopback, bounded in time and in number.

A closed loop plays each game as fast as the server lets it: the next action leaves when the player who makes it
has heard the state before it. A paced load sends the next action of a game at a given moment.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

from benchmarks.dialects import REFUSED, REPLY, STATE, Dialect, Place, open_place
from benchmarks.wire import Wire

PLAY_LIMIT_S = 120.0
OPENED_AT_ONCE = 10
SQUARES = [file + rank for rank in "1234" for file in "abcd"]


@dataclass(frozen=True, slots=True)
class Seating:
    """Who comes to a game. The seats of the players may become known only when they enter."""

    players: tuple[Place, Place]
    watchers: tuple[Place, ...]


@dataclass(slots=True)
class Outcome:
    """What one batch of games took; `own_seconds` is the processor time of the load itself."""

    actions: int
    seconds: float
    own_seconds: float
    acks_ms: list[float]
    lost: int


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
    """One game with its sockets.

    `paced` boards act when they are told to, others by themselves. `done` is set while nothing is under way and
    nothing is to come. `sent_at` are the moments at which the actions left, or were to leave.
    """

    def __init__(
        self, seating: Seating, dialect: Dialect, rng: random.Random, *, paced: bool = False
    ) -> None:
        self._seating, self._dialect, self._paced = seating, dialect, paced
        self._script = script(rng)
        self._steps: list[tuple[int, bytes]] = []
        self._seats: dict[int, Wire] = {}
        self.watchers: list[Wire] = []
        self.actions = 0
        self.sent_at: list[float] = []
        self._due: deque[float] = deque()
        self._ends_at = float("inf")
        self.acks_ms: list[float] = []
        self.failure: Exception | None = None
        self.done = asyncio.Event()
        self.done.set()

    async def open(self) -> None:
        places: dict[int, Place] = {}
        for place in self._seating.players:
            wire, seat = await open_place(self._dialect, place)
            assert seat is not None
            self._seats[seat], places[seat] = wire, place
            wire.hear = self._ear_of(seat)
        self._steps = [
            (seat, self._dialect.action(places[seat], seq, action))
            for seq, (seat, action) in enumerate(self._script)
        ]
        for place in self._seating.watchers:
            self.watchers.append((await open_place(self._dialect, place))[0])

    def close(self) -> None:
        for wire in [*self._seats.values(), *self.watchers]:
            wire.close()

    def start(self, ends_at: float) -> None:
        """Plays by itself, until the game is over or the moment has come."""
        for wire in self.watchers:
            wire.forget()
        self._ends_at = ends_at
        self._send(perf_counter())

    def step(self, due_at: float) -> None:
        """Makes the next action now, or as soon as the one before it is known. Its time counts from `due_at`."""
        if self.done.is_set():
            self._send(due_at)
        else:
            self._due.append(due_at)

    def lost(self) -> int:
        """How many states the watchers did not get, of those after the start."""
        kinds = (self._dialect.read(frame)[0] for wire in self.watchers for frame in wire.kept())
        return self.actions * len(self.watchers) - sum(kind == STATE for kind in kinds)

    @property
    def is_over(self) -> bool:
        return len(self.sent_at) == len(self._steps)

    def _send(self, due_at: float) -> None:
        seat, frame = self._steps[len(self.sent_at)]
        self.sent_at.append(due_at)
        self.done.clear()
        self._seats[seat].send(frame, self._dialect.kind)

    def _ear_of(self, seat: int) -> Callable[[bytes], None]:
        read, replies = self._dialect.read, self._dialect.replies

        def hear(frame: bytes) -> None:
            kind, seq = read(frame)
            if kind == STATE:
                if not replies and 0 < seq == len(self.sent_at) and seat == self._steps[seq - 1][0]:
                    self._acknowledged(seq)
                self._moved_on(seat, seq)
            elif kind == REPLY:
                self._acknowledged(seq)
            elif kind == REFUSED:
                self.failure = RuntimeError(f"refused at {self.actions}: {frame!r}")
                self.done.set()

        return hear

    def _acknowledged(self, seq: int) -> None:
        self.acks_ms.append(1000 * (perf_counter() - self.sent_at[seq - 1]))

    def _moved_on(self, seat: int, seq: int) -> None:
        """The player who acts next has heard it; after the last action, whoever hears it first."""
        if seq != self.actions + 1 or self.failure is not None:
            return
        if seq < len(self._steps) and seat != self._steps[seq][0]:
            return
        self.actions = seq
        now = perf_counter()
        if self._due:
            self._send(self._due.popleft())
        elif self._paced or self.is_over or now >= self._ends_at:
            self.done.set()
        else:
            self._send(now)


async def open_boards(boards: Sequence[Board]) -> None:
    """Opens all their sockets, a few boards at once."""
    for first in range(0, len(boards), OPENED_AT_ONCE):
        await asyncio.gather(*(board.open() for board in boards[first : first + OPENED_AT_ONCE]))
    await asyncio.sleep(0.5)


async def play(
    seatings: Sequence[Seating], dialect: Dialect, *, seed: int, limit_s: float, meter: Callable[[], None]
) -> Outcome:
    """Plays games at once in a closed loop; `meter` is called before the first and after the last action."""
    boards = [Board(seating, dialect, random.Random(f"{seed} {n}")) for n, seating in enumerate(seatings)]
    try:
        await open_boards(boards)
        meter()
        started_at, own_at = perf_counter(), process_time()
        for board in boards:
            board.start(started_at + limit_s)
        seconds = await finish(boards) - started_at
        own_seconds = process_time() - own_at
        meter()
        await asyncio.sleep(0.2)
        lost = sum(board.lost() for board in boards)
    finally:
        for board in boards:
            board.close()
    acks_ms = [ms for board in boards for ms in board.acks_ms]
    return Outcome(sum(board.actions for board in boards), seconds, own_seconds, acks_ms, lost)


async def finish(boards: Sequence[Board]) -> float:
    """Waits until every board is done; returns the moment. Raises what went wrong at one."""
    async with asyncio.timeout(PLAY_LIMIT_S):
        for board in boards:
            await board.done.wait()
            if board.failure is not None:
                raise board.failure
    return perf_counter()


async def play_paced(
    boards: Sequence[Board], *, per_second: float, seconds: float, meter: Callable[[], None]
) -> None:
    """Makes so many actions a second, board after board, at moments that do not depend on the server."""
    meter()
    started_at = perf_counter()
    for number in range(int(per_second * seconds)):
        due_at = started_at + number / per_second
        await asyncio.sleep(max(0.0, due_at - perf_counter()))
        boards[number % len(boards)].step(due_at)
    await finish(boards)
    meter()


async def open_idle(places: Sequence[Place], dialect: Dialect) -> list[Wire]:
    """Opens watchers that only listen."""
    return [(await open_place(dialect, place))[0] for place in places]
