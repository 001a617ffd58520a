"""The one function that judges an action: for live games, for stored cases and for proofs.

A refusal is no exception here: the judgement carries its code and the state, which time may have moved on
even where the action was refused. The first check that fails gives the code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from games.arbiter import GameOver, Paused, add_time, adjudicate, credit, pause, resume
from games.movetext import Item
from games.rules import (
    BadRequest,
    ClaimPolicy,
    IllegalAction,
    LineRequired,
    NotYourTurn,
    NoWindow,
    PieceTaken,
    SquareTaken,
    WrongPhase,
    line_name,
    parse_line,
    parse_piece,
    parse_square,
    piece_name,
    square_name,
)
from games.state import (
    DRAW,
    Action,
    GameState,
    LastAction,
    change,
    finish,
    pass_window,
    rated,
    settle,
    win,
)

__all__ = [
    "REFUSALS",
    "Action",
    "ClaimPolicy",
    "GameState",
    "Judgement",
    "LastAction",
    "add_time",
    "adjudicate",
    "canonical",
    "credit",
    "judge",
    "pause",
    "perform",
    "rated",
    "resume",
    "settle",
]


class NotAPlayer(IllegalAction):
    """You are not a player of this game."""

    code = "not_a_player"


class Repeat(IllegalAction):
    """This has already been done."""

    code = "repeat"


class Stale(IllegalAction):
    """The game has moved on."""

    code = "stale"


class FlagNotDown(IllegalAction):
    """The other side still has time."""

    code = "flag_not_down"


class NotAllowed(IllegalAction):
    """Draw offers are not allowed in this game."""

    code = "not_allowed"


REFUSALS: dict[str, type[IllegalAction]] = {
    refusal.code: refusal
    for refusal in (
        NotAPlayer,
        Repeat,
        Stale,
        GameOver,
        Paused,
        FlagNotDown,
        NotAllowed,
        NoWindow,
        LineRequired,
        BadRequest,
        NotYourTurn,
        WrongPhase,
        PieceTaken,
        SquareTaken,
    )
}
"""Every refusal by its code; the docstring of each is its message."""


class Judgement(NamedTuple):
    """The state after judging, and the code of the refusal, None for an accepted action."""

    state: GameState
    code: str | None = None

    @property
    def accepted(self) -> bool:
        """Whether the action was carried out."""
        return self.code is None

    @property
    def repeat(self) -> bool:
        """Whether it had been carried out before: to acknowledge, not to execute."""
        return self.code == Repeat.code


def judge(state: GameState, seat: int | None, action: Action, *, seq: int | None, at_ms: int) -> Judgement:
    """Judge an action that arrived at a moment, by a sender who had seen `seq` (None where he does not say).

    The order of the checks: player, repeat, stale, then time, game over, paused, and those of the action.
    """
    try:
        if seat is None:
            raise NotAPlayer
        action = canonical(action)
        if seq is not None:
            _check_seq(state, LastAction(seat, action, seq))
    except IllegalAction as refusal:
        return Judgement(state, refusal.code)
    sent_seq, running = state.seq if seq is None else seq, state.position.to_act
    settled = settle(state, at_ms=at_ms)
    if action.do == "flag" and settled is not state and running != seat:
        return Judgement(settled._replace(last_action=LastAction(seat, action, sent_seq)))
    try:
        judged = perform(settled, seat, action, at_ms=at_ms, sent_seq=sent_seq)
    except IllegalAction as refusal:
        return Judgement(settled, refusal.code)
    return Judgement(judged)


def _check_seq(state: GameState, sent: LastAction) -> None:
    if sent == state.last_action:
        raise Repeat
    if sent.sent_seq != state.seq:
        raise Stale


def canonical(action: Action) -> Action:
    """The action with its own argument alone, in canonical form; as it was sent where it has none."""
    try:
        match action.do:
            case "give":
                return Action("give", piece=piece_name(parse_piece(action.piece)))
            case "place":
                return Action("place", square=square_name(parse_square(action.square)))
            case "claim":
                return Action("claim", line=line_name(parse_line(action.line)))
    except BadRequest:
        return action
    return Action(action.do)


def perform(state: GameState, seat: int, action: Action, *, at_ms: int, sent_seq: int) -> GameState:
    """The state after a canonical action of a player, whatever its deadline; raises IllegalAction."""
    if state.status == "over":
        raise GameOver
    if state.status == "paused":
        raise Paused
    handler = _HANDLERS.get(action.do) if isinstance(action.do, str) else None
    if handler is None:
        raise BadRequest
    done = handler(state, seat, action, at_ms)
    keeps_offer = done.offer == seat or action.do in _DRAW_ACTIONS
    return done._replace(
        offer=done.offer if keeps_offer else None,
        acted=(True, state.acted[1]) if seat == 1 else (state.acted[0], True),
        last_action=LastAction(seat, action, sent_seq),
    )


def _give(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    _check_turn(state, seat, ("give",))
    piece = parse_piece(action.piece)
    position = state.position.give(piece)
    item = Item("give", seat, piece=piece, used_ms=state.clock.used_ms(at_ms))
    clock = state.clock.act(at_ms).end_turn(at_ms, kind="turn")
    return change(state, item, status="live", position=position, clock=clock)


def _place(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    _check_turn(state, seat, ("place",))
    square = parse_square(action.square)
    position = state.position.place(square)
    item = Item("place", seat, square=square, used_ms=state.clock.used_ms(at_ms))
    return change(state, item, position=position, clock=state.clock.act(at_ms))


def _claim(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    """The cited line decides, even when another one could have been claimed."""
    position = state.position
    if not position.window_open(seat):
        raise NoWindow
    if action.line is None or action.line == "":
        raise LineRequired
    line, lines, clock = line_name(parse_line(action.line)), position.claimable(), state.clock.act(at_ms)
    item = Item("claim", seat, line=line, valid=line in lines, used_ms=state.clock.used_ms(at_ms))
    if item.valid:
        termination = "quarto-placer" if seat == position.placer else "quarto-opponent"
        return finish(state, item, win(seat), termination, clock=clock, win_lines=lines)
    first, second = state.false_claims
    counts = (first + 1, second) if seat == 1 else (first, second + 1)
    if state.claims.limit is not None and counts[seat - 1] >= state.claims.limit:
        return finish(state, item, win(3 - seat), "false-claim", clock=clock, false_claims=counts)
    return change(state, item, position=position.close_window(seat), clock=clock, false_claims=counts)


def _pass(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    _check_turn(state, seat, ("end", "reply"))
    return pass_window(state, seat, at_ms)


def _resign(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    if seat != state.position.to_act:
        return finish(state, Item("resign", seat), win(3 - seat), "resign")
    item = Item("resign", seat, used_ms=state.clock.used_ms(at_ms))
    return finish(state, item, win(3 - seat), "resign", clock=state.clock.act(at_ms))


def _offer_draw(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    if not state.draws_allowed:
        raise NotAllowed
    _check_turn(state, seat, ("give", "place"))
    if state.offer == seat:
        raise WrongPhase
    return change(state, Item("offer", seat), offer=seat)


def _accept_draw(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    _check_offer(state, seat)
    return finish(state, Item("agree"), DRAW, "agreement")


def _decline_draw(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    _check_offer(state, seat)
    return change(state, Item("decline", seat), offer=None)


def _flag(state: GameState, seat: int, action: Action, at_ms: int) -> GameState:
    raise FlagNotDown


def _check_turn(state: GameState, seat: int, phases: tuple[str, ...]) -> None:
    if seat != state.position.to_act:
        raise NotYourTurn
    if state.position.phase not in phases:
        raise WrongPhase


def _check_offer(state: GameState, seat: int) -> None:
    if not state.draws_allowed:
        raise NotAllowed
    if state.offer == seat:
        raise NotYourTurn
    if state.offer is None:
        raise WrongPhase


_DRAW_ACTIONS = ("offer_draw", "accept_draw", "decline_draw")
_HANDLERS: dict[str, Callable[[GameState, int, Action, int], GameState]] = {
    "give": _give,
    "place": _place,
    "claim": _claim,
    "pass": _pass,
    "resign": _resign,
    "offer_draw": _offer_draw,
    "accept_draw": _accept_draw,
    "decline_draw": _decline_draw,
    "flag": _flag,
}
