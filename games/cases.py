"""Stored cases: a list of actions with what must come of them, judged by the code that judges live games.

Times of a case are seconds since its start; there is no grace; a game that does not
begin is aborted after a minute.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from games.arbiter import pause, resume
from games.clock import LONGEST_MS, TimeControl
from games.judge import judge
from games.notation import NotationError, read_movetext, read_position, write_movetext, write_position
from games.replay import positions
from games.rules import BadClaims, BadRules, ClaimPolicy, IllegalAction, Position, Rules
from games.state import Action, GameState, settle

NO_SHOW_MS = 60_000
Case = dict[str, Any]
T = TypeVar("T")


class BadCase(ValueError):
    """A case that cannot be read: which one and why."""


def judge_case(case: object, number: int) -> dict[str, Any]:
    """What comes of a case, ready to be written as JSON; raises BadCase.

    A case of kind `play` gives `id, accepted, rejected, result, termination, final_position, win_lines`. The
    kinds that ask about a record or a position give their own fields, all others are named as `skipped`.
    """
    if not isinstance(case, dict) or not isinstance(case.get("id"), str | int):
        raise BadCase(f"case {number}: a case is an object with an id")
    kind = case.get("kind", "play")
    answer = _ANSWERS.get(kind) if isinstance(kind, str) else None
    if answer is None:
        return {"id": case["id"], "skipped": kind}
    try:
        return {"id": case["id"], **answer(case)}
    except (BadCase, BadRules, BadClaims, NotationError) as error:
        raise BadCase(f"case {case['id']}: {error}") from error


def differences(case: Case, answer: Case) -> Case:
    """The expected fields that an answer does not meet: for each what was expected and what came."""
    if "skipped" in answer:
        return {}
    expected = _field(case, "expected", dict, {})
    return {
        name: {"expected": value, "got": answer.get(name)}
        for name, value in expected.items()
        if name not in answer or answer[name] != value
    }


def _play(case: Case) -> Case:
    state, codes = _run(case)
    return {
        "accepted": [code is None for code in codes],
        "rejected": {str(index): code for index, code in enumerate(codes) if code is not None},
        "result": state.result,
        "termination": state.termination,
        "final_position": write_position(state.position),
        "win_lines": list(state.win_lines),
    }


def _record(case: Case) -> Case:
    state, _ = _run(case)
    items, _ = read_movetext(f"{state.record} *".lstrip())
    untimed = [item._replace(used_ms=None) for item in items]
    return {
        "movetext": write_movetext(untimed, state.result),
        "final_position": write_position(state.position),
    }


def _replay(case: Case) -> Case:
    state, _ = _run(case)
    steps = positions(
        state.record, rules=state.position.rules, claims=state.claims, control=state.clock.control
    )
    return {f"position_at_step_{step}": write_position(position) for step, position in enumerate(steps)}


def _claimable_lines(case: Case) -> Case:
    return {"claimable_lines": list(read_position(_field(case, "position", str, "")).claimable())}


_ANSWERS: dict[str, Callable[[Case], Case]] = {
    "play": _play,
    "record": _record,
    "replay": _replay,
    "claimable-lines": _claimable_lines,
}


def _run(case: Case) -> tuple[GameState, list[str | None]]:
    """The state after all actions of a case, and for each the code of its refusal or None."""
    state, at_ms = _start(case), 0
    codes: list[str | None] = []
    for step in _field(case, "actions", list, []):
        if not isinstance(step, dict):
            raise BadCase("an action is an object")
        at_ms = _ms(step, "t", at_ms)
        state, code = _act(state, step, at_ms)
        codes.append(code)
    return state, codes


def _act(state: GameState, step: Case, at_ms: int) -> tuple[GameState, str | None]:
    if step.get("do") in ("tick", "pause", "resume"):
        return _intervene(settle(state, at_ms=at_ms), step["do"], at_ms)
    by, seq = step.get("by"), step.get("seq")
    if seq is not None and type(seq) is not int:
        raise BadCase("a seq is an integer")
    seat = by if type(by) is int and by in (1, 2) else None
    action = Action(step.get("do"), step.get("piece"), step.get("square"), step.get("line"))
    judgement = judge(state, seat, action, seq=seq, at_ms=at_ms)
    return judgement.state, judgement.code


def _intervene(state: GameState, do: str, at_ms: int) -> tuple[GameState, str | None]:
    try:
        if do == "pause":
            return pause(state, at_ms, ""), None
        if do == "resume":
            return resume(state, at_ms), None
    except IllegalAction as refusal:
        return state, refusal.code
    return state, None


def _start(case: Case) -> GameState:
    options = _field(case, "options", dict, {})
    rules = Rules.parse(_field(options, "rules", str, "L:F"))
    control = TimeControl(turn_ms=_ms(options, "turn_s", 60_000))
    state = GameState.start(
        rules,
        ClaimPolicy.parse(_field(options, "claims", str, "lose")),
        control,
        at_ms=0,
        grace_ms=0,
        no_show_ms=NO_SHOW_MS,
        tournament=False,
        draws_allowed=True,
    )
    state = state._replace(clock=state.clock._replace(reply_ms=_ms(options, "reply_s", 60_000)))
    if case.get("position") is None:
        return state
    return _placed(state, read_position(_field(case, "position", str, "")))


def _placed(state: GameState, position: Position) -> GameState:
    """The state of a game that stands at a position, its turn just begun."""
    if position == Position.start(position.rules):
        return state._replace(position=position)
    if position.to_act is None:
        return state._replace(position=position, status="over", clock=state.clock.stop())
    clock = state.clock._replace(seat=position.to_act, kind="reply" if position.phase == "reply" else "turn")
    return state._replace(position=position, status="live", clock=clock)


def _field(values: Case, name: str, kind: type[T], default: T) -> T:
    value = values.get(name, default)
    if not isinstance(value, kind):
        raise BadCase(f"{name} is of the wrong type")
    return value


def _ms(values: Case, name: str, default_ms: int) -> int:
    value = values.get(name)
    if value is None:
        return default_ms
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadCase(f"{name} is a number of seconds")
    if not 0 <= value * 1000 <= 1000 * LONGEST_MS:
        raise BadCase(f"{name} is out of range")
    return round(value * 1000)
