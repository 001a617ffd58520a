"""Random games as Hypothesis strategies: legal and illegal actions at all moments, in all variants."""

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from games import judge as judging
from games.clock import TimeControl
from games.judge import Action, GameState
from games.notation import write_position
from games.rules import ClaimPolicy, IllegalAction, Rules
from tests.games.naive import DIGITS, KNOWN, SQUARES, NaiveGame
from tests.games.naive import LINES as NAIVE_LINES

RULES = st.builds("{}:{}".format, st.sampled_from(["L", "LS", "OS"]), st.sampled_from("123456789ABCDEF"))
CLAIMS = st.sampled_from(["lose", "void", "strikes=2", "strikes=3"])
CONTROLS = st.sampled_from(
    ["turn=60", "bank=90", "bank=30 inc=5", "turn=20 bank=40", "turn=10 bank=30 inc=2.5"]
)
JUNK = (None, "", "g", "00", "e5", "a1-a1", "a1", "A1-d1", "a1-c2", 5, True, [], {}, "é", "１")


@dataclass(frozen=True)
class Setting:
    """Everything a game is started with."""

    rules: str
    claims: str
    control: str
    grace_ms: int
    tournament: bool
    draws: bool

    def state(self):
        return GameState.start(
            Rules.parse(self.rules),
            ClaimPolicy.parse(self.claims),
            TimeControl.parse(self.control),
            at_ms=0,
            grace_ms=self.grace_ms,
            no_show_ms=30_000,
            tournament=self.tournament,
            draws_allowed=self.draws,
        )

    def naive(self):
        control = TimeControl.parse(self.control)
        return NaiveGame(
            self.rules,
            self.claims,
            control.turn_ms,
            control.bank_ms,
            control.inc_ms,
            grace=self.grace_ms,
            no_show=30_000,
            tournament=self.tournament,
            draws=self.draws,
        )


SETTINGS = st.builds(
    Setting, RULES, CLAIMS, CONTROLS, st.sampled_from([0, 500, 2000]), st.booleans(), st.booleans()
)
SEEDS = st.integers(0, 2**32)
LENGTHS = st.integers(1, 40)


@dataclass(frozen=True)
class Event:
    """One thing that happens: an action of a seat, or what an arbiter, the sweep or an outage does (`seat` 0)."""

    at_ms: int
    seat: int | None
    do: str
    argument: object = None
    seq: int | None = None

    def action(self):
        name = {"give": "piece", "place": "square", "claim": "line"}.get(self.do)
        return Action(self.do, **({name: self.argument} if name else {}))


def events_of(seed, length, game):
    """A random course of events, each chosen after the naive game has taken the one before.

    It opens with up to 31 legal gives and places, so that every part of a game is reached; then come up to `length`
    events of all kinds, of which at most three after the end.
    """
    rng, at_ms, earlier, late = random.Random(seed), 0, [], 0
    opening = rng.choice([0, rng.randint(0, 31), 31])
    for number in range(opening + length):
        event = _legal(rng, game, at_ms) if number < opening else _next_event(rng, game, at_ms, earlier)
        at_ms = event.at_ms
        if event.seat != 0:
            earlier.append(event)
        late += game.phase == "over"
        if late > 3:
            return
        yield event


def _next_event(rng, game, at_ms, earlier):
    at_ms = _moment(rng, game, at_ms)
    chance = rng.random()
    if game.paused_at is not None and chance < 0.5:
        return Event(at_ms, 0, "resume")
    if earlier and chance < 0.08:
        again = rng.choice(earlier[-2:])
        return Event(at_ms, again.seat, again.do, again.argument, again.seq)
    if chance < 0.14:
        return _intervention(rng, at_ms)
    if chance < 0.45 or game.phase == "over":
        return _anything(rng, game, at_ms)
    return _legal(rng, game, at_ms)


