"""A game's row as the judge's value, and the value back into the row."""

from contextlib import suppress
from functools import lru_cache
from typing import Any, cast

from games.clock import Clock, Kind, TimeControl
from games.judge import Action, GameState, LastAction
from games.models import Game
from games.notation import read_position, write_position
from games.rules import ClaimPolicy, Position
from games.state import Status as GameStatus
from games.stored import WRITTEN, StoredGame

_control = lru_cache(maxsize=512)(TimeControl.parse)
_claims = lru_cache(maxsize=128)(ClaimPolicy.parse)


def state_of(game: Game | StoredGame) -> GameState:
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
        draws_allowed=bool(game.draws_allowed),
        tournament=game.event is not None,
        grace_ms=game.grace_ms,
        acted=(bool(game.acted1), bool(game.acted2)),
        last_action=_read_action(game.last_action),
        result=game.result,
        termination=game.termination,
        win_lines=tuple(game.win_lines.split()),
    )


_KNOWN_AT_MOST = 4_000
_known: dict[str, tuple[StoredGame, GameState]] = {}


def remember(row: StoredGame, state: GameState) -> None:
    """Keeps the state of a row that was written, for when it is read again."""
    _known[row.id] = row, state
    if len(_known) > _KNOWN_AT_MOST:
        with suppress(RuntimeError):  # another thread has just changed it
            _known.pop(next(iter(_known)), None)


def forget(game_id: str) -> None:
    """No more is to come of this game."""
    _known.pop(game_id, None)


def known_state_of(row: StoredGame) -> GameState:
    """The state that a row stores, without reading it out where the very same row was written here before.

    What is remembered counts only for a row of which every column is the same, so it does not matter who
    has written the game in the meantime, or whether the transaction that was to write it came to its end.
    """
    known = _known.get(row.id)
    return known[1] if known is not None and known[0] == row else state_of(row)


def _clock(game: Game | StoredGame, position: Position) -> Clock:
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


def values_of(state: GameState, ended_ms: int | None) -> tuple[Any, ...]:
    """What is written of a state, in the order of `WRITTEN`."""
    clock = state.clock
    since_ms, reason = clock.paused or (None, "")
    return (
        state.seq,
        write_position(state.position),
        state.record,
        state.offer,
        *state.false_claims,
        *state.acted,
        _write_action(state.last_action),
        clock.mark_ms,
        clock.spent_ms,
        *clock.banks,
        since_ms,
        reason,
        clock.deadline_ms,
        state.status,
        state.result,
        state.termination,
        " ".join(state.win_lines),
        ended_ms,
    )


def columns_of(state: GameState, ended_ms: int | None) -> dict[str, Any]:
    """The columns of a state, by name."""
    return dict(zip(WRITTEN, values_of(state, ended_ms), strict=True))


def put(game: Game, state: GameState, *, ended_ms: int | None) -> None:
    """Sets a row's fields to a state, without writing it."""
    for name, value in columns_of(state, ended_ms).items():
        setattr(game, name, value)
