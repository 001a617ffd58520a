"""Round robins by the Berger tables (FIDE C.05, annex)."""

from tournaments.pairing import NotEnoughPlayers, Pairing


def schedule(size: int, *, double: bool = False, swap: bool = False) -> tuple[Pairing, ...]:
    """All rounds of a round robin of ``size`` players, numbered from 1.

    ``double`` plays everything again with the seats swapped; ``swap`` exchanges the last two rounds
    of the first cycle, so that nobody has the same seat three times running where the cycles join.
    In an odd field ``Pairing.bye`` is who rests. Raises NotEnoughPlayers below two.

    >>> [pairing.boards for pairing in schedule(4)]
    [((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1))]
    """
    if size < 2:
        raise NotEnoughPlayers
    even = size + size % 2
    first = [_round(number, even) for number in range(1, even)]
    second = [tuple((b, a) for a, b in boards) for boards in first] if double else []
    if swap and len(first) > 1:
        first[-2:] = reversed(first[-2:])
    return tuple(_without_rest(boards, size) for boards in [*first, *second])


def _round(number: int, even: int) -> tuple[tuple[int, int], ...]:
    """Round ``number`` of the table for ``even`` players, the last of whom may be the rest."""
    cycle = even - 1
    top = (number + 1) // 2 if number % 2 else (even + number) // 2
    boards = [(top, even) if number % 2 else (even, top)]
    boards += [((top + i - 1) % cycle + 1, (top - i - 1) % cycle + 1) for i in range(1, even // 2)]
    return tuple(boards)


def _without_rest(boards: tuple[tuple[int, int], ...], size: int) -> Pairing:
    resting = next((min(board) for board in boards if max(board) > size), None)
    return Pairing(tuple(board for board in boards if max(board) <= size), resting)
