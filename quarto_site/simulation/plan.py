"""What is to be played, and by whom."""

import random
from dataclasses import dataclass
from itertools import product
from typing import Any

SYLLABLES = [consonant + vowel for consonant, vowel in product("bfghjkprstyz", "aeu")]
"""Letters that are mistaken for no others, so that no two of the made-up names read alike."""
FORMATS = ("swiss", "round_robin", "double_round_robin")
MOST_PLAYERS = 300


@dataclass(frozen=True, slots=True)
class Plan:
    """One tournament. `turn` is in seconds, `miss` the probability that a player overlooks a line."""

    url: str
    players: int = 8
    format: str = "swiss"
    rounds: int = 3
    rules: str = "L:F"
    turn: int = 10
    seed: int = 1
    miss: float = 0.2

    @property
    def terms(self) -> dict[str, Any]:
        """What every game of the tournament is played under. Fewer than four attributes are never rated."""
        return {
            "rules": self.rules,
            "claims": "lose",
            "control": f"turn={self.turn}",
            "rated": self.rules.endswith(":F"),
        }

    @property
    def pool(self) -> str:
        return self.rules.partition(":")[0]

    def stream(self, *words: object) -> random.Random:
        """A source of chance of its own for each player and round, whatever the order in which they act."""
        return random.Random(" ".join(map(str, (self.seed, *words))))  # noqa: S311 - play, not secrets


def full_rounds(players: int, form: str) -> int:
    """How many rounds a round robin takes.

    >>> full_rounds(5, "round_robin"), full_rounds(6, "double_round_robin")
    (5, 10)
    """
    once = players - 1 + players % 2
    return 2 * once if form == "double_round_robin" else once


def made_up_name(number: int, suffix: str) -> str:
    """The name of the player with that number, from 0; `suffix` sets this run apart from others.

    >>> made_up_name(40, "kez")
    'fera-kez'
    """
    cycle, first = divmod(number, len(SYLLABLES))
    second = (cycle + 5 * first) % len(SYLLABLES)
    return f"{SYLLABLES[first]}{SYLLABLES[second]}-{suffix}"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who signed up for this run."""

    number: int
    username: str
    token: str
