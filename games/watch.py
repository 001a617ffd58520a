"""What an operator is told: which action of whom was answered how, which socket came and went, in lines
and in numbers.

A number costs about a microsecond, a line for each nothing unless DEBUG is on; what failed through the
server's fault, and who was put out, is always said. Nothing here is a secret: no token, cookie or password.
"""

import logging
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from games import metrics

if TYPE_CHECKING:
    from games.judge import GameState
    from games.rulings import Command, Ruling
    from games.sockets import Socket

logger = logging.getLogger(__name__)

FAULTS = frozenset(("unavailable",))
PUT_OUT = frozenset((4008, 4029))


def judged(commands: Sequence["Command"], rulings: Sequence["Ruling"]) -> None:
    """Notes the answers to commands, in their order, after the commit."""
    for code, count in Counter(ruling.code for ruling in rulings).items():
        metrics.outcomes[code].inc(count)
    is_told = logger.isEnabledFor(logging.DEBUG)
    for command, ruling in zip(commands, rulings, strict=True):
        if ruling.code in FAULTS:
            logger.warning("an action could not be judged", extra=about(command, ruling))
        elif is_told:
            logger.debug("judged", extra=about(command, ruling))


def failed(command: "Command") -> None:
    """Notes an action whose judging raised what nobody foresaw; called while that is handled."""
    logger.exception("game %s: the action could not be judged", command.game_id, extra=about(command))


def about(command: "Command", ruling: "Ruling | None" = None) -> dict[str, object]:
    """The fields of a line about an action: `action` is the client's own id of it, `seq` what it was sent with."""
    return {
        "game": command.game_id,
        "seat": None if ruling is None else ruling.seat,
        "player": command.player_id,
        "action": command.action_id,
        "do": None if command.action is None else command.action.do,
        "seq": command.seq,
        "code": None if ruling is None else ruling.code,
    }


class Batch:
    """Around the transaction of so many actions: notes its time, and that of writing it, where it was one."""

    __slots__ = ("_begun_s", "_judged_s", "_size")

    def __init__(self, size: int) -> None:
        self._size = size

    def __enter__(self) -> "Batch":
        self._begun_s = self._judged_s = time.perf_counter()
        return self

    def judged(self) -> None:
        """Called when nothing but writing and the commit is left."""
        self._judged_s = time.perf_counter()

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if kind is None:
            now_s = time.perf_counter()
            metrics.BATCH_SIZE.observe(self._size)
            metrics.BATCH_S.observe(now_s - self._begun_s)
            metrics.COMMIT_S.observe(now_s - self._judged_s)


def swept(states: Iterable["GameState"], *, by_ms: int) -> None:
    """Notes games that time has decided, as they were before, and how late that was at this moment."""
    for state in states:
        deadline_ms = state.clock.deadline_ms
        if deadline_ms is not None and deadline_ms + state.grace_ms <= by_ms:
            metrics.SWEEP_LATE_S.observe((by_ms - deadline_ms - state.grace_ms) / 1000)


def beaten(at_ms: int) -> None:
    metrics.BEAT.set(at_ms / 1000)


def credited(gap_ms: int, games: int) -> None:
    """Notes an outage; called in the transaction that credits it."""
    logger.warning("nobody judged for %.1f s: %d running games are credited", gap_ms / 1000, games)
    metrics.OUTAGES.inc()
    metrics.OUTAGE_S.inc(gap_ms / 1000)
    metrics.OUTAGE_GAMES.inc(games)


def opened(socket: "Socket") -> None:
    """Notes a socket whose origin was allowed."""
    metrics.SOCKETS.labels(socket.kind).inc()
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("a socket opened", extra=about_socket(socket))


def closed(socket: "Socket", code: int | None) -> None:
    """Notes its end. `code` is that of the side which closed."""
    metrics.SOCKETS.labels(socket.kind).dec()
    metrics.SOCKETS_CLOSED.labels(code if code in metrics.CLOSE_CODES else "other").inc()
    level = logging.INFO if code in PUT_OUT else logging.DEBUG
    if logger.isEnabledFor(level):
        logger.log(level, "a socket closed", extra=about_socket(socket) | {"code": code})


def about_socket(socket: "Socket") -> dict[str, object]:
    """The fields of a line about a socket."""
    client = socket.scope.get("client")
    return {
        "socket": socket.kind,
        "address": client[0] if client else None,
        "player": socket.identity.player_id,
        "game": socket.kwargs.get("game_id"),
    }
