"""Published and exact figures about the game, as far as they can be computed in a moment."""

from fractions import Fraction
from itertools import combinations
from math import comb, factorial

import pytest

from games.notation import read_position
from games.rules import EMPTY_BOARD, LINES, LINES_THROUGH, Position, Rules, parse_square
from games.state import GameState
from tests.games.naive import LINES as NAIVE_LINES


def position(pieces, *, last, rules):
    """A position with these pieces by square, out of any game."""
    board = tuple(pieces.get(square) for square in range(16))
    return Position(board, None, 1, "give", last, (), rules)


def shares(pieces, mask):
    """Whether four pieces make a line of the bottom row."""
    row = position(dict(enumerate(pieces)), last=0, rules=Rules("L", mask))
    return row.claimable() == ("a1-d1",)


SETS_OF_FOUR = list(combinations(range(16), 4))


@pytest.mark.parametrize(("code", "lines"), [("L", 10), ("LS", 19), ("OS", 17)])
def test_numbers_of_lines(code, lines):
    assert len(LINES[code]) == len(NAIVE_LINES[code]) == lines


@pytest.mark.parametrize(("code", "through"), [("L", (3, 2, 3)), ("LS", (4, 4, 7)), ("OS", (3, 4, 6))])
def test_numbers_of_lines_through_a_corner_an_edge_and_a_centre_square(code, through):
    kinds = (("a1", "d1", "a4", "d4"), ("b1", "c1", "a2", "d3", "b4"), ("b2", "c2", "b3", "c3"))
    for squares, count in zip(kinds, through, strict=True):
        assert {len(LINES_THROUGH[code][parse_square(name)]) for name in squares} == {count}


@pytest.mark.parametrize(
    ("masks", "sharing"), [((1, 2, 4, 8), 140), ((3, 10), 276), ((7, 14), 408), ((15,), 536)]
)
def test_sets_of_four_pieces_that_share_an_attribute(masks, sharing):
    assert len(SETS_OF_FOUR) == 1_820
    for mask in masks:
        assert sum(shares(pieces, mask) for pieces in SETS_OF_FOUR) == sharing


def test_four_different_pieces_share_at_most_two_attributes():
    assert max(sum(shares(pieces, 1 << bit) for bit in range(4)) for pieces in SETS_OF_FOUR) == 2


def test_when_the_first_line_is_completed_in_random_play():
    """Up to six pieces fill at most one line, so that the expected number of lines is the probability."""
    line_shares = Fraction(sum(shares(pieces, 15) for pieces in SETS_OF_FOUR), 1_820)
    lines = [set(line.squares) for line in LINES["L"]]
    line_by = {3: Fraction(0)}
    for placed in (4, 5, 6):
        full = [sum(line <= set(squares) for line in lines) for squares in combinations(range(16), placed)]
        assert max(full) == 1
        line_by[placed] = Fraction(sum(full), len(full)) * line_shares
    first_at = [line_by[placed] - line_by[placed - 1] for placed in (4, 5, 6)]
    assert first_at == [Fraction(67, 41_405), Fraction(268, 41_405), Fraction(134, 8_281)]


def test_numbers_of_action_sequences():
    """With nobody claiming: the first 57,600 are walked, the others are the product of pieces and squares left."""
    reached, counts = [Position.start(Rules("L", 15))], []
    for _ in range(2):
        reached = [p.give(piece) for p in reached for piece in range(16) if piece not in p.board]
        counts.append(len(reached))
        reached = [p.place(square) for p in reached for square in range(16) if p.board[square] is None]
        counts.append(len(reached))
    assert counts == [16, 256, 3_840, 57_600]
    assert all(p.phase == "give" and p.to_act == 1 for p in reached)
    for left in (14, 13):
        counts += [counts[-1] * left, counts[-1] * left * left]
    assert counts[4:] == [806_400, 11_289_600, 146_764_800, 1_907_942_400]


def test_fourth_placements_that_end_with_a_line():
    orders = factorial(4) ** 2
    full_rows = sum(shares(pieces, 15) for pieces in SETS_OF_FOUR)
    assert len(LINES["L"]) * full_rows * orders == 3_087_360
    assert comb(16, 4) ** 2 * orders == 1_907_942_400


@pytest.mark.parametrize(("code", "probability"), [("L", 0.416162), ("LS", 0.272883), ("OS", 0.342657)])
def test_draw_probability_with_one_attribute(code, probability):
    """The eight dark pieces may stand on any eight squares; a line is four of either colour."""
    lines = [sum(1 << square for square in line.squares) for line in LINES[code]]
    boards = [sum(1 << square for square in dark) for dark in combinations(range(16), 8)]
    drawn = sum(all(dark & line not in (0, line) for line in lines) for dark in boards)
    assert round(drawn / len(boards), 6) == probability


@pytest.mark.parametrize(
    ("rules", "board"),
    [("L:F", "2897/1FE5/C360/4BAD"), ("LS:F", "C2B3/69E8/7D05/14AF"), ("OS:F", "C2B3/69E8/7D05/14AF")],
)
def test_full_boards_without_a_line(rules, board):
    for last in NAIVE_LINES["LS"]["a1-d1"] | {
        "a2",
        "b2",
        "c2",
        "d2",
        "a3",
        "d3",
        "c3",
        "b3",
        "a4",
        "b4",
        "c4",
        "d4",
    }:
        assert read_position(f"{board} - 1 E {last} - {rules}").claimable() == ()


def test_the_board_without_a_line_has_squares_that_are_lines_of_other_variants():
    squares = [
        read_position(f"2897/1FE5/C360/4BAD - 1 E {last} - LS:F").claimable() for last in ("b2", "c3", "b3")
    ]
    assert any(squares)


def test_a_state_says_nothing_of_lines_before_the_end():
    fields = set(GameState._fields)
    assert {name for name in fields if "line" in name or "win" in name} == {"win_lines"}
    assert Position.start(Rules("L", 15)).board == EMPTY_BOARD
