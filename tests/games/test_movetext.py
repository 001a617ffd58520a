"""The tokens of a movetext."""

import doctest

import pytest

from games import movetext as movetext_module
from games.movetext import Item, NotationError, read_movetext, token_for, write_movetext

TOKENS = [
    ("1.@A{4.012}", Item("give", 1, piece=10, used_ms=4_012)),
    ("1.@A", Item("give", 1, piece=10)),
    ("Q1(a1-d1)!{0.900}", Item("claim", 1, line="a1-d1", valid=True, used_ms=900)),
    ("Q2(a1-a4)?{12.000}", Item("claim", 2, line="a1-a4", valid=False, used_ms=12_000)),
    ("Q2(a1-c2)?", Item("claim", 2, line="a1-c2", valid=False)),
    ("--{60.500}", Item("pass", 1, used_ms=60_500)),
    ("R1{0.001}", Item("resign", 1, used_ms=1)),
    ("R2", Item("resign", 2)),
    ("T2", Item("time", 2)),
    ("D1?", Item("offer", 1)),
    ("D2-", Item("decline", 2)),
    ("=", Item("agree")),
    ("{arbiter: pause}", Item("arbiter", text="pause")),
    ("{arbiter: seat 1 +30.000}", Item("arbiter", text="seat 1 +30.000")),
    ("{arbiter: 1/2-1/2}", Item("arbiter", text="1/2-1/2")),
    ("{outage: +72.300}", Item("outage", text="+72.300")),
]


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(movetext_module).failed == 0


@pytest.mark.parametrize(("token", "item"), TOKENS)
def test_each_kind_of_token_is_read_and_written(token, item):
    assert token_for(item, 1) == token
    assert read_movetext(f"{token} *") == ((item,), None)


@pytest.mark.parametrize("part", ["{", "{a ", " ", "a", "{}", "=", "{arbiter: pause} "])
def test_long_nonsense_is_an_error(part):
    with pytest.raises(NotationError):
        read_movetext(part * 20_000)


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", None])
def test_a_movetext_ends_with_its_result(result):
    assert write_movetext([], result) == (result or "*")
    assert read_movetext(result or "*") == ((), result)


def test_seats_follow_from_the_placements():
    items, _ = read_movetext("1.@1 a1 2.@2 b1 3.@3 c1 -- -- *")
    assert [item.seat for item in items] == [1, 2, 2, 1, 1, 2, 1, 2]


def test_lower_case_pieces_and_missing_times_are_read():
    items, result = read_movetext("1.@a b2{1.000} 2.@f *")
    assert write_movetext(items, result) == "1.@A b2{1.000} 2.@F *"


def test_a_cited_line_is_written_by_its_canonical_name():
    items, _ = read_movetext("Q1(d1-a4)? Q2(c2-b3)? *")
    assert [item.line for item in items] == ["a4-d1", "b2-c3"]


def test_events_stand_between_give_and_place():
    text = "1.@1 D2? {arbiter: pause} {arbiter: resume} {outage: +12.000} a1 2.@2 Q1(a1-d1)? b1 *"
    assert write_movetext(*read_movetext(text)) == text


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        (" ", 2),
        ("1.@1 a1", 6),
        ("1.@1 a1 * ", 11),
        ("1.@1  a1 *", 6),
        ("2.@1 a1 *", 1),
        ("1.@1 a1 3.@2 *", 9),
        ("1.@1 2.@2 *", 6),
        ("1.@1 1.@2 *", 6),
        ("a1 *", 1),
        ("1.@1 a1 b1 *", 9),
        ("1.@1 e1 *", 6),
        ("1.@G *", 1),
        ("01.@1 *", 1),
        ("1.@1{4} *", 1),
        ("1.@1{4.01} *", 1),
        ("1.@1{-4.010} *", 1),
        ("1.@1{4.012 *", 1),
        ("Q1() *", 1),
        ("Q1(a1-a1)? *", 1),
        ("Q3(a1-d1)? *", 1),
        ("Q1(a1-d1) *", 1),
        ("T1{1.000} *", 1),
        ("={1.000} *", 1),
        ("D1 *", 1),
        ("{arbiter:} *", 1),
        ("{arbiter: a} b} *", 14),
        ("{comment: hello} *", 1),
        ("1-0 1-0", 1),
        ("2-0", 1),
    ],
)
def test_what_is_no_movetext_is_an_error_at_its_column(text, column):
    with pytest.raises(NotationError) as caught:
        read_movetext(text)
    assert caught.value.column == column
