import pytest

from tournaments import engine
from tournaments.pairing.swiss import NoLegalPairing, Obstacle, pair_round
from tournaments.records import STANDARD, Contestant, Kind, RoundRecord

FIRST_ROUND = {
    "round_number": 1,
    "rounds_total": 5,
    "first_seat": 1,
    "absent": frozenset(),
    "points": STANDARD,
}


def test_a_worker_process_pairs_as_this_one_does():
    field = [Contestant(number, f"P{number}", 2000 - number) for number in range(1, engine.INLINE_UP_TO + 2)]
    assert engine.swiss_round(field, **FIRST_ROUND) == pair_round(field, **FIRST_ROUND)


@pytest.mark.parametrize("others", [0, engine.INLINE_UP_TO])
def test_what_cannot_be_paired_is_said_from_there_too(others):
    """Two players who have met; the others, if any, have withdrawn."""
    met = [
        Contestant(1, records=(RoundRecord(Kind.PLAYED, 2, 1, 2, rated=True),)),
        Contestant(2, records=(RoundRecord(Kind.PLAYED, 1, 2, 0, rated=True),)),
    ]
    gone = [Contestant(number, records=(RoundRecord(Kind.WITHDRAWN),)) for number in range(3, 3 + others)]
    with pytest.raises(NoLegalPairing) as refusal:
        engine.swiss_round(
            [*met, *gone],
            round_number=2,
            rounds_total=3,
            first_seat=1,
            absent={contestant.number for contestant in gone},
            points=STANDARD,
        )
    assert (refusal.value.obstacle, refusal.value.numbers) == (Obstacle.NO_OPPONENT, (1, 2))
