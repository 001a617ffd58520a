"""The long poll of a game, for those whose network refuses websockets. It holds no thread."""

import asyncio
import json
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from games.errors import NoSuchGame, Unavailable
from games.hub import hub
from games.queries.games import seq_of, state_after
from games.readers import read
from games.sockets import RESTARTING

LONGEST_WAIT_S = 60
USUAL_WAIT_S = 25


class NextState:
    """Listens for the first state of a game after `since`."""

    def __init__(self, since: int) -> None:
        self._since = since
        self.frame: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()

    def push(self, kind: str, frame: bytes) -> None:
        if kind == "state" and not self.frame.done() and json.loads(frame)["seq"] > self._since:
            self.frame.set_result(frame)

    def shut(self, code: int) -> None:
        if not self.frame.done():
            self.frame.set_result(None)


def end_waits() -> None:
    """Lets every long poll of this process go, with nothing new. On the server's loop."""
    for room in list(hub.rooms.values()):
        for listener in list(room):
            if isinstance(listener, NextState):
                listener.shut(RESTARTING)


@csrf_exempt  # it changes nothing, and a refusal is to be JSON
async def events(request: HttpRequest, game_id: str) -> HttpResponse:
    """`?since=<seq>&wait=<seconds>`: the state as soon as its seq is greater, else 204."""
    if request.method not in ("GET", "HEAD"):
        return _refusal(405, "method_not_allowed", _("The events of a game can only be read."))
    since, wait_s = _number(request, "since", 0), _number(request, "wait", USUAL_WAIT_S)
    if since is None or wait_s is None:
        return _refusal(400, "bad_request", _("since and wait must be whole numbers."))
    try:
        frame = await _state_after(game_id, since, min(wait_s, LONGEST_WAIT_S))
    except NoSuchGame as error:
        return _refusal(error.status, error.code, str(error))
    except DatabaseError:
        return _refusal(Unavailable.status, Unavailable.code, str(Unavailable()))
    return HttpResponse(status=204) if frame is None else HttpResponse(frame, content_type="application/json")


async def _state_after(game_id: str, since: int, wait_s: int) -> bytes | None:
    """The first state after `since`, None if it does not come in time. Raises NoSuchGame, DatabaseError."""
    room = f"game:{game_id}"
    listener = NextState(since)
    hub.join(listener, room)
    try:
        frame = await read(state_after, game_id, since)
        if frame is None:
            if await read(seq_of, game_id) is None:
                raise NoSuchGame
            frame = await asyncio.wait_for(listener.frame, wait_s)
        return frame
    except TimeoutError:
        return None
    finally:
        hub.leave(listener, room)


def _number(request: HttpRequest, name: str, default: int) -> int | None:
    text = request.GET.get(name, str(default))
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def _refusal(status: int, code: str, detail: str) -> JsonResponse:
    return JsonResponse({"code": code, "detail": detail}, status=status)


def add_to_schema(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Adds the long poll to the schema, which otherwise knows only the framework's own views."""
    parameters = [
        {"name": "game_id", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "since", "in": "query", "schema": {"type": "integer", "minimum": 0}},
        {
            "name": "wait",
            "in": "query",
            "schema": {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT_S},
        },
    ]
    state = {"application/json": {"schema": {"type": "object", "additionalProperties": {}}}}
    refusal = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    result["paths"]["/api/games/{game_id}/events/"] = {
        "get": {
            "operationId": "games_events_retrieve",
            "description": "The state as soon as its seq is greater than `since`, else 204 after `wait` seconds.",
            "parameters": parameters,
            "tags": ["games"],
            "responses": {
                "200": {"description": "The state.", "content": state},
                "204": {"description": "Nothing new."},
                **{
                    str(status): {"description": words, "content": refusal}
                    for status, words in (
                        (400, "`bad_request`"),
                        (404, "`not_found`"),
                        (503, "`unavailable`"),
                    )
                },
            },
        }
    }
    return result
