"""Positions and game records as text."""

import doctest
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import notation as notation_module
from games.clock import TimeControl
from games.movetext import Item
from games.notation import (
    GameRecord,
    NotationError,
    read_position,
    read_record,
    write_position,
    write_record,
)
from games.rules import ClaimPolicy, Position, Rules

START = "..../..../..../.... - 1 G - - L:F"
FULL = "E3DF/68B2/9C50/714A"
RECORD = """\
[Event "Thursday club night"]
[Site "..."]
[Date "2026.11.29"]
[Round "2"]
[Board "1"]
[Player1 "Ann"]
[Player2 "Ben"]
[Elo1 "1512"]
[Elo2 "1498"]
[Rules "L:F"]
[Claims "lose"]
[TimeControl "turn=60"]
[Lot "server"]
[Result "1-0"]
[Termination "quarto-placer"]

1.@1{4.012} a1{6.200} 2.@3{2.100} b1{3.300} 3.@5{1.000} c1{2.250} 4.@9{1.900} d1{0.400} Q1(a1-d1)!{0.900} 1-0
"""


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(notation_module).failed == 0


@pytest.mark.parametrize(
    "text",
    [
        START,
        "8F.6/405A/B9.7/2.3. C 2 P a4 - L:F",
        "..../..../..../.... 5 2 P - - L:F",
        "..../..../..../1... - 2 G a1 - L:F",
        "..../..../..../1... - 2 G a1 2 OS:1",
        "..../..../..../1359 0 2 P d1 - L:F",
        "..../..../..../1359 0 2 P d1 1 LS:7",
        "..../..../..../1359 0 2 P d1 12 L:F",
        "..../..../..../1359 0 - X d1 1 L:F",
        "..../..../..../1359 0 - X d1 2 L:F",
        "..../..../..../.... 5 - X - - L:F",
        "..../..../..../.... - - X - - L:F",
        f"{FULL} - 1 E b2 - L:F",
        f"{FULL} - 1 E b2 1 L:F",
        f"{FULL} - 2 F b2 1 L:F",
        f"{FULL} - 2 F b2 12 L:F",
        f"{FULL} - - X b2 12 L:F",
    ],
)
def test_a_position_reads_back_as_it_was_written(text):
    assert write_position(read_position(text)) == text


def test_the_parts_of_a_position():
    position = read_position("8F.6/405A/B9.7/2.3. C 2 P a4 1 L:F")
    assert position.board[:4] == (2, None, 3, None)
    assert position.board[12:] == (8, 15, None, 6)
    assert (position.hand, position.to_act, position.phase) == (12, 2, "place")
    assert (position.last, position.closed, str(position.rules)) == (12, (1,), "L:F")


def test_lower_case_pieces_are_read_and_written_in_upper_case():
    assert (
        write_position(read_position("..../..../.a../.... b 1 P b2 - L:F"))
        == "..../..../.A../.... B 1 P b2 - L:F"
    )


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("..../..../..../....", 1),
        (START + " ", 1),
        (" " + START, 1),
        (START.replace("- 1", "-  1"), 1),
        ("..../..../.... - 1 G - - L:F", 1),
        ("..../..../..../..... - 1 G - - L:F", 1),
        (".../...../..../.... - 1 G - - L:F", 1),
        ("..../..../..../...G - 2 G d1 - L:F", 19),
        ("..../..../..../.../ - 2 G d1 - L:F", 1),
        ("..../..../..../...１ - 2 G d1 - L:F", 19),
        ("..../..../..../.... X 2 P - - L:F", 21),
        ("..../..../..../.... - 3 G - - L:F", 23),
        ("..../..../..../.... - 1 g - - L:F", 25),
        ("..../..../..../1... - 2 G A1 - L:F", 27),
        ("..../..../..../1... - 2 G a5 - L:F", 27),
        ("..../..../..../1... - 2 G a1 21 L:F", 30),
        ("..../..../..../1... - 2 G a1 - L:0", 32),
        ("..../..../..../1..1 - 1 G a1 - L:F", 1),
        ("..../..../..../1... 1 1 P a1 - L:F", 1),
        ("..../..../..../1... - 1 P a1 - L:F", 21),
        ("..../..../..../1... 2 2 G a1 - L:F", 21),
        (f"{FULL[:-1]}. A - E b2 - L:F", 21),
        ("..../..../..../1... - 1 G a1 - L:F", 23),
        ("..../..../..../1... - - G a1 - L:F", 23),
        ("..../..../..../1... 2 2 P a1 - L:F", 23),
        ("..../..../..../1... - 2 X a1 - L:F", 23),
        (f"{FULL} - 2 E b2 - L:F", 23),
        (f"{FULL} - 1 F b2 - L:F", 23),
        ("..../..../..../1... - 1 E a1 - L:F", 25),
        ("..../..../..../1... - 2 F a1 - L:F", 25),
        (f"{FULL} - 1 G b2 - L:F", 25),
        ("..../..../..../1... - 2 G - - L:F", 27),
        ("..../..../..../1... - 2 G b1 - L:F", 27),
        ("..../..../..../.... - 1 G a1 - L:F", 27),
        ("..../..../..../.... - 1 G - 1 L:F", 29),
        ("..../..../..../1... - 2 G a1 1 L:F", 30),
        ("..../..../..../1... - 2 G a1 12 L:F", 30),
        ("..../..../..../1... - - X a1 1 L:F", 30),
        (f"{FULL} - 1 E b2 2 L:F", 30),
    ],
)
def test_a_position_that_contradicts_itself_is_an_error_at_its_column(text, column):
    with pytest.raises(NotationError) as caught:
        read_position(text)
    assert caught.value.column == column


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="./0123456789ABCDEFGPX- abcdLSO:é", max_size=45))
def test_nonsense_is_an_error_within_its_text(text):
    with pytest.raises(NotationError) as caught:
        read_position(text)
    assert 1 <= caught.value.column <= len(text) + 1


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 33), st.sampled_from(" -./1238ABFGPXLS:"))
def test_a_changed_character_is_an_error_or_another_position(index, character):
    text = "8F.6/405A/B9.7/2.3. C 2 P a4 - L:F"
    changed = text[:index] + character + text[index + 1 :]
    with suppress(NotationError):
        assert write_position(read_position(changed)) == changed


