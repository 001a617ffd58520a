"""Who is at a board: the players' sockets and the number of watchers, at most once a second.

A fact of the processes that serve the board, which no commit makes. Each tells the others what it
has, whole, when that changes; one that begins to serve a board asks for it.
"""

import asyncio
from typing import Any

from games.encoding import encode
from games.hub import hub
from games.live import publisher

ANNOUNCED_AFTER_S = 0.25

Seats = tuple[bool, bool, int]
"""Whether each seat has a socket, and how many others watch."""

NOBODY: Seats = (False, False, 0)

_due: set[str] = set()
_told: dict[str, Seats] = {}
_elsewhere: dict[str, dict[str, Seats]] = {}


def announce(game_id: str) -> None:
    """Tells a board who is there, a moment later."""
    if game_id not in _due:
        _due.add(game_id)
        asyncio.get_running_loop().call_later(ANNOUNCED_AFTER_S, _announce, game_id)


def _announce(game_id: str) -> None:
    _due.discard(game_id)
    here = _here(game_id)
    _tell_others(game_id, here)
    one, two, watchers = here
    for there in _elsewhere.get(game_id, {}).values():
        one, two, watchers = one or there[0], two or there[1], watchers + there[2]
    frame = {"type": "presence", "seats": [one, two], "watchers": watchers}
    hub.deliver(f"game:{game_id}", "presence", encode(frame))


def _here(game_id: str) -> Seats:
    room = hub.rooms.get(f"game:{game_id}")
    if room is None:
        return NOBODY
    seats = {getattr(listener, "seat", None) for listener in room.first}
    return 1 in seats, 2 in seats, len(room.others)


def _tell_others(game_id: str, here: Seats) -> None:
    if publisher.relay is None:
        return
    asks = game_id not in _told
    if here != _told.get(game_id, NOBODY) or (asks and f"game:{game_id}" in hub.rooms):
        _told[game_id] = here
        publisher.relay.send(f"game:{game_id}", "seats", [*here, asks])
    if f"game:{game_id}" not in hub.rooms:
        _told.pop(game_id, None)
        _elsewhere.pop(game_id, None)


def heard(room: str, process: str, body: Any) -> None:
    """Another process says what it has at a board, and asks for ours where it is new there."""
    one, two, watchers, asks = body
    game_id = room.partition(":")[2]
    if room not in hub.rooms:
        return
    _elsewhere.setdefault(game_id, {})[process] = (one, two, watchers)
    if asks and game_id in _told and publisher.relay is not None:
        publisher.relay.send(room, "seats", [*_told[game_id], False])
    announce(game_id)


def forget(process: str) -> None:
    """Another process has gone, and its sockets with it."""
    for game_id, there in _elsewhere.items():
        if there.pop(process, None) is not None:
            announce(game_id)


def tell_again() -> None:
    """Something may not have been heard: every board is told and asked anew."""
    _told.clear()
    for room in hub.rooms:
        if room.startswith("game:"):
            announce(room.partition(":")[2])
