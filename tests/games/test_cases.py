"""The stored cases, each judged by the code that judges live games."""

import json
from pathlib import Path

import pytest

from games.cases import BadCase, differences, judge_case
from games.clock import ceil_face, floor_face
from games.notation import read_position, write_position
from games.rules import Position, attributes, piece_name, square_name

CASES = json.loads((Path(__file__).parents[1] / "data" / "rules.json").read_text(encoding="utf-8"))
JUDGED = ("play", "record", "replay", "claimable-lines")


def of_kind(*kinds):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] in kinds]


def test_there_are_sixty_five_cases():
    assert len(CASES) == 65


@pytest.mark.parametrize("case", of_kind(*JUDGED))
def test_a_case_comes_out_as_expected(case):
    assert differences(case, judge_case(case, 1)) == {}


def test_other_kinds_are_named_as_skipped():
    skipped = {case["kind"] for case in CASES if "skipped" in judge_case(case, 1)}
    assert skipped == {case["kind"] for case in CASES} - set(JUDGED)
    assert judge_case({"id": "x", "kind": "display"}, 1) == {"id": "x", "skipped": "display"}


@pytest.mark.parametrize("case", of_kind("display"))
def test_displays(case):
    remaining_ms, expected = case["input"]["remaining_ms"], case["expected"]
    assert floor_face(remaining_ms) == expected["floor_display"]
    assert ceil_face(remaining_ms) == expected["ceil_display"]


@pytest.mark.parametrize("case", of_kind("encoding"))
def test_encodings(case):
    assert {piece_name(piece): "/".join(attributes(piece)) for piece in range(16)} == case["expected"]


@pytest.mark.parametrize("case", of_kind("leak"))
def test_leaks(case):
    first, second = (read_position(text) for text in case["positions"])
    claims = [position.window_open(position.to_act) for position in (first, second)]
    assert claims == case["expected"]["claim_button_enabled"]
    differing = [name for name in Position._fields if getattr(first, name) != getattr(second, name)]
    assert differing == case["expected"]["fields_that_may_differ"]


def winning_squares(position):
    free = [square for square in range(16) if position.board[square] is None]
    return [square_name(square) for square in free if position.place(square).claimable()]


@pytest.mark.parametrize(
    "case", [c for c in of_kind("analysis") if "winning_squares" in c.values[0]["expected"]]
)
def test_questions_about_lines(case):
    position = read_position(case["position"])
    assert winning_squares(position) == case["expected"]["winning_squares"]
    assert write_position(position) == case["expected"]["position_after_analysis"]


@pytest.mark.parametrize("case", [c for c in of_kind("analysis") if "safe_gives" in c.values[0]["expected"]])
def test_questions_about_gives(case):
    position = read_position(case["position"])
    left = [piece for piece in range(16) if piece not in position.board]
    losing = [piece_name(piece) for piece in left if winning_squares(position.give(piece))]
    assert losing == case["expected"]["losing_gives"]
    assert [piece_name(piece) for piece in left if piece_name(piece) not in losing] == case["expected"][
        "safe_gives"
    ]
    assert write_position(position) == case["expected"]["position_after_analysis"]


def play(*actions, **case):
    return judge_case({"id": "x", "kind": "play", "actions": list(actions), **case}, 1)


GIVE = {"by": 1, "do": "give", "piece": "5"}


def test_a_case_may_start_from_a_position():
    answer = play(
        {"by": 2, "do": "claim", "line": "a1-d1"},
        position="..../..../..../1359 0 2 P d1 1 L:F",
        options={"rules": "L:F"},
    )
    assert (answer["termination"], answer["final_position"]) == (
        "quarto-opponent",
        "..../..../..../1359 0 - X d1 1 L:F",
    )


def test_a_case_may_start_in_the_last_window_or_after_the_end():
    full = "E3DF/68B2/9C50/714A"
    replied = play({"do": "tick", "t": 60.001}, position=f"{full} - 2 F b2 - L:F")
    assert replied["termination"] == "board-full"
    assert play({"by": 1, "do": "pass"}, position=f"{full} - - X b2 - L:F")["rejected"] == {"0": "game_over"}


def test_a_case_may_set_the_limits():
    late = {"by": 2, "do": "place", "square": "a1", "t": 10.2}
    assert play(GIVE, late, options={"turn_s": 10})["termination"] == "time"
    full = {"position": "E3DF/68B2/9C50/714A - 2 F b2 - L:F", "options": {"turn_s": 60, "reply_s": 5}}
    assert play({"do": "tick", "t": 5.5}, **full)["termination"] == "board-full"


def test_a_time_that_is_not_given_is_the_last_one():
    late = {"by": 2, "do": "place", "square": "a1", "t": 50}
    assert (
        play(GIVE, late, {"by": 2, "do": "give", "piece": "6"}, {"do": "tick", "t": 110})["termination"]
        is None
    )


def test_a_case_whose_first_give_never_comes_is_aborted():
    answer = play({"do": "tick", "t": 60.5}, GIVE)
    assert (answer["result"], answer["termination"], answer["rejected"]) == (
        None,
        "aborted",
        {"1": "game_over"},
    )


def test_a_seat_that_does_not_exist_is_no_player():
    answer = play(
        {"by": 3, "do": "give", "piece": "5"}, {"do": "give", "piece": "5"}, {"by": "1", "do": "give"}
    )
    assert answer["rejected"] == {"0": "not_a_player", "1": "not_a_player", "2": "not_a_player"}


def test_an_arbiter_may_come_too_late_or_twice():
    answer = play(GIVE, {"do": "pause"}, {"do": "pause"}, {"do": "resume"}, {"do": "resume"})
    assert answer["rejected"] == {"2": "paused", "4": "not_paused"}


@pytest.mark.parametrize(
    "case",
    [
        5,
        [],
        {},
        {"id": None},
        {"id": "x", "actions": 5},
        {"id": "x", "actions": [5]},
        {"id": "x", "actions": [GIVE | {"t": "1"}]},
        {"id": "x", "actions": [GIVE | {"t": True}]},
        {"id": "x", "actions": [GIVE | {"t": -1}]},
        {"id": "x", "actions": [GIVE | {"t": float("nan")}]},
        {"id": "x", "actions": [GIVE | {"t": 1e300}]},
        {"id": "x", "actions": [GIVE | {"seq": "0"}]},
        {"id": "x", "options": {"rules": "L:0"}},
        {"id": "x", "options": {"rules": 5}},
        {"id": "x", "options": {"claims": "win"}},
        {"id": "x", "options": []},
        {"id": "x", "position": "nowhere"},
        {"id": "x", "position": 5},
        {"id": "x", "kind": "claimable-lines"},
    ],
)
def test_a_case_that_cannot_be_read_is_named(case):
    with pytest.raises(BadCase, match="case "):
        judge_case(case, 1)