def test_a_record_reads_back_byte_for_byte():
    assert write_record(read_record(RECORD)) == RECORD


def test_the_parts_of_a_record():
    record = read_record(RECORD)
    assert record.headers["Player1"] == "Ann"
    assert (str(record.rules), str(record.claims), str(record.control)) == ("L:F", "lose", "turn=60")
    assert (record.result, record.termination) == ("1-0", "quarto-placer")
    assert record.items[0] == Item("give", 1, piece=1, used_ms=4_012)
    assert record.items[-1] == Item("claim", 1, line="a1-d1", valid=True, used_ms=900)


def unfinished(headers):
    rules, claims, control = Rules("LS", 3), ClaimPolicy.parse("strikes=2"), TimeControl(30_000, 120_000)
    return GameRecord(headers, rules, claims, control, (), None, None)


def test_a_game_without_an_end_has_an_asterisk_and_no_termination():
    text = write_record(unfinished({"Player1": "Ann"}))
    assert text == (
        '[Player1 "Ann"]\n[Rules "LS:3"]\n[Claims "strikes=2"]\n'
        '[TimeControl "turn=30 bank=120"]\n[Result "*"]\n\n*\n'
    )
    assert read_record(text) == unfinished({"Player1": "Ann"})


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ('Ann "the ace" B', 'Ann "the ace" B'),
        ("back\\slash\\", "back\\slash\\"),
        ('"]\n[Result "0-1"]\n', '"] [Result "0-1"] '),
        ("Ann\r\n\tBen\x00\x1b", "Ann   Ben  "),
        ("Ann\u2028\u2029\x85Ben", "Ann   Ben"),
        ("Ann\ud800Ben", "Ann Ben"),
        ("Șerban Žižka Ангел 木", "Șerban Žižka Ангел 木"),
        ("", ""),
    ],
)
def test_no_name_can_break_a_record(name, read):
    text = write_record(unfinished({"Player1": name, "Player2": "Ben"}))
    record = read_record(text)
    assert record.headers == {"Player1": read, "Player2": "Ben"}
    assert write_record(record) == text


@settings(max_examples=100, deadline=None)
@given(st.text(), st.text())
def test_any_names_survive_as_far_as_they_can_be_printed(ann, ben):
    text = write_record(unfinished({"Player1": ann, "Player2": ben}))
    assert len(text.splitlines()) == 8
    assert write_record(read_record(text)) == text
    text.encode()


def test_headers_are_written_in_one_order_with_unknown_ones_last():
    headers = {"Opening": "none", "Player2": "Ben", "Lot": "server", "Event": "Night"}
    names = [line.split()[0] for line in write_record(unfinished(headers)).splitlines()[:-2]]
    assert names == ["[Event", "[Player2", "[Rules", "[Claims", "[TimeControl", "[Lot", "[Result", "[Opening"]


def test_line_ends_of_other_systems_are_read():
    assert read_record(RECORD.replace("\n", "\r\n")) == read_record(RECORD)
    assert read_record(RECORD.removesuffix("\n")) == read_record(RECORD)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('[Event "Thursday club night"]', "[Event]", 1),
        ('[Site "..."]', '[Site "."."]', 2),
        ('[Site "..."]', '[Site "...\\"]', 2),
        ('[Site "..."]', '[Site "\x07"]', 2),
        ('[Site "..."]', "Site: club", 2),
        ('[Site "..."]', '[Event "..."]', 2),
        ('[Rules "L:F"]\n', "", 15),
        ('[Rules "L:F"]', '[Rules "L:0"]', 16),
        ('[Claims "lose"]', '[Claims "win"]', 16),
        ('[TimeControl "turn=60"]', '[TimeControl "60"]', 16),
        ('[Result "1-0"]', '[Result "0-1"]', 16),
        ("quarto-placer", "quarto", 16),
        ("\n\n", "\n", 16),
        ("\n\n", "\n\n\n", 16),
        ("1.@1{4.012} ", "1.@1{4.012}  ", 17),
        ("Q1(a1-d1)!", "Q3(a1-d1)!", 17),
    ],
)
def test_an_error_in_a_record_names_its_line(old, new, line):
    with pytest.raises(NotationError) as caught:
        read_record(RECORD.replace(old, new))
    assert caught.value.line == line


def test_an_error_says_where_in_words():
    with pytest.raises(NotationError, match="line 1, column 23: "):
        read_position("..../..../..../.... - 3 G - - L:F")


def test_positions_and_tokens_are_plain_values():
    start = Position.start(Rules("L", 15))
    assert start._replace() == start == read_position(START)
