"""What an arbiter or a repaired server may do to a running game.

Each raises an `IllegalAction` where it is impossible. Reasons are free text and stay out of the record.
"""

from __future__ import annotations

from games.clock import LONGEST_MS, write_seconds
from games.movetext import RESULTS, Item
from games.rules import BadRequest, IllegalAction, WrongPhase
from games.state import GameState, change, finish, settle

OUTAGE_BONUS_MS = 10_000


class GameOver(IllegalAction):
    """The game is over."""

    code = "game_over"


class Paused(IllegalAction):
    """The game is paused."""

    code = "paused"


class NotPaused(IllegalAction):
    """The game is not paused."""

    code = "not_paused"


def pause(state: GameState, at_ms: int, reason: str) -> GameState:
    """Hold the game and its clock; raises GameOver, Paused."""
    state = _running(state, at_ms)
    if state.status == "paused":
        raise Paused
    return change(state, _note("pause"), status="paused", clock=state.clock.pause(at_ms, reason))


def resume(state: GameState, at_ms: int) -> GameState:
    """Let a held game go on; the pause has cost nobody time. Raises GameOver, NotPaused."""
    state = _running(state, at_ms)
    if state.status != "paused":
        raise NotPaused
    status = "waiting" if state.clock.kind == "waiting" else "live"
    return change(state, _note("resume"), status=status, clock=state.clock.resume(at_ms))


def add_time(state: GameState, seat: int, ms: int, at_ms: int) -> GameState:
    """Add to the bank of a seat; raises GameOver, BadRequest, and WrongPhase in `reply`: no bank there."""
    state = _running(state, at_ms)
    if seat not in (1, 2) or not 0 < ms <= LONGEST_MS:
        raise BadRequest
    if state.position.phase == "reply":
        raise WrongPhase
    return change(state, _note(f"seat {seat} +{write_seconds(ms)}"), clock=state.clock.add(seat, ms))


def adjudicate(state: GameState, result: str, at_ms: int) -> GameState:
    """End the game with a result, `1-0`, `0-1` or `1/2-1/2`; raises GameOver, BadRequest."""
    state = _running(state, at_ms)
    if result not in RESULTS:
        raise BadRequest
    return finish(state, _note(result), result, "adjudication")


def credit(state: GameState, outage_ms: int, at_ms: int) -> GameState:
    """Extend the running deadline by an outage and ten seconds; raises GameOver, Paused.

    Time is not asked first: nobody could judge, so nothing has lapsed, whatever `at_ms` says.
    """
    if state.status == "over":
        raise GameOver
    if state.status == "paused":
        raise Paused
    total_ms = max(0, outage_ms) + OUTAGE_BONUS_MS
    note = Item("outage", text=f"+{write_seconds(total_ms)}")
    return change(state, note, clock=state.clock.credit(total_ms))


def _running(state: GameState, at_ms: int) -> GameState:
    state = settle(state, at_ms=at_ms)
    if state.status == "over":
        raise GameOver
    return state


def _note(text: str) -> Item:
    return Item("arbiter", text=text)
