"""Swiss pairing of large fields in a process of its own: the live boards must not notice. No Django here."""

import multiprocessing
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor

from tournaments.pairing import Pairing
from tournaments.pairing.swiss import NoLegalPairing, Obstacle, pair_round
from tournaments.records import Contestant, PointSystem

INLINE_UP_TO = 60


def swiss_round(
    contestants: Sequence[Contestant],
    *,
    round_number: int,
    rounds_total: int,
    first_seat: int,
    absent: Collection[int],
    points: PointSystem,
) -> Pairing:
    """As `pair_round`, which says what is raised; fields over INLINE_UP_TO are paired in a worker process."""
    arguments = (tuple(contestants), round_number, rounds_total, first_seat, frozenset(absent), points)
    if len(contestants) <= INLINE_UP_TO:
        answer = _answer(*arguments)
    else:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as workers:
            answer = workers.submit(_answer, *arguments).result()
    if isinstance(answer, Pairing):
        return answer
    raise NoLegalPairing(*answer)


def _answer(
    contestants: tuple[Contestant, ...],
    round_number: int,
    rounds_total: int,
    first_seat: int,
    absent: frozenset[int],
    points: PointSystem,
) -> Pairing | tuple[Obstacle, tuple[int, ...]]:
    """A value in either case: an exception with arguments of its own does not travel between processes."""
    try:
        return pair_round(
            contestants,
            round_number=round_number,
            rounds_total=rounds_total,
            first_seat=first_seat,
            absent=absent,
            points=points,
        )
    except NoLegalPairing as error:
        return error.obstacle, error.numbers
