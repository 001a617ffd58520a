"""Swiss rounds: what may be paired, the pairing itself, and what to say where there is none.

FIDE C.04.1 to C.04.3 in force since 1 February 2026, White read as the starter. Two players meet at
most once (a forfeited pairing is no meeting); nobody gets a second pairing-allocated bye, nor one after
a win's points without playing. The same input gives the same pairing: the only lot is ``first_seat``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import combinations

import networkx as nx

from tournaments.pairing import NotEnoughPlayers, Pairing, PairingError
from tournaments.pairing.engine import Pairs, dutch_pairs
from tournaments.records import ON_BOARD, STANDARD, Contestant, Kind, PointSystem

LARGEST_FIELD = 500
ROUND_ROBIN_UP_TO = 8


class FieldTooLarge(PairingError):
    """More players than one pairing may take."""

    code = "field_too_large"

    def __init__(self, size: int) -> None:
        super().__init__(f"{size} players: a Swiss round is paired for at most {LARGEST_FIELD}")
        self.size = size


class TooManyRounds(PairingError):
    """The round to pair is not one of the event's rounds."""

    code = "too_many_rounds"

    def __init__(self, round_number: int, rounds_total: int) -> None:
        super().__init__(f"round {round_number} of an event of {rounds_total} rounds")


class Obstacle(StrEnum):
    """Why no pairing is legal."""

    NO_OPPONENT = "no_opponent"
    LEFT_OVER = "left_over"
    SEATS = "seats"


class NoLegalPairing(PairingError):
    """No pairing of the whole field is legal (C.04.3 1.9.3 leaves what to do to the arbiter).

    ``numbers`` are those who have nobody left to meet (``NO_OPPONENT``), an example of who would be
    left over (``LEFT_OVER``), or everybody where only the seats stand in the way (``SEATS``).
    """

    code = "no_legal_pairing"

    def __init__(self, obstacle: Obstacle, numbers: tuple[int, ...]) -> None:
        names = ", ".join(str(number) for number in numbers)
        super().__init__(
            {
                Obstacle.NO_OPPONENT: f"no legal pairing: nobody is left to meet {names}",
                Obstacle.LEFT_OVER: f"no legal pairing: some would be left over, for instance {names}",
                Obstacle.SEATS: "no legal pairing: somebody would have the same seat too often",
            }[obstacle]
        )
        self.obstacle = obstacle
        self.numbers = numbers


class Advice(StrEnum):
    """What to say about a planned number of rounds."""

    IMPOSSIBLE = "impossible"
    MORE_THAN_HALF = "more_than_half"
    ROUND_ROBIN = "round_robin"


def check_rounds(size: int, rounds: int) -> tuple[Advice, ...]:
    """Advice for a Swiss of ``rounds`` rounds and ``size`` players; ``IMPOSSIBLE`` means refuse.

    >>> check_rounds(8, 7)
    (<Advice.MORE_THAN_HALF: 'more_than_half'>, <Advice.ROUND_ROBIN: 'round_robin'>)
    """
    if rounds > most_rounds(size):
        return (Advice.IMPOSSIBLE,)
    crowded = (Advice.MORE_THAN_HALF,) if rounds * 2 > size else ()
    return crowded + ((Advice.ROUND_ROBIN,) if size <= ROUND_ROBIN_UP_TO else ())


def most_rounds(size: int) -> int:
    """How many rounds ``size`` players can play without a rematch: n-1 where n is even, n where it is odd."""
    return size if size % 2 else size - 1


