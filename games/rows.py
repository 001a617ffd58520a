"""A game's row as the judge's value, and the value back into the row: one statement for a batch."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

from django.db import connection

from games.clock import Clock, Kind, TimeControl
from games.judge import Action, GameState, LastAction
from games.models import Game
from games.notation import read_position, write_position
from games.rules import ClaimPolicy, Position
from games.state import Status as GameStatus

_control = lru_cache(maxsize=512)(TimeControl.parse)
_claims = lru_cache(maxsize=128)(ClaimPolicy.parse)


class LostUpdate(Exception):
    """A row changed between its reading and its writing, which its lock should have prevented."""


def state_of(game: Game) -> GameState:
    """The state that a row stores."""
    position = read_position(game.position)
    return GameState(
        position=position,
        seq=game.seq,
        status=cast(GameStatus, game.status),
        clock=_clock(game, position),
        record=game.record,
        claims=_claims(game.claims),
        false_claims=(game.false_claims1, game.false_claims2),
        offer=game.offer,
        draws_allowed=game.draws_allowed,
        tournament=game.event is not None,
        grace_ms=game.grace_ms,
        acted=(game.acted1, game.acted2),
        last_action=_read_action(game.last_action),
        result=game.result,
        termination=game.termination,
        win_lines=tuple(game.win_lines.split()),
    )


def _clock(game: Game, position: Position) -> Clock:
    control = _control(game.control)
    return Clock(
        control=control,
        banks=(game.bank1_ms, game.bank2_ms),
        mark_ms=game.mark_ms,
        spent_ms=game.spent_ms,
        seat=position.to_act or 1,
        kind=_kind(position),
        paused=None if game.paused_ms is None else (game.paused_ms, game.pause_reason),
        no_show_ms=game.no_show_ms,
        reply_ms=control.reply_ms,
    )


def _kind(position: Position) -> Kind:
    if position.phase == "over":
        return "stopped"
    if position.phase == "reply":
        return "reply"
    begun = position.last is not None or position.hand is not None
    return "turn" if begun else "waiting"


def _read_action(text: str) -> LastAction | None:
    if not text:
        return None
    seat, do, argument, sent_seq = text.split()
    named = {"give": "piece", "place": "square", "claim": "line"}.get(do)
    action = Action(do) if named is None else Action(do, **{named: argument})
    return LastAction(int(seat), action, int(sent_seq))


def _write_action(last: LastAction | None) -> str:
    if last is None:
        return ""
    action = last.action
    argument = action.piece or action.square or action.line or "-"
    return f"{last.seat} {action.do} {argument} {last.sent_seq}"


def columns_of(state: GameState, ended_ms: int | None) -> dict[str, Any]:
    """The columns of a state, by name."""
    clock = state.clock
    since_ms, reason = clock.paused or (None, "")
    return {
        "seq": state.seq,
        "status": state.status,
        "position": write_position(state.position),
        "record": state.record,
        "offer": state.offer,
        "false_claims1": state.false_claims[0],
        "false_claims2": state.false_claims[1],
        "acted1": state.acted[0],
        "acted2": state.acted[1],
        "last_action": _write_action(state.last_action),
        "mark_ms": clock.mark_ms,
        "spent_ms": clock.spent_ms,
        "bank1_ms": clock.banks[0],
        "bank2_ms": clock.banks[1],
        "paused_ms": since_ms,
        "pause_reason": reason,
        "deadline_ms": clock.deadline_ms,
        "result": state.result,
        "termination": state.termination,
        "win_lines": " ".join(state.win_lines),
        "ended_ms": ended_ms,
    }


def put(game: Game, state: GameState, *, ended_ms: int | None) -> None:
    """Sets a row's fields to a state, without writing it."""
    for name, value in columns_of(state, ended_ms).items():
        setattr(game, name, value)


_WRITTEN = {
    "seq": "int", "status": "text", "position": "text", "record": "text", "offer": "smallint",
    "false_claims1": "smallint", "false_claims2": "smallint", "acted1": "bool", "acted2": "bool",
    "last_action": "text", "mark_ms": "bigint", "spent_ms": "bigint", "bank1_ms": "bigint",
    "bank2_ms": "bigint", "paused_ms": "bigint", "pause_reason": "text", "deadline_ms": "bigint",
    "result": "text", "termination": "text", "win_lines": "text", "ended_ms": "bigint",
}  # fmt: skip
"""The columns that change, with their types in PostgreSQL."""

_UPDATE = f"UPDATE games_game SET {', '.join(f'{name} = %s' for name in _WRITTEN)} WHERE id = %s AND seq = %s"  # noqa: S608
# The same for a whole batch, which arrives as one array a column.
_UPDATE_ARRAYS = (
    f"UPDATE games_game AS game SET {', '.join(f'{name} = new.{name}' for name in _WRITTEN)} "  # noqa: S608
    f"FROM unnest({', '.join(f'%s::{kind}[]' for kind in (*_WRITTEN.values(), 'text', 'int'))}) "
    f"AS new({', '.join(_WRITTEN)}, id, seq_before) WHERE game.id = new.id AND game.seq = new.seq_before"
)


def write(games: Iterable[tuple[Game, int]]) -> None:
    """Writes changed rows, each with the seq that it was read with, which guards it.

    Raises LostUpdate where a guard failed.
    """
    rows: Sequence[tuple[Any, ...]] = [
        (*(getattr(game, name) for name in _WRITTEN), game.pk, seq_before) for game, seq_before in games
    ]
    if not rows:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql" and len(rows) > 1:
            cursor.execute(_UPDATE_ARRAYS, [list(column) for column in zip(*rows, strict=True)])
        else:
            cursor.executemany(_UPDATE, rows)
        if cursor.rowcount != len(rows):
            raise LostUpdate
