"""Berger tables."""

from collections import Counter

import pytest

from tournaments.pairing import NotEnoughPlayers
from tournaments.pairing.round_robin import schedule

PUBLISHED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}


@pytest.mark.parametrize("size", PUBLISHED)
def test_schedule_is_the_published_table(size):
    table = [" ".join(f"{a}-{b}" for a, b in pairing.boards) for pairing in schedule(size)]
    assert table == PUBLISHED[size]


@pytest.mark.parametrize("size", range(2, 14))
def test_everybody_meets_everybody_once_with_balanced_seats(size):
    rounds = schedule(size)
    boards = [board for pairing in rounds for board in pairing.boards]
    assert len(rounds) == size - 1 + size % 2
    assert len({frozenset(board) for board in boards}) == len(boards) == size * (size - 1) // 2
    starts = Counter(starter for starter, _ in boards)
    assert all(abs(2 * starts[number] - (size - 1)) <= 1 for number in range(1, size + 1))


@pytest.mark.parametrize("size", range(2, 14))
def test_everybody_is_in_every_round_and_rests_once_in_an_odd_field(size):
    rounds = schedule(size)
    for pairing in rounds:
        seated = [number for board in pairing.boards for number in board]
        assert sorted([*seated, *([pairing.bye] if pairing.bye else [])]) == list(range(1, size + 1))
    rests = [pairing.bye for pairing in rounds if pairing.bye]
    assert sorted(rests) == (list(range(1, size + 1)) if size % 2 else [])


@pytest.mark.parametrize("size", range(2, 9))
def test_a_double_schedule_repeats_the_first_cycle_with_seats_swapped(size):
    double, single = schedule(size, double=True), schedule(size)
    assert double[: len(single)] == single
    for first, second in zip(single, double[len(single) :], strict=True):
        assert second.boards == tuple((b, a) for a, b in first.boards)
        assert second.bye == first.bye


def test_swap_exchanges_the_last_two_rounds_of_the_first_cycle():
    plain, swapped = schedule(6, double=True), schedule(6, double=True, swap=True)
    assert swapped == (*plain[:3], plain[4], plain[3], *plain[5:])


@pytest.mark.parametrize("size", range(4, 14))
def test_with_swap_nobody_has_a_seat_three_times_running(size):
    seats = dict.fromkeys(range(1, size + 1), "")
    for pairing in schedule(size, double=True, swap=True):
        for starter, second in pairing.boards:
            seats[starter] += "1"
            seats[second] += "2"
    assert not [row for row in seats.values() if "111" in row or "222" in row]


@pytest.mark.parametrize("size", [0, 1])
def test_schedule_needs_two_players(size):
    with pytest.raises(NotEnoughPlayers):
        schedule(size)