def _moment(rng, game, at_ms):
    if game.deadline is not None and rng.random() < 0.04:
        return max(at_ms, game.deadline + rng.choice([-1, 0, 1, game.grace, game.grace + 1, 300_000]))
    return at_ms + rng.choice([0, 0, 0, 1, 1, 250, 250, 1_000, 3_333, 7_000])


def _intervention(rng, at_ms):
    do = rng.choice(["tick", "tick", "pause", "resume", "add", "credit"])
    return Event(at_ms, 0, do, rng.choice([1, 30_000, 7_001]))


def _anything(rng, game, at_ms):
    does = [*KNOWN[:4], "claim", "claim", "place", "give", *KNOWN[5:]]
    do = rng.choice([*does, "resign", "dance", 5] if rng.random() < 0.1 else does)
    pool = {"give": DIGITS + DIGITS.lower(), "place": SQUARES, "claim": _citations(rng, game)}
    argument = rng.choice(JUNK) if rng.random() < 0.15 else rng.choice(pool.get(do, [None]))
    seq = rng.choice([None, None, None, game.seq, game.seq, game.seq, game.seq - 1, game.seq + 1])
    if game.offer is not None and rng.random() < 0.3:
        return Event(at_ms, 3 - game.offer, rng.choice(["accept_draw", "decline_draw"]), None, seq)
    seat = game.actor if rng.random() < 0.6 and game.phase != "over" else rng.choice([1, 2, None])
    return Event(at_ms, seat, do, argument, seq)


def _citations(rng, game):
    lines = list(NAIVE_LINES[game.code])
    return [*lines, *game.claimable(), f"{rng.choice(SQUARES)}-{rng.choice(SQUARES)}"]


def _legal(rng, game, at_ms):
    seq = rng.choice([None, game.seq])
    if game.claimable() and rng.random() < 0.03:
        return Event(at_ms, game.actor, "claim", rng.choice(game.claimable()), seq)
    if game.phase == "give":
        given = set(game.board.values())
        return Event(at_ms, game.actor, "give", rng.choice([d for d in DIGITS if d not in given]), seq)
    if game.phase == "place":
        return Event(at_ms, game.actor, "place", rng.choice([s for s in SQUARES if s not in game.board]), seq)
    return Event(at_ms, game.actor, "pass", None, seq)


def happen_naively(game, event):
    """The code of the refusal, or None."""
    if event.seat != 0:
        return game.step(event.seat, event.do, event.argument, event.seq, event.at_ms)
    match event.do:
        case "tick":
            return game.pass_time(event.at_ms)
        case "pause":
            return game.pause(event.at_ms)
        case "resume":
            return game.resume(event.at_ms)
        case "add":
            return game.add_time(1, event.argument, event.at_ms)
    return game.credit(event.argument)


def happen(state, event):
    """The state after an event, and the code of the refusal or None."""
    if event.seat != 0:
        judgement = judging.judge(state, event.seat, event.action(), seq=event.seq, at_ms=event.at_ms)
        return judgement.state, judgement.code
    settled = state if event.do == "credit" else judging.settle(state, at_ms=event.at_ms)
    try:
        return _interventions(settled, event), None
    except IllegalAction as refusal:
        return settled, refusal.code


def _interventions(state, event):
    match event.do:
        case "tick":
            return state
        case "pause":
            return judging.pause(state, event.at_ms, "a lamp fell")
        case "resume":
            return judging.resume(state, event.at_ms)
        case "add":
            return judging.add_time(state, 1, event.argument, event.at_ms)
    return judging.credit(state, event.argument, event.at_ms)


def view(state):
    """What a naive game shows of itself, of a state."""
    return {
        "seq": state.seq,
        "status": state.status,
        "position": write_position(state.position),
        "record": state.record,
        "result": state.result,
        "termination": state.termination,
        "win_lines": list(state.win_lines),
        "offer": state.offer,
        "banks": state.clock.banks,
        "deadline": state.deadline_ms,
        "false_claims": state.false_claims,
        "acted": state.acted,
    }
