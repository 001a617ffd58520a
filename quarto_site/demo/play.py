"""How demo players play: made-up games with plausible thinking times. Pure; chance is an argument."""

import random
from dataclasses import dataclass, replace

from games.clock import TimeControl
from games.judge import Action, ClaimPolicy, GameState, judge
from games.rules import SQUARES, Position, Rules, piece_name

LATE_SHARE, FALSE_SHARE = 0.0015, 0.006
LONGEST_THOUGHT_MS = 26_000
GRACE_MS = 500


@dataclass(frozen=True, slots=True)
class Timed:
    """One action of one seat, so long after the beginning of the game; `seq` is the state it answers."""

    seat: int
    action: Action
    seq: int
    after_ms: int


@dataclass(frozen=True, slots=True)
class Game:
    """A made-up game: its actions, and the state after each of them."""

    actions: tuple[Timed, ...]
    states: tuple[GameState, ...]

    def until(self, count: int) -> "Game":
        """The game as it stood after so many actions."""
        return replace(self, actions=self.actions[:count], states=self.states[:count])

    @property
    def lasted_ms(self) -> int:
        return self.actions[-1].after_ms


def make_up(rng: random.Random, *, rules: str, control: str, skills: tuple[float, float]) -> Game:
    """A whole game between two players; a skill is the share of what there is to see that a player sees."""
    state = GameState.start(
        Rules.parse(rules),
        ClaimPolicy.parse("lose"),
        TimeControl.parse(control),
        at_ms=0,
        grace_ms=GRACE_MS,
        no_show_ms=120_000,
        tournament=True,
        draws_allowed=False,
    )
    actions, states, at_ms = [], [], 0
    while state.status != "over":
        seat = state.position.to_act
        assert seat is not None and state.deadline_ms is not None
        at_ms += thought_ms(rng)
        action = decide(rng, state.position, seat, skills[seat - 1])
        if all(state.acted) and state.position.phase == "place" and rng.random() < LATE_SHARE:
            seat, action, at_ms = 3 - seat, Action("flag"), state.deadline_ms + GRACE_MS + 1
        actions.append(Timed(seat, action, state.seq, at_ms))
        state = judge(state, seat, action, seq=state.seq, at_ms=at_ms).state
        states.append(state)
    return Game(tuple(actions), tuple(states))


def thought_ms(rng: random.Random) -> int:
    """Mostly a few seconds, now and then many; two of them are within a minute."""
    return min(LONGEST_THOUGHT_MS, round(1000 * rng.lognormvariate(1.5, 0.75)))


def decide(rng: random.Random, position: Position, seat: int, skill: float) -> Action:
    """Claims what he sees; avoids giving a piece that completes a line; completes one where he sees how."""
    if position.window_open(seat):
        lines = position.claimable()
        if lines and rng.random() < 0.5 + skill / 2:
            return Action("claim", line=rng.choice(lines))
        if not lines and position.placed > 5 and rng.random() < FALSE_SHARE:
            return Action("claim", line=rng.choice(["a1-d1", "b1-b4", "a1-d4", "a3-d3"]))
    if position.phase == "give":
        return Action("give", piece=piece_name(_piece(rng, position, skill)))
    if position.phase == "place":
        return Action("place", square=SQUARES[_square(rng, position, skill)])
    return Action("pass")


def _free_squares(position: Position) -> list[int]:
    return [square for square, piece in enumerate(position.board) if piece is None]


def _completing(position: Position) -> list[int]:
    """The squares on which the piece in hand completes a line."""
    return [square for square in _free_squares(position) if position.place(square).claimable()]


def _piece(rng: random.Random, position: Position, skill: float) -> int:
    free = [piece for piece in range(16) if piece not in position.board]
    if rng.random() < skill:
        free = [piece for piece in free if not _completing(position.give(piece))] or free
    return rng.choice(free)


def _square(rng: random.Random, position: Position, skill: float) -> int:
    completing = _completing(position)
    if completing and rng.random() < skill:
        return rng.choice(completing)
    return rng.choice(_free_squares(position))
