"""A game rebuilt from its record: the proof that a stored game and its record agree, and its steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from games.arbiter import OUTAGE_BONUS_MS, add_time, adjudicate, credit, pause, resume
from games.clock import TimeControl, parse_seconds
from games.judge import perform
from games.movetext import RESULTS, Item, read_movetext, token_for
from games.rules import (
    BadRequest,
    ClaimPolicy,
    IllegalAction,
    Position,
    Rules,
    WrongPhase,
    piece_name,
    square_name,
)
from games.state import Action, GameState, finish_unbegun, lose_on_time


class ReplayError(ValueError):
    """A record that no game can have: which token (from 1, 0 for the whole), and why."""

    def __init__(self, message: str, number: int) -> None:
        super().__init__(f"token {number}: {message}")
        self.message, self.number = message, number


def replay(
    record: str | Iterable[Item],
    *,
    rules: Rules,
    claims: ClaimPolicy,
    control: TimeControl,
    tournament: bool = False,
    termination: str | None = None,
) -> GameState:
    """The state that a record leads to; raises ReplayError, NotationError.

    `record` is a movetext without its result, or its items; `termination` is what is known otherwise, which a
    game that ended before its first give needs, since that leaves no token. Moments are counted from 0, a
    pause has no length and there is no grace: seq, position, banks, what was used in the running turn and the
    outcome are those of the game.
    """
    *_, state = steps(record, rules=rules, claims=claims, control=control, tournament=tournament)
    if state.status == "waiting" and termination in ("no-show", "aborted"):
        state = finish_unbegun(state._replace(tournament=termination == "no-show"))
    if termination is not None and termination != state.termination:
        raise ReplayError(f"The game ended by {state.termination}, not by {termination}.", 0)
    return state._replace(grace_ms=0, last_action=None)


def positions(
    record: str | Iterable[Item], *, rules: Rules, claims: ClaimPolicy, control: TimeControl
) -> tuple[Position, ...]:
    """The position before the first item and after each; raises ReplayError, NotationError."""
    return tuple(state.position for state in steps(record, rules=rules, claims=claims, control=control))


def steps(
    record: str | Iterable[Item],
    *,
    rules: Rules,
    claims: ClaimPolicy,
    control: TimeControl,
    tournament: bool = False,
) -> Iterator[GameState]:
    """The state before the first item and after each; raises ReplayError, NotationError."""
    state = GameState.start(
        rules,
        claims,
        control,
        at_ms=0,
        grace_ms=_NO_DEADLINE_MS,
        no_show_ms=0,
        tournament=tournament,
        draws_allowed=True,
    )
    yield state
    items = read_movetext(f"{record} *".lstrip())[0] if isinstance(record, str) else record
    for number, item in enumerate(items, start=1):
        state = _replayed(state, item, number)
        yield state


_NO_DEADLINE_MS = 10**15
_ADDED = re.compile(r"seat ([12]) \+([0-9]{1,9}\.[0-9]{3})", re.ASCII)
_CREDITED = re.compile(r"\+([0-9]{1,9}\.[0-9]{3})", re.ASCII)


def _replayed(state: GameState, item: Item, number: int) -> GameState:
    item = _with_time(state, item)
    try:
        after = _step(state, item, state.clock.mark_ms + (item.used_ms or 0))
    except IllegalAction as refusal:
        raise ReplayError(str(type(refusal).__doc__), number) from refusal
    if after.record[len(state.record) :].lstrip() != token_for(item, state.position.placed + 1):
        raise ReplayError("The rules decide otherwise.", number)
    return after


def _with_time(state: GameState, item: Item) -> Item:
    """The item with its time, which is 0 where the record does not tell."""
    timed = item.kind in ("give", "place", "claim", "pass") or (
        item.kind == "resign" and item.seat == state.position.to_act
    )
    return item._replace(used_ms=item.used_ms or 0) if timed else item


def _step(state: GameState, item: Item, at_ms: int) -> GameState:
    match item.kind:
        case "arbiter":
            return _intervene(state, item.text or "", at_ms)
        case "outage":
            return _credit(state, item.text or "", at_ms)
        case "time":
            return _run_out(state, item.seat)
    seat = _seat(state, item)
    if seat is None:
        raise WrongPhase
    return perform(state, seat, _action(item), at_ms=at_ms, sent_seq=state.seq)


def _seat(state: GameState, item: Item) -> int | None:
    if item.kind == "agree":
        return None if state.offer is None else 3 - state.offer
    return item.seat


def _action(item: Item) -> Action:
    match item.kind:
        case "give":
            return Action("give", piece=None if item.piece is None else piece_name(item.piece))
        case "place":
            return Action("place", square=None if item.square is None else square_name(item.square))
        case "claim":
            return Action("claim", line=item.line)
    return Action(_DOES[item.kind])


_DOES = {
    "pass": "pass",
    "resign": "resign",
    "offer": "offer_draw",
    "decline": "decline_draw",
    "agree": "accept_draw",
}


def _run_out(state: GameState, seat: int | None) -> GameState:
    if state.status != "live" or seat is None or seat != state.position.to_act:
        raise WrongPhase
    if state.position.phase not in ("give", "place"):
        raise WrongPhase
    return lose_on_time(state, seat)


def _intervene(state: GameState, text: str, at_ms: int) -> GameState:
    if text == "pause":
        return pause(state, at_ms, "")
    if text == "resume":
        return resume(state, at_ms)
    if text in RESULTS:
        return adjudicate(state, text, at_ms)
    added = _ADDED.fullmatch(text)
    if added is None:
        raise BadRequest
    return add_time(state, int(added[1]), parse_seconds(added[2]), at_ms)


def _credit(state: GameState, text: str, at_ms: int) -> GameState:
    credited = _CREDITED.fullmatch(text)
    total_ms = parse_seconds(credited[1]) if credited else 0
    if total_ms < OUTAGE_BONUS_MS:
        raise BadRequest
    return credit(state, total_ms - OUTAGE_BONUS_MS, at_ms)