def baku_acceleration(
    numbers: Sequence[int], rounds_total: int, points: PointSystem = STANDARD
) -> dict[int, tuple[int, ...]]:
    """Virtual half points by start number and round, by the Baku method (FIDE C.04.7 article 1, 2026).

    The first half of ``numbers`` (in order, rounded up to an even count) carries a win's points in the
    first half of the accelerated rounds and a draw's in the rest; accelerated is half of all rounds.
    """
    upper = 2 * -(-len(numbers) // 4)
    accelerated = -(-rounds_total // 2)
    full = -(-accelerated // 2)
    virtual = (points.win,) * full + (points.draw,) * (accelerated - full)
    return dict.fromkeys(numbers[:upper], virtual)


def pair_round(
    contestants: Sequence[Contestant],
    *,
    round_number: int,
    rounds_total: int,
    first_seat: int,
    absent: Collection[int] = (),
    forbidden: Collection[frozenset[int]] = (),
    acceleration: Mapping[int, Sequence[int]] | None = None,
    points: PointSystem = STANDARD,
) -> Pairing:
    """The pairing of ``round_number``, boards in the order in which tournaments print them.

    Every contestant has a record for each earlier round; start numbers are ranks, gaps are allowed.
    ``first_seat`` is the stored lot: the seat of the top number in round 1. ``forbidden`` holds pairs
    of start numbers, ``acceleration`` virtual half points by start number and round.
    Raises NotEnoughPlayers, FieldTooLarge, TooManyRounds and NoLegalPairing. Takes seconds for
    hundreds of players: call it outside any transaction.
    """
    _refuse(contestants, absent, round_number, rounds_total)
    known = sorted(
        (_as_pairing_sees(entry, round_number - 1, points) for entry in contestants),
        key=lambda entry: entry.number,
    )
    rank = {entry.number: index for index, entry in enumerate(known, 1)}
    pairs = dutch_pairs(
        [_renumbered(entry, rank) for entry in known],
        round_number=round_number,
        rounds_total=rounds_total,
        first_seat=first_seat,
        absent={rank[number] for number in absent if number in rank},
        forbidden={frozenset(rank[number] for number in pair) for pair in forbidden if pair <= rank.keys()},
        acceleration={rank[number]: v for number, v in (acceleration or {}).items() if number in rank},
        points=points,
    )
    present = [entry for entry in known if entry.number not in absent]
    legal = legal_pairs(present, forbidden)
    if pairs is None:
        raise _no_legal_pairing(present, legal, points)
    numbers = [0, *rank]
    chosen = [(numbers[starter], numbers[second]) for starter, second in pairs]
    validate(chosen, present, legal, points)
    return _in_board_order(chosen, present)


def _refuse(
    contestants: Sequence[Contestant], absent: Collection[int], round_number: int, rounds_total: int
) -> None:
    present = sum(entry.number not in absent for entry in contestants)
    if present < 2:
        raise NotEnoughPlayers
    if present > LARGEST_FIELD:
        raise FieldTooLarge(present)
    if not 1 <= round_number <= rounds_total:
        raise TooManyRounds(round_number, rounds_total)
    if any(len(entry.records) < round_number - 1 for entry in contestants):
        raise ValueError("a contestant lacks a record of an earlier round")


def _as_pairing_sees(entry: Contestant, rounds: int, points: PointSystem) -> Contestant:
    """The earlier rounds, with adjourned games as draws."""
    records = tuple(
        replace(record, half_points=points.draw) if record.kind is Kind.ADJOURNED else record
        for record in entry.records[:rounds]
    )
    return replace(entry, records=records)


def _renumbered(entry: Contestant, rank: Mapping[int, int]) -> Contestant:
    """The engine counts 1, 2, 3, ..."""
    records = tuple(
        record if record.opponent is None else replace(record, opponent=rank[record.opponent])
        for record in entry.records
    )
    return replace(entry, number=rank[entry.number], records=records)


def legal_pairs(present: Sequence[Contestant], forbidden: Collection[frozenset[int]]) -> set[frozenset[int]]:
    """All pairs of ``present`` that have not met and may meet."""
    met = {
        frozenset((entry.number, record.opponent))
        for entry in present
        for record in entry.records
        if record.kind in ON_BOARD and record.opponent is not None
    }
    numbers = [entry.number for entry in present]
    return {frozenset(pair) for pair in combinations(numbers, 2)} - met - set(forbidden)


def may_have_bye(entry: Contestant, points: PointSystem = STANDARD) -> bool:
    """Whether the pairing may give ``entry`` the bye (C.04.3 criterion C2, 2026)."""
    return not any(
        record.kind is Kind.PAIRING_BYE or (record.kind not in ON_BOARD and record.half_points >= points.win)
        for record in entry.records
    )


def validate(
    pairs: Pairs, present: Sequence[Contestant], legal: set[frozenset[int]], points: PointSystem
) -> None:
    """The engine's word is checked before anybody relies on it."""
    seated = sorted(number for pair in pairs for number in pair if number)
    byes = [starter for starter, second in pairs if not second]
    by_number = {entry.number: entry for entry in present}
    sound = (
        seated == [entry.number for entry in present]
        and all(frozenset(pair) in legal for pair in pairs if pair[1])
        and len(byes) == len(present) % 2
        and all(may_have_bye(by_number[number], points) for number in byes)
    )
    if not sound:
        raise RuntimeError(f"the pairing engine broke the rules: {pairs}")


def _in_board_order(pairs: Pairs, present: Sequence[Contestant]) -> Pairing:
    """C.04.2 3.6 (2026): by the better score of the two, then by the sum, then by the better number."""
    score = {entry.number: entry.score() for entry in present}

    def order(board: tuple[int, int]) -> tuple[int, int, int]:
        a, b = board
        best = min(board, key=lambda number: (-score[number], number))
        return (-max(score[a], score[b]), -(score[a] + score[b]), best)

    boards = sorted((pair for pair in pairs if pair[1]), key=order)
    return Pairing(tuple(boards), next((starter for starter, second in pairs if not second), None))


def _no_legal_pairing(
    present: Sequence[Contestant], legal: set[frozenset[int]], points: PointSystem
) -> NoLegalPairing:
    """Finds out who is in the way; 0 stands for the bye of an odd field."""
    numbers = [entry.number for entry in present]
    graph: nx.Graph = nx.Graph()
    graph.add_nodes_from(numbers)
    graph.add_edges_from(sorted(tuple(sorted(pair)) for pair in legal))
    if len(present) % 2:
        graph.add_node(0)
        graph.add_edges_from((0, entry.number) for entry in present if may_have_bye(entry, points))
    alone = tuple(number for number in numbers if graph.degree(number) == 0)
    if alone:
        return NoLegalPairing(Obstacle.NO_OPPONENT, alone)
    matched = {number for pair in nx.max_weight_matching(graph, maxcardinality=True) for number in pair}
    left_over = tuple(number for number in numbers if number not in matched)
    if left_over:
        return NoLegalPairing(Obstacle.LEFT_OVER, left_over)
    return NoLegalPairing(Obstacle.SEATS, tuple(numbers))
