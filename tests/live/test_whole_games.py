"""Whole games over real sockets, from the first piece to the result."""

import re

import pytest

from games.notation import read_record, write_record
from tests.positions import DARK_ROW, FULL_WITH_LINE_AT_THE_END, FULL_WITHOUT_LINE, NO_LINE, filling


def outcome(state):
    return state["result"], state["termination"], state["win_lines"]


def without_times(record):
    return re.sub(r"\{\d+\.\d{3}\}", "", record)


def test_the_placer_claims_his_line(sit):
    state = sit(claims="lose").play(f"{DARK_ROW} Q1(a1-d1)")
    assert outcome(state) == ("1-0", "quarto-placer", ["a1-d1"])
    assert without_times(state["record"]) == "1.@1 a1 2.@3 b1 3.@5 c1 4.@9 d1 Q1(a1-d1)!"
    assert state["position"] == "..../..../..../1359 - - X d1 - L:F"


def test_the_opponent_claims_the_line_that_the_placer_missed(sit):
    state = sit(claims="lose").play(f"{DARK_ROW} @0 Q2(d1-a1)")
    assert outcome(state) == ("0-1", "quarto-opponent", ["a1-d1"])
    assert state["position"] == "..../..../..../1359 0 - X d1 - L:F"


def test_a_line_that_nobody_claims_is_dead_and_a_later_one_wins(sit):
    state = sit(claims="lose").play(f"{DARK_ROW} @0 a2 @2 a3 @4 a4 Q2(a1-a4)")
    assert outcome(state) == ("0-1", "quarto-placer", ["a1-a4"])


def test_a_dead_line_that_is_claimed_is_a_false_claim(sit):
    state = sit(claims="lose").play(f"{DARK_ROW} @0 a2 Q2(a1-d1)")
    assert outcome(state) == ("1-0", "false-claim", [])


def test_all_lines_of_the_last_placement_are_named(sit):
    state = sit(claims="lose").play("@1 a1 @3 b1 @5 c1 @7 d2 @D d3 @F d4 @9 d1 Q2(d1-d4)")
    assert outcome(state) == ("0-1", "quarto-placer", ["a1-d1", "d1-d4"])


def test_squares_are_lines_where_the_rules_say_so(sit):
    state = sit(rules="LS:F", claims="lose").play("@1 b2 @3 c2 @5 b3 @9 c3 Q1(c2-b3)")
    assert outcome(state) == ("1-0", "quarto-placer", ["b2-c3"])


def test_a_false_claim_loses(sit):
    state = sit(claims="lose").play(f"{NO_LINE} Q1(a1-d1)")
    assert outcome(state) == ("0-1", "false-claim", [])
    assert state["record"].split()[-1].startswith("Q1(a1-d1)?{")


def test_a_void_claim_closes_the_claimants_window_and_nothing_else(sit):
    match = sit(claims="void")
    state = match.play(f"{NO_LINE} Q1(a1-d1)")
    assert (state["phase"], state["to_act"], state["position"].split()[5]) == ("give", 1, "1")
    assert match.one.act("claim", line="a1-d1")["code"] == "no_window"
    state = match.play("@0 Q2(a1-d1)")
    assert (state["phase"], state["to_act"], state["position"].split()[5]) == ("place", 2, "12")
    state = match.play("a2")
    assert state["position"].split()[5] == "-"


def test_the_second_strike_loses(sit):
    match = sit(claims="strikes=2")
    assert match.play(f"{NO_LINE} Q1(a1-d1)")["status"] == "live"
    state = match.play("@0 a2 @2 a3 Q1(a1-a4)")
    assert outcome(state) == ("0-1", "false-claim", [])


def test_a_full_board_is_drawn_after_both_windows(sit):
    match = sit(claims="lose")
    state = match.play(filling(FULL_WITHOUT_LINE))
    assert (state["status"], state["phase"], state["to_act"], state["result"]) == ("live", "end", 1, None)
    assert match.one.act("give", piece="0")["code"] == "wrong_phase"
    assert match.one.act("place", square="a1")["code"] == "wrong_phase"
    assert match.two.act("pass")["code"] == "not_your_turn"
    state = match.play("--")
    assert (state["status"], state["phase"], state["to_act"], state["result"]) == ("live", "reply", 2, None)
    state = match.play("--")
    assert outcome(state) == ("1/2-1/2", "board-full", [])
    assert state["position"] == f"{FULL_WITHOUT_LINE} - - X d4 - L:F"
    assert [re.sub(r"\{.*\}", "", token) for token in state["record"].split()[-2:]] == ["--", "--"]


