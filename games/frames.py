"""The frames of the sockets: what comes in, a game once, and its state after each change."""

import json
from math import isfinite
from typing import Any

from games.judge import Action, GameState
from games.models import Game
from games.notation import write_position
from games.stored import StoredGame

ACTIONS = frozenset(
    ("give", "place", "claim", "pass", "resign", "offer_draw", "accept_draw", "decline_draw", "flag")
)
ID_LIMIT = 64
UNSAFE_INTEGER = 2**53


class BadFrame(Exception):
    """The frame is not a JSON object that the protocol knows."""


def parse_frame(text: str | None) -> dict[str, Any]:
    """A JSON object from a text frame; raises BadFrame. Numbers that JavaScript cannot hold are refused."""
    if text is None:
        raise BadFrame
    try:
        frame = strict_json(text)
    except (ValueError, RecursionError) as error:
        raise BadFrame from error
    if not isinstance(frame, dict):
        raise BadFrame
    return frame


def frame_for_its_id(text: str | None) -> dict[str, Any]:
    """What a refused frame says of itself, whatever its numbers; empty where it is no JSON object."""
    try:
        frame = json.loads(
            text or "", parse_int=_integer_or_none, parse_float=_nothing, parse_constant=_nothing
        )
    except (ValueError, RecursionError):
        return {}
    return frame if isinstance(frame, dict) else {}


def _integer_or_none(digits: str) -> int | None:
    number = int(digits) if len(digits) < 18 else UNSAFE_INTEGER
    return number if abs(number) < UNSAFE_INTEGER else None


def _nothing(_number: str) -> None:
    return None


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _safe_integer(digits: str) -> int:
    number = _integer_or_none(digits)
    if number is None:
        raise ValueError(digits)
    return number


def _finite_number(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(digits)
    return number


# json.loads would make a decoder for each frame.
_strict = json.JSONDecoder(parse_constant=_no_constant, parse_int=_safe_integer, parse_float=_finite_number)


def strict_json(text: str) -> Any:
    """JSON whose numbers every reader reads alike; raises ValueError, and RecursionError where it is too deep."""
    return _strict.decode(text)


def reply_id_of(frame: dict[str, Any]) -> str | int | None:
    """The client's own id of a frame, a text or a whole number, which the reply carries; None where it has none."""
    reply_id = frame.get("id")
    if isinstance(reply_id, str):
        return reply_id if len(reply_id) <= ID_LIMIT else None
    return reply_id if isinstance(reply_id, int) and not isinstance(reply_id, bool) else None


def action_in(frame: dict[str, Any]) -> tuple[Action, int] | None:
    """The action that a frame asks for and the seq it was sent with; None where it cannot be understood.

    Piece, square and line are passed on as they came: the judge refuses wrong ones, in its order.
    """
    do, seq = frame.get("do"), frame.get("seq")
    if not isinstance(do, str) or do not in ACTIONS or not isinstance(seq, int) or isinstance(seq, bool):
        return None
    if frame.get("id") is not None and reply_id_of(frame) is None:
        return None
    return Action(do, piece=frame.get("piece"), square=frame.get("square"), line=frame.get("line")), seq


def state_frame(game_id: str, state: GameState, *, at_ms: int) -> dict[str, Any]:
    """The whole public state: the same for players and watchers, and no word of any line before
    a claim has won."""
    clock, position = state.clock, state.position
    return {
        "type": "state",
        "id": game_id,
        "seq": state.seq,
        "status": state.status,
        "phase": position.phase,
        "to_act": position.to_act,
        "position": write_position(position),
        "record": state.record,
        "offer": state.offer,
        "clock": {
            "now": at_ms,
            "deadline": clock.deadline_ms,
            "turn_ms": clock.control.turn_ms,
            "bank_ms": list(clock.banks),
            "paused": None if clock.paused is None else {"since": clock.paused[0], "reason": clock.paused[1]},
        },
        "result": state.result,
        "termination": state.termination,
        "win_lines": list(state.win_lines),
    }


def board_frame(game_id: str, state: GameState, event: dict[str, Any]) -> dict[str, Any]:
    """A board of an event, compact: what a wall of boards needs."""
    return {
        "type": "board",
        "round": event["round"],
        "board": event["board"],
        "game": game_id,
        "seq": state.seq,
        "status": state.status,
        "position": write_position(state.position),
        "to_act": state.position.to_act,
        "deadline": state.clock.deadline_ms,
        "result": state.result,
    }


def game_frame(game: Game, *, you: int | None) -> dict[str, Any]:
    """What does not change during a game. `game` comes with its players."""
    seats = (
        (1, game.seat1, game.seat1_rating, game.seat1_provisional),
        (2, game.seat2, game.seat2_rating, game.seat2_provisional),
    )
    return {
        "type": "game",
        "id": game.pk,
        "rules": game.rules,
        "claims": game.claims,
        "control": game.control,
        "rated": game.rated,
        "players": [
            {"seat": seat, "player": player.username, "name": player.name, "rating": rating,
             "provisional": provisional}
            for seat, player, rating, provisional in seats
        ],
        "you": you,
        "tournament": game.event,
    }  # fmt: skip


def seat_of(game: Game | StoredGame, player_id: int | None) -> int | None:
    """The seat of a player at a game, or None."""
    if player_id is None:
        return None
    return 1 if player_id == game.seat1_id else 2 if player_id == game.seat2_id else None
