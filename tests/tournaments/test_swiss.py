"""Swiss pairing: the reference engine's pairings, what is refused, and random events."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.fields import CASES, case, field, play_swiss
from tournaments.pairing import NotEnoughPlayers, Pairing, engine
from tournaments.pairing.swiss import (
    Advice,
    FieldTooLarge,
    NoLegalPairing,
    Obstacle,
    TooManyRounds,
    baku_acceleration,
    check_rounds,
    legal_pairs,
    most_rounds,
    pair_round,
    validate,
)
from tournaments.records import ON_BOARD, STANDARD, Contestant, Kind, Penalty, PointSystem, RoundRecord

KINDS = {
    "1": (Kind.PLAYED, 2),
    "=": (Kind.PLAYED, 1),
    "0": (Kind.PLAYED, 0),
    "+": (Kind.FORFEIT_WIN, 2),
    "-": (Kind.FORFEIT_LOSS, 0),
    "U": (Kind.PAIRING_BYE, 2),
    "H": (Kind.HALF_BYE, 1),
    "Z": (Kind.ZERO_BYE, 0),
}


def entry_of(player):
    records = []
    for opponent, colour, code in player["results"]:
        kind, half_points = KINDS[code]
        seat = {"w": 1, "b": 2, "-": None}[colour]
        records.append(RoundRecord(kind, opponent or None, seat, half_points))
    return Contestant(player["no"], rating=player["rating"], records=tuple(records))


def pair_case(position):
    return pair_round(
        [entry_of(player) for player in position["players"]],
        round_number=position["round_to_pair"],
        rounds_total=position["rounds_total"],
        first_seat=1 if position["initial_colour"] == "w" else 2,
        absent={int(number) for number in position["absent"]},
        forbidden={frozenset(pair) for pair in position["forbidden_pairs"]},
        acceleration={
            int(number): [int(2 * points) for points in by_round]
            for number, by_round in position["acceleration"].items()
        },
    )


def boards_of(pairing):
    return [list(board) for board in pairing.boards] + ([[pairing.bye, 0]] if pairing.bye else [])


def pair(contestants, rounds_total=9, **terms):
    played = len(contestants[0].records)
    return pair_round(
        contestants, round_number=played + 1, rounds_total=rounds_total, **({"first_seat": 1} | terms)
    )


@pytest.mark.parametrize("name", [name for name in CASES if case(name)["expected"]])
def test_pairing_and_board_order_are_the_reference_engines(name):
    position = case(name)
    assert boards_of(pair_case(position)) == position["expected"]


@pytest.mark.parametrize("name", [name for name in CASES if not case(name)["expected"]])
def test_no_legal_pairing_is_the_reference_engines_answer(name):
    with pytest.raises(NoLegalPairing):
        pair_case(case(name))


def test_the_first_seat_is_the_top_numbers_in_round_1():
    assert pair(field(4), first_seat=1) == Pairing(((1, 3), (4, 2)))
    assert pair(field(4), first_seat=2) == Pairing(((3, 1), (2, 4)))


def test_the_bye_of_round_1_goes_to_the_last_number():
    assert pair(field(5)).bye == 5


def test_absent_players_are_not_paired():
    assert pair(field(6), absent={1, 4}) == Pairing(((2, 5), (6, 3)))


def test_forbidden_pairs_do_not_meet():
    pairing = pair(field(4), forbidden={frozenset((1, 3)), frozenset((2, 4))})
    assert {frozenset(board) for board in pairing.boards} == {frozenset((1, 4)), frozenset((2, 3))}


def test_a_forfeited_pairing_is_no_meeting():
    assert pair(field(2, "1-2 +-")).boards == ((1, 2),)


def test_an_adjourned_game_is_a_draw_for_pairing():
    adjourned = pair(field(6, "1-4 0-1, 5-2 *, 3-6 1-0"))
    assert adjourned == pair(field(6, "1-4 0-1, 5-2 =, 3-6 1-0"))


def test_start_numbers_may_have_gaps_and_any_order():
    contestants = [replace(entry, number=entry.number * 10) for entry in field(4)]
    assert pair(contestants[::-1]) == Pairing(((10, 30), (40, 20)))


def test_records_of_later_rounds_are_not_read():
    whole = field(4, "1-3 1-0, 4-2 0-1", "2-1 1-0, 3-4 =")
    again = pair_round(whole, round_number=2, rounds_total=3, first_seat=1)
    assert again == pair(field(4, "1-3 1-0, 4-2 0-1"), rounds_total=3)


def test_a_missing_record_is_not_taken_for_an_absence():
    with pytest.raises(ValueError, match="lacks a record"):
        pair_round(field(4), round_number=2, rounds_total=3, first_seat=1)


@pytest.mark.parametrize("name", ["14_odd21_r6_halfbyes", "16_odd25_r8_forfeits"])
def test_three_times_the_points_give_the_same_pairing(name):
    position = case(name)
    contestants = [
        replace(entry, records=tuple(replace(r, half_points=3 * r.half_points) for r in entry.records))
        for entry in map(entry_of, position["players"])
    ]
    pairing = pair(
        contestants,
        rounds_total=position["rounds_total"],
        first_seat=1 if position["initial_colour"] == "w" else 2,
        points=PointSystem(win=6, draw=3, bye=6),
    )
    assert boards_of(pairing) == position["expected"]


def test_penalties_count_for_pairing():
    contestants = field(6, "1-4 1-0, 5-2 0-1, 3-6 1-0")
    fined = [replace(contestants[0], penalties=(Penalty(1, -2),)), *contestants[1:]]
    assert frozenset(pair(fined).boards[0]) == {2, 3}


def test_fewer_than_two_cannot_be_paired():
    with pytest.raises(NotEnoughPlayers):
        pair(field(4), absent={1, 2, 3})


def test_too_large_a_field_is_refused():
    with pytest.raises(FieldTooLarge, match="501 players"):
        pair(field(501))


@pytest.mark.parametrize("round_number", [0, 3])
def test_only_rounds_of_the_event_are_paired(round_number):
    with pytest.raises(TooManyRounds):
        pair_round(field(4, "", ""), round_number=round_number, rounds_total=2, first_seat=1)


def test_who_has_nobody_left_to_meet_is_named():
    contestants = field(4, "1-2 1-0, 3-4 1-0", "1-3 1-0")
    with pytest.raises(NoLegalPairing, match="nobody is left to meet 1") as refused:
        pair(contestants, forbidden={frozenset((1, 4))})
    assert (refused.value.obstacle, refused.value.numbers) == (Obstacle.NO_OPPONENT, (1,))


def test_who_would_be_left_over_is_named():
    forbidden = {frozenset(pair) for pair in [(1, 2), (1, 3), (2, 3)]}
    with pytest.raises(NoLegalPairing) as refused:
        pair(field(6, ""), forbidden=forbidden | {frozenset((1, 4)), frozenset((2, 4)), frozenset((3, 4))})
    assert refused.value.obstacle is Obstacle.LEFT_OVER
    assert set(refused.value.numbers) <= {1, 2, 3, 4}


def test_seats_that_rule_every_pairing_out_are_named():
    rounds = "1-3 1-0, 2-4 1-0", "1-4 1-0, 2-3 1-0"
    with pytest.raises(NoLegalPairing, match="same seat") as refused:
        pair(field(4, *rounds))
    assert refused.value.obstacle is Obstacle.SEATS


def test_a_bye_that_nobody_may_have_again_is_no_pairing():
    with pytest.raises(NoLegalPairing):
        pair(field(3, "1-2 =, 3 U", "1-3 =, 2 U", "2-3 =, 1 U"))


@pytest.mark.parametrize("code", ["U", "F"])
def test_nobody_gets_the_bye_after_a_win_without_playing(code):
    contestants = field(3, f"1-2 =, 3 {code}")
    assert pair(contestants).bye == 2


@pytest.mark.parametrize(
    "answer", [[(1, 2), (3, 0)], [(1, 3), (1, 0)], [(2, 3), (1, 2)], [(2, 3)], [(2, 3), (1, 0), (4, 0)]]
)
def test_an_unsound_answer_of_the_engine_is_not_believed(answer):
    contestants = field(3, "1-2 =, 3 U")
    with pytest.raises(RuntimeError, match="broke the rules"):
        validate(answer, contestants, legal_pairs(contestants, ()), STANDARD)


def test_a_sound_answer_of_the_engine_is_taken():
    contestants = field(3, "1-2 =, 3 U")
    validate([(2, 3), (1, 0)], contestants, legal_pairs(contestants, ()), STANDARD)


def test_the_engine_draws_no_lots_of_its_own(monkeypatch):
    def no_lot():
        raise AssertionError

    monkeypatch.setattr(random, "random", no_lot)
    assert engine.dutch_pairs(
        field(4),
        round_number=1,
        rounds_total=3,
        first_seat=2,
        absent=(),
        forbidden=(),
        acceleration={},
        points=STANDARD,
    )


@pytest.mark.parametrize(
    ("size", "rounds", "advice"),
    [
        (40, 7, ()),
        (12, 6, ()),
        (12, 7, (Advice.MORE_THAN_HALF,)),
        (8, 3, (Advice.ROUND_ROBIN,)),
        (8, 7, (Advice.MORE_THAN_HALF, Advice.ROUND_ROBIN)),
        (8, 8, (Advice.IMPOSSIBLE,)),
        (7, 7, (Advice.MORE_THAN_HALF, Advice.ROUND_ROBIN)),
        (7, 8, (Advice.IMPOSSIBLE,)),
    ],
)
def test_check_rounds(size, rounds, advice):
    assert check_rounds(size, rounds) == advice


def test_baku_acceleration_is_that_of_the_reference_position():
    virtual = baku_acceleration(range(1, 19), 9)
    assert virtual == dict.fromkeys(range(1, 11), (2, 2, 2, 1, 1))


def check_pairing(contestants, pairing):
    """Everybody present once, nobody again, nobody a second bye."""
    seated = [number for board in pairing.boards for number in board]
    everybody = [*seated, *([pairing.bye] if pairing.bye else [])]
    assert len(set(everybody)) == len(everybody)
    by_number = {entry.number: entry for entry in contestants}
    for starter, second in pairing.boards:
        met = {r.opponent for r in by_number[starter].records if r.kind in ON_BOARD}
        assert second not in met
    if pairing.bye:
        assert Kind.PAIRING_BYE not in {record.kind for record in by_number[pairing.bye].records}


@settings(max_examples=40, deadline=None)
@given(rng=st.randoms(use_true_random=False), size=st.integers(2, 40), data=st.data())
def test_random_events_are_paired_by_the_rules_to_the_end(rng, size, data):
    rounds_total = data.draw(st.integers(1, min(most_rounds(size), 9)))
    for played, contestants in enumerate(play_swiss(rng, size, rounds_total, check_pairing), 1):
        assert all(len(entry.records) == played for entry in contestants)
