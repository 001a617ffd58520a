"""The whole state of one game as a value, and the changes every part of the judge makes to it.

Invariant: each change adds exactly one to `seq` and one token to `record`; only a game that ends before its
first give, by `aborted` or `no-show`, ends without a token.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from games.clock import Clock, TimeControl
from games.movetext import Item, token_for
from games.rules import ClaimPolicy, Position, Rules

Status = Literal["waiting", "live", "paused", "over"]

RATED_TERMINATIONS = frozenset(
    ("quarto-placer", "quarto-opponent", "false-claim", "time", "resign", "agreement", "board-full")
)
_WIN = {1: "1-0", 2: "0-1"}
DRAW = "1/2-1/2"


class Action(NamedTuple):
    """What somebody asks for, as it was sent: the arguments may be of any type."""

    do: object
    piece: object = None
    square: object = None
    line: object = None


class LastAction(NamedTuple):
    """The action that made the current state: by whom, in canonical form, sent with which seq."""

    seat: int
    action: Action
    sent_seq: int


class GameState(NamedTuple):
    """One game at one moment. A tuple, since every action replaces fields of it: that is several times as fast.

    `record` is the movetext without its result; `false_claims` and `acted` are by seat; `offer` is the seat
    whose draw offer stands; `last_action` is None where something else than an action made this state;
    `win_lines` are the lines that could have been claimed when a claim won.
    """

    position: Position
    seq: int
    status: Status
    clock: Clock
    record: str
    claims: ClaimPolicy
    false_claims: tuple[int, int]
    offer: int | None
    draws_allowed: bool
    tournament: bool
    grace_ms: int
    acted: tuple[bool, bool]
    last_action: LastAction | None
    result: str | None
    termination: str | None
    win_lines: tuple[str, ...]

    @classmethod
    def start(
        cls,
        rules: Rules,
        claims: ClaimPolicy,
        control: TimeControl,
        *,
        at_ms: int,
        grace_ms: int,
        no_show_ms: int,
        tournament: bool,
        draws_allowed: bool,
    ) -> GameState:
        """A new game that waits for its first give."""
        return cls(
            position=Position.start(rules),
            seq=0,
            status="waiting",
            clock=Clock.start(control, at_ms=at_ms, no_show_ms=no_show_ms),
            record="",
            claims=claims,
            false_claims=(0, 0),
            offer=None,
            draws_allowed=draws_allowed,
            tournament=tournament,
            grace_ms=grace_ms,
            acted=(False, False),
            last_action=None,
            result=None,
            termination=None,
            win_lines=(),
        )

    @property
    def no_show_ms(self) -> int:
        """How long the game waits for its first give."""
        return self.clock.no_show_ms

    @property
    def deadline_ms(self) -> int | None:
        """The last moment in time for whoever is to act, without grace; None while no clock runs."""
        return self.clock.deadline_ms


def change(state: GameState, item: Item, **changes: Any) -> GameState:
    """The state after one event: its token in the record, seq one higher, the named fields replaced."""
    token = token_for(item, state.position.placed + 1)
    record = f"{state.record} {token}" if state.record else token
    return state._replace(record=record, seq=state.seq + 1, last_action=None, **changes)


def finish(state: GameState, item: Item, result: str, termination: str, **changes: Any) -> GameState:
    """The state after the event that ends the game."""
    position = changes.pop("position", state.position).over()
    clock = changes.pop("clock", state.clock).stop()
    ending = {"status": "over", "offer": None, "result": result, "termination": termination}
    return change(state, item, position=position, clock=clock, **ending, **changes)


def finish_unbegun(state: GameState) -> GameState:
    """The end of a game whose first give never came: forfeited in a tournament, otherwise no result."""
    return state._replace(
        seq=state.seq + 1,
        position=state.position.over(),
        status="over",
        clock=state.clock.stop(),
        offer=None,
        last_action=None,
        result=win(2) if state.tournament else None,
        termination="no-show" if state.tournament else "aborted",
    )


def win(seat: int) -> str:
    """The result of a game won by that seat."""
    return _WIN[seat]


def rated(state: GameState) -> bool:
    """Whether a finished game may count for ratings: both have acted, and it was decided by play or time."""
    return all(state.acted) and state.termination in RATED_TERMINATIONS


def settle(state: GameState, *, at_ms: int) -> GameState:
    """The state once every limit that has run out by that moment has had its effect.

    A limit has run out when the moment lies after deadline and grace: exactly at it is in time. Whoever is to
    give or place then loses; an end window is passed, and the next one starts where it ended, so one call may
    pass both. The same decision for an action, a flag and the sweep.
    """
    while (deadline_ms := state.clock.deadline_ms) is not None and at_ms > deadline_ms + state.grace_ms:
        state = _lapse(state, deadline_ms + state.grace_ms)
    return state


def _lapse(state: GameState, at_ms: int) -> GameState:
    if state.status == "waiting":
        return finish_unbegun(state)
    seat = state.clock.seat
    if state.position.phase in ("end", "reply"):
        return pass_window(state, seat, at_ms)
    return lose_on_time(state, seat)


def lose_on_time(state: GameState, seat: int) -> GameState:
    """The end of a game lost on time by a seat: a forfeit in a tournament if that seat has never acted."""
    unseen = state.tournament and not state.acted[seat - 1]
    termination = "no-show" if unseen else "time"
    return finish(state, Item("time", seat), win(3 - seat), termination, clock=state.clock.run_out())


def pass_window(state: GameState, seat: int, at_ms: int) -> GameState:
    """The state after an end window was passed, by its owner or by his silence; raises WrongPhase."""
    position = state.position.pass_()
    item = Item("pass", seat, used_ms=state.clock.used_ms(at_ms))
    clock = state.clock.act(at_ms)
    if position.phase == "over":
        return finish(state, item, DRAW, "board-full", clock=clock)
    return change(state, item, position=position, clock=clock.end_turn(at_ms, kind="reply"))
