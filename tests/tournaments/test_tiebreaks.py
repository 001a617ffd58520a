"""Tie-breaks: examples with known values, and a second opinion on random events."""

import random
from fractions import Fraction

import pytest

from tests.tournaments.fields import board, cross_table, field, random_swiss
from tests.tournaments.oracle import second_opinion
from tournaments.event import System, event_after
from tournaments.pairing.round_robin import schedule
from tournaments.records import Contestant, Kind, RoundRecord
from tournaments.tiebreaks import (
    ROUND_ROBIN_PRESET,
    SWISS_PRESET,
    TieBreak,
    TieBreakNotOffered,
    UnknownTieBreak,
    check_offered,
    offered,
    parse_tie_break,
    print_value,
    values_of,
)

SIX = cross_table("x110=1", "0x=111", "0=x111", "100x0=", "=001x0", "000=1x")


def printed(contestants, code, *, system=System.SWISS, rounds_total=None, after=None):
    total = rounds_total or len(contestants[0].records)
    event = event_after(contestants, system=system, rounds_total=total, after=after)
    tie_break = parse_tie_break(code)
    values = values_of(tie_break, event)
    return [print_value(tie_break, values[entry.number]) for entry in contestants]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("SB", "9.25 6.25 6.25 4.25 3.25 2.25"),
        ("SB-C1", "9.25 4.75 4.75 4.25 3.25 1.5"),
        ("KS", "2.0 0.5 0.5 1.0 0.5 0.0"),
        ("WIN", "3 3 3 1 1 1"),
        ("WON", "3 3 3 1 1 1"),
        ("BPG", "0 1 2 3 4 5"),
        ("BWG", "0 0 0 1 1 1"),
        ("PS", "11.0 8.0 8.0 5.5 4.5 2.0"),
        ("PS-C1", "10.0 8.0 8.0 4.5 4.0 2.0"),
    ],
)
def test_a_round_robin_of_six(code, expected):
    assert printed(SIX, code, system=System.ROUND_ROBIN) == expected.split()


def three_wins_and_two_byes():
    """Player 1: wins against three who end with a point each, a half-point bye, a zero-point bye."""
    return field(
        7,
        "1-2 1-0, 3-5 1-0, 4-6 1-0",
        "1-3 1-0, 2-5 1-0, 4-7 0-1",
        "1-4 1-0, 2-6 0-1, 3-7 0-1",
        "1 H, 2-7 0-1, 3-6 0-1, 4-5 0-1",
        "2-5 0-1, 3-6 0-1, 4-7 0-1",
    )


@pytest.mark.parametrize(
    ("code", "value"), [("BH", "8.0"), ("BH-C1", "5.5"), ("BH-C2", "3.0"), ("BH-M1", "3.0"), ("BH-M2", "1.0")]
)
def test_buchholz_with_byes_of_ones_own(code, value):
    assert printed(three_wins_and_two_byes(), code)[0] == value


def a_bye_and_a_lost_forfeit():
    return field(
        6,
        "1 H, 2-3 1-0, 5-4 =, 6 U",
        "2-1 +-, 4-3 =, 5-6 1-0",
        "1-3 1-0, 2-5 =, 4-6 =",
        "6-1 0-1, 2-4 =, 3-5 0-1",
    )


@pytest.mark.parametrize(
    ("code", "value"), [("BH", "6.5"), ("BH-C1", "4.5"), ("SB", "3.0"), ("SB-C1", "2.5"), ("SB-C2", "1.0")]
)
def test_a_cut_takes_voluntary_unplayed_rounds_first_unless_they_are_worth_less(code, value):
    """Half bye 2.0 (1.0), lost forfeit 2.5 (0), wins against 0.5 and 1.5 (16.5)."""
    assert printed(a_bye_and_a_lost_forfeit(), code)[0] == value


def test_fore_buchholz_draws_the_games_of_the_last_round():
    contestants = field(4, "1-4 1-0, 2-3 1-0", "2-1 0-1, 3-4 1-0")
    assert printed(contestants, "FB") == ["2.0", "2.0", "2.0", "2.0"]
    assert printed(contestants, "FB", rounds_total=3) == printed(contestants, "BH", rounds_total=3)


def test_average_of_buchholz_is_over_opponents_met():
    contestants = field(4, "1-2 1-0, 3-4 1-0", "1-3 1-0, 4 U", "1-4 +-, 2-3 =")
    assert printed(contestants, "BH") == ["3.0", "5.0", "4.5", "3.5"]
    assert printed(contestants, "AOB") == ["4.75", "3.75", "3.83", "4.5"]


def test_average_of_buchholz_is_blank_without_games():
    assert printed(field(2, "1 H"), "AOB") == ["", ""]


def test_wins_count_rounds_with_a_wins_points_and_games_won_do_not():
    contestants = field(4, "1-2 +-, 3-4 1-0", "1 U, 3-2 0-1")
    assert printed(contestants, "WIN") == ["2", "1", "1", "0"]
    assert printed(contestants, "WON") == ["0", "1", "1", "0"]
    assert printed(contestants, "BPG") == ["0", "1", "0", "1"]
    assert printed(contestants, "BWG") == ["0", "1", "0", "0"]


