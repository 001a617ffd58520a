"""Squares, pieces and lines."""

import doctest

import pytest

from games import board as board_module
from games.board import (
    LINES,
    LINES_THROUGH,
    BadRequest,
    line_name,
    parse_line,
    parse_piece,
    parse_square,
    piece_name,
    square_name,
)
from tests.games import naive


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(board_module).failed == 0


@pytest.mark.parametrize("code", ["L", "LS", "OS"])
def test_lines_are_those_that_brute_force_finds(code):
    found = {line.name: {square_name(s) for s in line.squares} for line in LINES[code]}
    assert found == naive.LINES[code]


def test_lines_through_a_square_are_the_lines_that_contain_it():
    for code, through in LINES_THROUGH.items():
        for square in range(16):
            assert set(through[square]) == {line for line in LINES[code] if square in line.squares}


def test_all_nineteen_lines_have_different_names():
    assert len({line.name for line in LINES["LS"]}) == 19


@pytest.mark.parametrize("text", ["a1", "D4", "c2"])
def test_squares_are_read_in_either_case(text):
    assert square_name(parse_square(text)) == text.lower()


@pytest.mark.parametrize(
    "text", ["", "a", "a0", "a5", "e1", "a11", "1a", " a1", "a1 ", "а1", "a１", None, 5, ["a1"], {}]
)
def test_what_is_no_square_is_a_bad_request(text):
    with pytest.raises(BadRequest):
        parse_square(text)


@pytest.mark.parametrize("text", list("0123456789ABCDEFabcdef"))
def test_pieces_are_read_in_either_case(text):
    assert piece_name(parse_piece(text)) == text.upper()


@pytest.mark.parametrize("text", ["", "G", "00", "0x1", "-", " 1", "１", "٣", None, 5, True, 1.0, ["5"], {}])
def test_what_is_no_piece_is_a_bad_request(text):
    with pytest.raises(BadRequest):
        parse_piece(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a1-d1", "a1-d1"),
        ("D1-A1", "a1-d1"),
        ("a4-d1", "a4-d1"),
        ("d1-a4", "a4-d1"),
        ("d4-a1", "a1-d4"),
        ("b2-c3", "b2-c3"),
        ("c2-b3", "b2-c3"),
        ("b3-c2", "b2-c3"),
        ("a1-b2", "a1-b2"),
        ("c1-a4", "c1-a4"),
        ("d2-a1", "a1-d2"),
    ],
)
def test_a_citation_has_one_canonical_name(text, name):
    assert line_name(parse_line(text)) == name


@pytest.mark.parametrize(
    "text", ["", "a1", "a1d1", "a1-", "-", "a1-a1", "a1-e1", "a1-b1-c1", "a1--d1", None, 7, [], {}]
)
def test_what_is_not_two_squares_of_the_board_is_a_bad_request(text):
    with pytest.raises(BadRequest):
        parse_line(text)
