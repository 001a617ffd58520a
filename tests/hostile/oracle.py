"""What must come back for a frame, worked out from the protocol by a reader of its own."""

import json
import math
from dataclasses import dataclass
from typing import Any

from tests.hostile.mutants import ACTIONS

CODES = {
    "bad_request", "not_a_player", "stale", "game_over", "paused", "not_your_turn", "wrong_phase",
    "piece_taken", "square_taken", "no_window", "line_required", "flag_not_down", "not_allowed",
}  # fmt: skip
LARGEST = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """The answer's kind (`state`, `pong`, `action`, `refusal`), and what it echoes."""

    kind: str
    echo: Any = None


def wanted(frame: str | bytes, *, on_a_game: bool) -> Wanted:
    """The answer that this frame must get."""
    sound = True

    def number(digits: str) -> int | float | None:
        nonlocal sound
        value = float(digits) if set(digits) & set(".eE") else _integer(digits)
        if value is None or not math.isfinite(value) or (isinstance(value, int) and abs(value) > LARGEST):
            sound = False
            return None
        return value

    def constant(_name: str) -> None:
        nonlocal sound
        sound = False

    try:
        read = json.loads(
            frame if isinstance(frame, str) else "",
            parse_int=number,
            parse_float=number,
            parse_constant=constant,
        )
    except (ValueError, RecursionError):
        return Wanted("refusal")
    if not isinstance(read, dict):
        return Wanted("refusal")
    echo = _echo(read.get("id"))
    if not sound or not on_a_game:
        return Wanted("refusal", echo)
    return _of_understood(read, echo)


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) < 20 else None


def _echo(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= 64 else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _of_understood(read: dict[str, Any], echo: Any) -> Wanted:
    do, seq = read.get("do"), read.get("seq")
    if do == "sync":
        return Wanted("state")
    if do == "ping":
        t = read.get("t")
        numeric = t is None or (isinstance(t, int | float) and not isinstance(t, bool))
        return Wanted("pong", t) if numeric else Wanted("refusal", echo)
    known = isinstance(do, str) and do in ACTIONS and isinstance(seq, int) and not isinstance(seq, bool)
    named = read.get("id") is None or echo is not None
    return Wanted("action" if known and named else "refusal", echo)


def token(seat: int, action: dict[str, Any]) -> str:
    """How the record begins to write this action, had it been accepted."""
    match action["do"]:
        case "give":
            return f"@{action['piece'].upper()}"
        case "place":
            return str(action["square"]).lower()
        case "claim":
            return f"Q{seat}("
        case "resign":
            return f"R{seat}"
        case "offer_draw":
            return f"D{seat}?"
        case "accept_draw":
            return "="
        case "decline_draw":
            return f"D{seat}-"
    return "--"