def test_the_sixteenth_placement_may_win(sit):
    state = sit(claims="lose").play(f"{filling(FULL_WITH_LINE_AT_THE_END)} Q1(a4-d4)")
    assert outcome(state) == ("1-0", "quarto-placer", ["a4-d4"])


def test_the_other_may_claim_it_when_its_placer_passes(sit):
    match = sit(claims="lose")
    match.play(filling(FULL_WITH_LINE_AT_THE_END))
    assert match.two.act("claim", line="a4-d4")["code"] == "no_window"
    state = match.play("-- Q2(a4-d4)")
    assert outcome(state) == ("0-1", "quarto-opponent", ["a4-d4"])


def test_after_a_void_claim_in_an_end_window_one_must_still_pass(sit):
    match = sit(claims="void")
    state = match.play(f"{filling(FULL_WITHOUT_LINE)} Q1(a4-d4)")
    assert (state["phase"], state["to_act"]) == ("end", 1)
    assert match.one.act("claim", line="a4-d4")["code"] == "no_window"
    state = match.play("-- Q2(a4-d4)")
    assert (state["phase"], state["to_act"]) == ("reply", 2)
    assert outcome(match.play("--")) == ("1/2-1/2", "board-full", [])


@pytest.mark.parametrize(
    ("script", "result"), [("@1 R2", "1-0"), ("@1 R1", "0-1"), ("R1", "0-1"), ("R2", "1-0")]
)
def test_anybody_may_resign_at_any_time(sit, script, result):
    assert outcome(sit().play(script)) == (result, "resign", [])


def test_a_draw_is_offered_and_agreed(sit):
    match = sit(draws_allowed=True)
    state = match.play("@1 a1 D2?")
    assert (state["offer"], state["phase"], state["to_act"]) == (2, "give", 2)
    assert match.two.act("accept_draw")["code"] == "not_your_turn"
    state = match.play("D1=")
    assert (*outcome(state), state["offer"]) == ("1/2-1/2", "agreement", [], None)
    assert state["record"].endswith(" D2? =")


def test_a_draw_is_offered_and_declined_and_the_clock_goes_on(sit):
    match = sit(draws_allowed=True)
    deadline = match.play("@1 a1")["clock"]["deadline"]
    assert match.play("D2?")["clock"]["deadline"] == deadline
    state = match.play("D1-")
    assert (state["offer"], state["clock"]["deadline"], state["to_act"]) == (None, deadline, 2)
    assert state["record"].endswith(" D2? D1-")
    assert match.one.act("accept_draw")["code"] == "wrong_phase"


def test_an_offer_stands_until_the_others_next_action(sit):
    match = sit(draws_allowed=True)
    assert match.play("@1 a1 D2? @2")["offer"] == 2
    assert match.play("b1")["offer"] is None


def test_only_who_is_to_act_may_offer_and_not_after_the_last_placement(sit):
    match = sit(draws_allowed=True)
    match.play("@1")
    assert match.one.act("offer_draw")["code"] == "not_your_turn"
    match.play("a1 D2?")
    assert match.two.act("offer_draw")["code"] == "wrong_phase"


@pytest.mark.parametrize("do", ["offer_draw", "accept_draw", "decline_draw"])
def test_draws_by_agreement_may_be_off(sit, do):
    assert sit(draws_allowed=False).one.act(do)["code"] == "not_allowed"


def test_the_record_that_is_served_is_canonical_and_tells_the_whole_game(sit):
    match = sit(claims="lose")
    state = match.play(f"{DARK_ROW} Q1(a1-d1)")
    served = match.persons[1].http.get(f"/api/games/{match.id}/record/")
    assert served.headers["content-type"].startswith("text/plain")
    record = read_record(served.text)
    assert write_record(record) == served.text
    assert served.text.rstrip("\n").splitlines()[-1] == f"{state['record']} 1-0"
    assert (record.headers["Player1"], record.headers["Player2"]) == tuple(
        player["name"] for player in match.one.game["players"]
    )


def test_a_rated_game_changes_both_ratings_once(sit, server):
    match = sit(rated=True)
    match.play("@1 a1 R2")
    changes = server.rows("SELECT change FROM ratings_ratingchange WHERE game_id = ?", match.id)
    assert len(changes) == 2 and float(changes[0][0]) == -float(changes[1][0]) != 0