def test_ratings_of_opponents_met_over_the_board():
    contestants = field(
        4, "1-2 1-0, 3-4 +-", "1-3 =, 4 U", "4-1 1-0, 2-3 =", ratings=[1900, 1800, 1700, 1500]
    )
    assert printed(contestants, "ARO") == ["1667", "1800", "1850", "1900"]
    assert printed(contestants, "ARO-C1") == ["1750", "1900", "1900", ""]
    assert printed(contestants, "ARO-M1") == ["1700", "", "", ""]
    assert printed(contestants, "TPR") == ["1667", "1607", "1850", "2700"]
    assert printed(contestants, "PTP")[3] == "2636"


@pytest.mark.parametrize("code", ["ARO", "TPR", "PTP"])
def test_ratings_say_nothing_where_somebody_is_unrated(code):
    contestants = field(2, "1-2 1-0", ratings=[1500, None])
    assert printed(contestants, code) == ["", ""]


def test_a_lost_forfeit_of_a_round_robin_is_no_win_but_counts_for_sonneborn_berger():
    contestants = field(4, "1-4 +-, 2-3 1-0", "4-3 0-1, 1-2 1-0", "2-4 =, 3-1 =")
    assert printed(contestants, "WIN", system=System.ROUND_ROBIN) == ["2", "1", "1", "0"]
    assert printed(contestants, "SB", system=System.ROUND_ROBIN) == ["2.75", "1.75", "1.75", "0.75"]


@pytest.mark.parametrize(
    ("text", "code"), [("BH", "BH"), ("bh-c1", "BH-C1"), ("BH/M2", "BH-M2"), (" SB/C2 ", "SB-C2")]
)
def test_codes_are_read_with_either_sign_and_in_any_case(text, code):
    assert str(parse_tie_break(text)) == code
    assert parse_tie_break(text).report_code == code.replace("-", "/")


@pytest.mark.parametrize("text", ["", "XX", "BH-C3", "WIN-C1", "DE-M1", "PS-M1", "KS/L1", "BH C1"])
def test_unknown_codes_are_refused(text):
    with pytest.raises(UnknownTieBreak):
        parse_tie_break(text)


@pytest.mark.parametrize("name", ["BH", "FB", "AOB"])
def test_buchholz_is_not_offered_in_a_round_robin(name):
    check_offered(TieBreak(name), System.SWISS)
    with pytest.raises(TieBreakNotOffered):
        check_offered(TieBreak(name), System.ROUND_ROBIN)


def test_presets_are_offered():
    assert set(SWISS_PRESET) <= set(offered(round_robin=False))
    assert set(ROUND_ROBIN_PRESET) <= set(offered(round_robin=True))
    assert not {"BH", "BH-C1", "FB-M2", "AOB"} & set(offered(round_robin=True))


PER_POINT = {"BH": 2, "FB": 2, "AOB": 2, "PS": 2, "KS": 2, "SB": 4}


def agree(contestants, *, system, rounds_total, after):
    """Every value of every code but DE (for which see the direct encounter's tests)."""
    round_robin = system is System.ROUND_ROBIN
    event = event_after(contestants, system=system, rounds_total=rounds_total, after=after)
    for code in set(offered(round_robin=round_robin)) - {"DE"}:
        tie_break = parse_tie_break(code)
        values = values_of(tie_break, event)
        other = second_opinion(
            contestants, code, rounds_total=rounds_total, after=after, round_robin=round_robin
        )
        for number, (expected, _) in other.items():
            own = values[number]
            exact = None if own is None else Fraction(own) / PER_POINT.get(tie_break.name, 1)
            assert (expected is None) == (exact is None), (code, number)
            if exact is not None and expected is not None:
                tolerance = Fraction(1, 100) if code == "AOB" else 0
                assert abs(exact - Fraction(expected)) <= tolerance, (code, number)


@pytest.mark.parametrize("seed", range(10))
def test_a_second_opinion_agrees_on_random_swiss_events(seed):
    rng = random.Random(seed)
    contestants, rounds_total = random_swiss(rng, 16)
    played = len(contestants[0].records)
    if played:
        agree(contestants, system=System.SWISS, rounds_total=rounds_total, after=rng.randint(1, played))
        agree(contestants, system=System.SWISS, rounds_total=rounds_total, after=played)


@pytest.mark.parametrize("seed", range(8))
def test_a_second_opinion_agrees_on_random_round_robins(seed):
    rng = random.Random(seed)
    size = rng.randint(3, 9)
    rounds = schedule(size, double=rng.random() < 0.5)
    records: dict[int, list[RoundRecord]] = {number: [] for number in range(1, size + 1)}
    for pairing in rounds:
        if pairing.bye:
            records[pairing.bye].append(RoundRecord(Kind.ZERO_BYE))
        for starter, second in pairing.boards:
            result = rng.choice(("1-0", "0-1", "1-0", "0-1", "=", "=", "+-", "-+", "--"))
            for number, record in board(starter, second, result).items():
                records[number].append(record)
    contestants = [
        Contestant(number, rating=rng.randint(1200, 2000), records=tuple(found))
        for number, found in records.items()
    ]
    agree(contestants, system=System.ROUND_ROBIN, rounds_total=len(rounds), after=len(rounds))
