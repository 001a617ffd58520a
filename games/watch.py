"""What an operator is told: which action of whom was answered how, which socket came and went.

A line for each costs nothing unless DEBUG is on; what failed through the server's fault, and who was put
out, is always said. Nothing here is a secret: no token, no cookie, no password.
"""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.referee import Command, Ruling
    from games.sockets import Socket

logger = logging.getLogger(__name__)

FAULTS = frozenset(("unavailable",))
PUT_OUT = frozenset((4008, 4029))


def judged(commands: Sequence["Command"], rulings: Sequence["Ruling"]) -> None:
    """Notes the answers to commands, in their order, after the commit."""
    is_told = logger.isEnabledFor(logging.DEBUG)
    for command, ruling in zip(commands, rulings, strict=True):
        if ruling.code in FAULTS:
            logger.warning("an action could not be judged", extra=about(command, ruling))
        elif is_told:
            logger.debug("judged", extra=about(command, ruling))


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


def opened(socket: "Socket") -> None:
    """Notes a socket whose origin was allowed."""
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("a socket opened", extra=about_socket(socket))


def closed(socket: "Socket", code: int | None) -> None:
    """Notes its end. `code` is that of the side which closed."""
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
