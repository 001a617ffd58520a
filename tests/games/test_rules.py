"""The rules: variants, policies for false claims and the state machine of a position."""

import doctest

import pytest

from games import rules as rules_module
from games.rules import (
    BadClaims,
    BadRules,
    ClaimPolicy,
    NoWindow,
    PieceTaken,
    Position,
    Rules,
    SquareTaken,
    WrongPhase,
    parse_piece,
    parse_square,
    piece_name,
    square_name,
)

STANDARD = Rules("L", 15)


def played(*moves, rules=STANDARD):
    """The position after gives and places, `5a1` for both together, `5` for a give alone."""
    position = Position.start(rules)
    for move in moves:
        position = position.give(parse_piece(move[0]))
        if move[1:]:
            position = position.place(parse_square(move[1:]))
    return position


def full_board():
    return played(*[f"{piece_name(p)}{square_name(p)}" for p in range(16)])


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(rules_module).failed == 0


def test_all_forty_five_variants_are_read_and_written():
    texts = [f"{lines}:{digit}" for lines in ("L", "LS", "OS") for digit in "123456789ABCDEF"]
    assert [str(Rules.parse(text)) for text in texts] == texts


@pytest.mark.parametrize(
    "text", ["", "L", "L:", "L:0", "L:G", "L:f", "l:F", "L:FF", "S:F", "L:F ", " L:F", None, 5, []]
)
def test_other_variants_are_refused(text):
    with pytest.raises(BadRules):
        Rules.parse(text)


@pytest.mark.parametrize(
    ("text", "limit"), [("lose", 1), ("void", None), ("strikes=1", 1), ("strikes=3", 3), ("strikes=99", 99)]
)
def test_claim_policies_are_read_and_written(text, limit):
    policy = ClaimPolicy.parse(text)
    assert (policy.limit, str(policy)) == (limit, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "win",
        "Lose",
        "strikes",
        "strikes=",
        "strikes=0",
        "strikes=03",
        "strikes=100",
        "strikes=-1",
        None,
        3,
    ],
)
def test_other_claim_policies_are_refused(text):
    with pytest.raises(BadClaims):
        ClaimPolicy.parse(text)


def test_the_game_starts_with_seat_1_to_give():
    start = Position.start(STANDARD)
    assert (start.phase, start.to_act, start.hand, start.last, start.placed) == ("give", 1, None, None, 0)


def test_a_given_piece_is_placed_and_the_next_one_given_by_the_same_player():
    held = played("5")
    assert (held.phase, held.to_act, held.hand) == ("place", 2, 5)
    placed = played("5c3")
    assert (placed.phase, placed.to_act, placed.hand, placed.last) == ("give", 2, None, parse_square("c3"))


def test_seat_2_makes_the_odd_placements():
    assert Position.start(STANDARD).placer is None
    assert [played("5c3").placer, played("5c3", "6").placer, played("5c3", "6a1").placer] == [2, 2, 1]


def test_give_rejects_a_piece_on_the_board():
    with pytest.raises(PieceTaken):
        played("7b3").give(7)


def test_give_rejects_a_second_piece():
    with pytest.raises(WrongPhase):
        played("7").give(8)


def test_place_rejects_a_taken_square():
    with pytest.raises(SquareTaken):
        played("7b3", "8").place(parse_square("b3"))


def test_place_rejects_an_empty_hand():
    with pytest.raises(WrongPhase):
        played("7b3").place(0)


def test_the_sixteenth_placement_opens_the_end_windows_line_or_no_line():
    end = full_board()
    assert (end.phase, end.to_act, end.placer) == ("end", 1, 1)
    reply = end.pass_()
    assert (reply.phase, reply.to_act) == ("reply", 2)
    over = reply.pass_()
    assert (over.phase, over.to_act, over.last) == ("over", None, 15)


@pytest.mark.parametrize(
    "position", [Position.start(STANDARD), played("5"), played("5a1"), full_board().over()]
)
def test_pass_is_for_the_end_windows_alone(position):
    with pytest.raises(WrongPhase):
        position.pass_()


def test_nobody_has_a_window_before_the_first_placement():
    for position in (Position.start(STANDARD), played("5")):
        assert not position.window_open(1)
        assert not position.window_open(2)


def test_the_window_goes_from_the_placer_to_his_opponent_with_the_piece():
    assert [played("5a1").window_open(seat) for seat in (1, 2)] == [False, True]
    assert [played("5a1", "6").window_open(seat) for seat in (1, 2)] == [True, False]


def test_the_end_windows_are_the_placers_and_then_his_opponents():
    end = full_board()
    assert [end.window_open(seat) for seat in (1, 2)] == [True, False]
    assert [end.pass_().window_open(seat) for seat in (1, 2)] == [False, True]
    assert [end.over().window_open(seat) for seat in (1, 2)] == [False, False]


def test_a_window_opens_whatever_the_board_holds():
    line, no_line = played("1a1", "3b1", "5c1", "9d1"), played("1a1", "3b1", "5c1", "Ad1")
    assert line.claimable() == ("a1-d1",)
    assert no_line.claimable() == ()
    assert [line.window_open(s) for s in (1, 2)] == [no_line.window_open(s) for s in (1, 2)]


def test_a_closed_window_stays_closed_until_the_next_placement_and_leaves_the_other_open():
    closed = played("5a1").close_window(2)
    assert not closed.window_open(2)
    assert (closed.phase, closed.to_act) == ("give", 2)
    given = closed.give(6)
    assert given.closed == (2,)
    assert given.window_open(1)
    both = given.close_window(1)
    assert both.closed == (1, 2)
    placed = both.place(1)
    assert placed.closed == ()
    assert placed.window_open(1)


def test_a_window_cannot_be_closed_twice_or_by_another():
    with pytest.raises(NoWindow):
        played("5a1").close_window(2).close_window(2)
    with pytest.raises(NoWindow):
        played("5a1").close_window(1)


def test_a_line_is_claimable_through_the_last_square_alone():
    dead = played("1a1", "3b1", "5c1", "9d1", "0a4")
    assert dead.claimable() == ()


def test_all_lines_that_one_placement_completes_are_claimable():
    position = played("1a1", "3b1", "5c1", "9d4", "Bd3", "Dd2", "7d1")
    assert position.claimable() == ("a1-d1", "d1-d4")


def test_claimable_lines_are_sorted_by_name():
    position = played("1a1", "3a2", "5a4", "9b3", "Bc3", "Dd3", "7a3")
    assert position.claimable() == ("a1-a4", "a3-d3")


def test_piece_zero_counts():
    assert played("0a1", "1b1", "2c1", "4d1").claimable() == ("a1-d1",)


@pytest.mark.parametrize(
    ("rules", "lines"),
    [("L:F", ("a1-d4",)), ("LS:F", ("a1-d4",)), ("OS:F", ()), ("L:1", ("a1-d4",)), ("L:2", ())],
)
def test_variant_and_mask_decide_what_is_a_line(rules, lines):
    assert played("1a1", "3b2", "5c3", "9d4", rules=Rules.parse(rules)).claimable() == lines


def test_a_position_is_a_value():
    assert played("5a1") == played("5a1")
    assert hash(played("5a1")) == hash(played("5a1"))
    with pytest.raises(AttributeError):
        played("5a1").hand = 3
