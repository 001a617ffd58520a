"""What suits a club evening: format, rounds and time for the players and the minutes at hand. Pure."""

import math
from dataclasses import dataclass

from tournaments.pairing.swiss import ROUND_ROBIN_UP_TO, most_rounds

TURNS = 16
MINUTES_BETWEEN_ROUNDS = 4
TURN_SECONDS = (60, 45, 30, 20, 15, 10)


@dataclass(frozen=True, slots=True)
class Proposal:
    """`round_minutes` is what one round takes at most: every turn used up, and the time between rounds."""

    format: str
    rounds: int
    control: str
    round_minutes: int

    @property
    def minutes(self) -> int:
        return self.rounds * self.round_minutes


def swiss_rounds(players: int) -> int:
    """As many rounds as a sole winner needs, at least three, never more than can be paired.

    >>> [swiss_rounds(n) for n in (2, 3, 4, 5, 8, 9, 16, 17, 40)]
    [1, 3, 3, 3, 3, 4, 4, 5, 6]
    """
    return max(1, min(most_rounds(players), max(3, math.ceil(math.log2(max(players, 2))))))


def propose(*, players: int, minutes: int) -> Proposal:
    """A single round robin for up to eight where the time allows it, a Swiss otherwise.

    The longest turn is taken with which all rounds fit into the minutes; where none fits, rounds are
    left out down to three, and then the shortest turn stands.

    >>> propose(players=6, minutes=120)
    Proposal(format='round_robin', rounds=5, control='turn=60', round_minutes=20)
    >>> propose(players=24, minutes=90)
    Proposal(format='swiss', rounds=5, control='turn=45', round_minutes=16)
    """
    if players <= ROUND_ROBIN_UP_TO:
        whole = _fitting("round_robin", most_rounds(players), minutes)
        if whole is not None:
            return whole
    most = swiss_rounds(players)
    for rounds in range(most, min(3, most) - 1, -1):
        swiss = _fitting("swiss", rounds, minutes)
        if swiss is not None:
            return swiss
    return _proposal("swiss", min(3, most), TURN_SECONDS[-1])


def _fitting(format_: str, rounds: int, minutes: int) -> Proposal | None:
    for turn_s in TURN_SECONDS:
        proposal = _proposal(format_, rounds, turn_s)
        if proposal.minutes <= minutes:
            return proposal
    return None


def _proposal(format_: str, rounds: int, turn_s: int) -> Proposal:
    return Proposal(
        format_, rounds, f"turn={turn_s}", math.ceil(TURNS * turn_s / 60) + MINUTES_BETWEEN_ROUNDS
    )
