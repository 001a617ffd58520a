"""The judge: who may do what, in which order the checks come, and what an accepted action makes of the state."""

import pytest

from games.judge import REFUSALS, Action, judge, pause, rated, settle
from games.notation import write_position
from tests.games.played import FULL, LINE, act, played, started


def code(state, seat, do, argument=None, **when):
    return act(state, seat, do, argument, **when).code


def test_each_accepted_action_adds_one_to_seq_and_one_token_to_the_record():
    state = started()
    assert (state.seq, state.status, state.record) == (0, "waiting", "")
    state = act(state, 1, "give", "5", at_ms=4_012).state
    assert (state.seq, state.status, state.record) == (1, "live", "1.@5{4.012}")
    state = act(state, 2, "place", "c3", at_ms=6_000).state
    assert (state.seq, state.record) == (2, "1.@5{4.012} c3{1.988}")


def test_strangers_are_refused_before_anything_else():
    over = act(started(), 1, "resign").state
    assert code(over, None, "dance", seq=77) == "not_a_player"


def test_an_action_for_an_older_or_a_future_state_is_stale():
    state = played("5 c3")
    assert [code(state, 2, "give", "6", seq=seq) for seq in (1, 2, 3, -1)] == [
        "stale",
        None,
        "stale",
        "stale",
    ]


def test_the_action_that_made_the_state_is_a_repeat():
    first = act(played("5"), 2, "place", "c3", seq=1)
    again = act(first.state, 2, "place", "c3", seq=1)
    assert (again.code, again.repeat, again.accepted) == ("repeat", True, False)
    assert again.state is first.state


@pytest.mark.parametrize("line", ["a4-d1", "d1-a4", "D1-A4"])
def test_a_repeat_is_recognised_in_any_spelling(line):
    state = played(LINE, started(claims="void"))
    claimed = act(state, 1, "claim", "a4-d1", seq=8).state
    assert code(claimed, 1, "claim", line, seq=8) == "repeat"


@pytest.mark.parametrize(
    ("seat", "do", "argument", "seq"),
    [
        (1, "place", "c3", 1),
        (2, "place", "c2", 1),
        (2, "give", "c3", 1),
        (2, "place", "c3", 0),
        (2, "place", "C9", 1),
    ],
)
def test_what_differs_from_the_last_action_is_stale_and_no_repeat(seat, do, argument, seq):
    state = act(played("5"), 2, "place", "c3", seq=1).state
    assert code(state, seat, do, argument, seq=seq) == "stale"


def test_an_action_is_no_repeat_once_something_else_has_changed_the_state():
    state = act(played("5"), 2, "place", "c3", seq=1).state
    assert code(pause(state, 0, "a lamp fell"), 2, "place", "c3", seq=1) == "stale"


def test_a_repeat_is_recognised_when_the_game_is_over():
    state = act(played(LINE), 1, "claim", "a1-d1", seq=8).state
    assert state.status == "over"
    assert code(state, 1, "claim", "a1-d1", seq=8) == "repeat"
    assert code(state, 1, "claim", "a1-d1") == "game_over"


def test_an_action_that_was_sent_before_a_window_lapsed_can_be_repeated():
    end = played(FULL)
    claimed = act(end, 2, "claim", "a2-d2", seq=32, at_ms=80_000)
    assert claimed.state.termination == "quarto-opponent"
    assert code(claimed.state, 2, "claim", "a2-d2", seq=32, at_ms=80_000) == "repeat"


def test_time_is_asked_before_the_action():
    late = act(played("5"), 2, "place", "c3", seq=1, at_ms=60_001)
    assert (late.code, late.state.result, late.state.termination) == ("game_over", "1-0", "time")
    assert late.state.record.split()[-1] == "T2"


def test_an_action_in_a_paused_game_is_refused_whatever_it_is():
    state = pause(played("5"), 0, "a lamp fell")
    for do in ("place", "claim", "resign", "flag", "offer_draw", "dance"):
        assert code(state, 2, do) == "paused"
        assert code(state, 1, do) == "paused"


@pytest.mark.parametrize("do", ["dance", "", None, 5, [], {"do": "give"}, "Give", "__class__"])
def test_an_unknown_action_is_a_bad_request(do):
    state = played("5")
    judgement = judge(state, 2, Action(do), seq=1, at_ms=0)
    assert (judgement.code, judgement.state) == ("bad_request", state)


@pytest.mark.parametrize(
    ("moves", "seat", "do", "argument", "expected"),
    [
        ("", 2, "give", "5", "not_your_turn"),
        ("", 2, "place", "a1", "not_your_turn"),
        ("", 1, "place", "a1", "wrong_phase"),
        ("", 1, "place", "z9", "wrong_phase"),
        ("", 1, "give", "G", "bad_request"),
        ("", 1, "give", None, "bad_request"),
        ("", 1, "give", ["5"], "bad_request"),
        ("", 1, "pass", None, "wrong_phase"),
        ("", 2, "pass", None, "not_your_turn"),
        ("5", 1, "give", "6", "not_your_turn"),
        ("5", 2, "give", "6", "wrong_phase"),
        ("5", 2, "give", "Z", "wrong_phase"),
        ("5", 2, "place", "e1", "bad_request"),
        ("5", 2, "place", {}, "bad_request"),
        ("7 b3", 2, "give", "7", "piece_taken"),
        ("7 b3 8", 1, "place", "b3", "square_taken"),
        ("5", 2, "claim", "a1-d1", "no_window"),
        ("5", 2, "claim", None, "no_window"),
        ("5 a1", 1, "claim", "a1-d1", "no_window"),
        ("5 a1 6", 2, "claim", "a1-d1", "no_window"),
        ("5 a1", 2, "claim", None, "line_required"),
        ("5 a1", 2, "claim", "", "line_required"),
        ("5 a1", 2, "claim", "row 1", "bad_request"),
        ("5 a1", 2, "claim", "a1-a1", "bad_request"),
        ("5 a1", 2, "claim", 5, "bad_request"),
        ("5 a1", 2, "claim", ["a1", "d1"], "bad_request"),
        ("5", 1, "flag", None, "flag_not_down"),
        ("5", 2, "flag", None, "flag_not_down"),
        (FULL, 2, "pass", None, "not_your_turn"),
        (FULL, 1, "give", "5", "wrong_phase"),
    ],
)
def test_the_first_check_that_fails_gives_the_code_and_nothing_changes(moves, seat, do, argument, expected):
    state = played(moves)
    judgement = act(state, seat, do, argument)
    assert judgement.code == expected
    assert judgement.state is state


def test_every_refusal_has_its_code_and_a_message():
    for refusal_code, refusal in REFUSALS.items():
        assert refusal.code == refusal_code
        assert refusal.__doc__.endswith(".")


def test_a_claim_by_the_placer_wins_at_once():
    state = act(played(LINE), 1, "claim", "d1-a1", at_ms=900).state
    assert (state.result, state.termination, state.win_lines) == ("1-0", "quarto-placer", ("a1-d1",))
    assert state.record.endswith(" Q1(a1-d1)!{0.900}")
    assert write_position(state.position) == "..../..../..../1359 - - X d1 - L:F"


def test_a_missed_line_is_the_opponents_until_he_places():
    given = played(f"{LINE} 0")
    state = act(given, 2, "claim", "a1-d1").state
    assert (state.result, state.termination) == ("0-1", "quarto-opponent")
    dead = played("a4 2", given)
    assert act(dead, 1, "claim", "a1-d1").state.termination == "false-claim"


def test_citing_one_of_several_lines_names_them_all():
    state = act(played("1 a1 3 b1 5 c1 9 d4 B d3 D d2 7 d1"), 2, "claim", "d4-d1").state
    assert state.win_lines == ("a1-d1", "d1-d4")


@pytest.mark.parametrize(
    ("line", "token"),
    [("a1-a4", "Q1(a1-a4)?"), ("a1-c2", "Q1(a1-c2)?"), ("c2-b3", "Q1(b2-c3)?"), ("d4-a1", "Q1(a1-d4)?")],
)
def test_a_false_claim_loses_where_the_policy_says_so(line, token):
    state = act(played(LINE), 1, "claim", line, at_ms=1_000).state
    assert (state.result, state.termination, state.win_lines) == ("0-1", "false-claim", ())
    assert state.record.endswith(f" {token}{{1.000}}")
    assert state.position.closed == ()


def test_a_void_claim_closes_the_window_of_its_claimant_alone():
    state = act(played(LINE, started(claims="void")), 1, "claim", "a1-a4").state
    assert (state.status, state.position.phase, state.position.closed) == ("live", "give", (1,))
    assert code(state, 1, "claim", "a1-d1") == "no_window"
    given = act(state, 1, "give", "0").state
    assert act(given, 2, "claim", "a1-d1").state.termination == "quarto-opponent"


def test_a_void_claim_in_an_end_window_leaves_the_pass_to_be_made():
    state = act(played(FULL, started(claims="void")), 1, "claim", "a1-d1").state
    assert (state.position.phase, state.position.to_act) == ("end", 1)
    assert code(state, 1, "claim", "a2-d2") == "no_window"
    replied = act(act(state, 1, "pass").state, 2, "claim", "a1-d1").state
    assert (replied.position.phase, replied.position.closed) == ("reply", (1, 2))
    assert act(replied, 2, "pass").state.termination == "board-full"


def test_the_last_strike_of_a_player_loses():
    state = act(played("5 a1", started(claims="strikes=2")), 2, "claim", "a1-d1").state
    state = act(played("6 b1", state), 1, "claim", "a1-d1").state
    assert (state.false_claims, state.status) == ((1, 1), "live")
    state = act(played("7 c1", state), 2, "claim", "a1-d1").state
    assert (state.result, state.termination, state.false_claims) == ("1-0", "false-claim", (1, 2))


def test_the_board_full_and_both_windows_passed_is_a_draw_line_or_no_line():
    state = act(act(played(FULL), 1, "pass", at_ms=1_000).state, 2, "pass", at_ms=3_500).state
    assert (state.result, state.termination, state.win_lines) == ("1/2-1/2", "board-full", ())
    assert state.record.endswith(" b2{0.000} --{1.000} --{2.500}")


@pytest.mark.parametrize(
    ("seat", "token", "result"), [(2, "R2{3.000}", "1-0"), (1, "R1", "0-1")], ids=["to act", "not to act"]
)
def test_either_seat_may_resign_and_who_is_to_act_pays_his_time(seat, token, result):
    state = act(played("5"), seat, "resign", at_ms=3_000).state
    assert (state.result, state.termination) == (result, "resign")
    assert state.record.split()[-1] == token


def test_a_draw_is_offered_and_accepted_without_touching_turn_or_clock():
    before = played("5")
    offered = act(before, 2, "offer_draw", at_ms=9_000).state
    assert (offered.offer, offered.seq, offered.clock) == (2, before.seq + 1, before.clock)
    assert offered.position == before.position
    agreed = act(offered, 1, "accept_draw", at_ms=11_000).state
    assert (agreed.result, agreed.termination, agreed.offer) == ("1/2-1/2", "agreement", None)
    assert agreed.record.endswith("{0.000} D2? =")


def test_a_draw_offer_is_declined():
    offered = act(played("5"), 2, "offer_draw").state
    declined = act(offered, 1, "decline_draw", at_ms=5_000).state
    assert (declined.offer, declined.record.split()[-1]) == (None, "D1-")
    assert declined.clock == offered.clock


def test_a_draw_offer_stands_until_the_next_other_action_of_the_opponent():
    offered = act(played("5 a1"), 2, "offer_draw").state
    given = act(offered, 2, "give", "6").state
    assert given.offer == 2
    assert act(given, 1, "place", "b1").state.offer is None
    assert act(act(given, 1, "offer_draw").state, 2, "accept_draw").state.termination == "agreement"
    assert act(given, 1, "offer_draw").state.offer == 1


@pytest.mark.parametrize(
    ("seat", "do", "expected"),
    [
        (1, "offer_draw", "not_your_turn"),
        (2, "accept_draw", "wrong_phase"),
        (1, "decline_draw", "wrong_phase"),
    ],
)
def test_draw_actions_without_an_offer(seat, do, expected):
    assert code(played("5"), seat, do) == expected


@pytest.mark.parametrize(
    ("do", "expected"),
    [("offer_draw", "wrong_phase"), ("accept_draw", "not_your_turn"), ("decline_draw", "not_your_turn")],
)
def test_draw_actions_of_the_one_whose_offer_stands(do, expected):
    assert code(act(played("5"), 2, "offer_draw").state, 2, do) == expected


def test_draw_offers_end_with_the_last_placement():
    assert code(played(FULL), 1, "offer_draw") == "wrong_phase"


@pytest.mark.parametrize("do", ["offer_draw", "accept_draw", "decline_draw"])
@pytest.mark.parametrize("seat", [1, 2])
def test_draw_offers_can_be_off(seat, do):
    assert code(played("5", started(draws_allowed=False)), seat, do) == "not_allowed"


def test_exactly_at_the_limit_is_in_time_and_so_is_the_grace():
    state = played("5", started(grace_ms=500))
    assert act(state, 2, "place", "c3", at_ms=60_000).accepted
    assert act(state, 2, "place", "c3", at_ms=60_500).accepted
    assert code(state, 2, "place", "c3", at_ms=60_501) == "game_over"


def test_the_flag_and_the_sweep_decide_as_an_action_does():
    state = played("5", started(grace_ms=500))
    assert settle(state, at_ms=60_500) is state
    assert code(state, 1, "flag", at_ms=60_500) == "flag_not_down"
    flagged = act(state, 1, "flag", at_ms=60_501, seq=1)
    assert flagged.accepted
    assert flagged.state._replace(last_action=None) == settle(state, at_ms=60_501)
    assert code(flagged.state, 1, "flag", at_ms=60_600, seq=1) == "repeat"


def test_ones_own_flag_and_a_flag_after_the_end_are_game_over():
    state = played("5")
    assert code(state, 2, "flag", at_ms=60_001) == "game_over"
    assert code(settle(state, at_ms=60_001), 1, "flag", at_ms=60_002) == "game_over"


def test_a_flag_on_an_end_window_makes_it_a_pass():
    judgement = act(played(FULL), 2, "flag", at_ms=60_001)
    assert judgement.accepted
    assert (judgement.state.position.phase, judgement.state.position.to_act) == ("reply", 2)


def test_who_completed_a_line_and_ran_out_of_time_has_lost():
    state = settle(played(LINE), at_ms=60_001)
    assert (state.result, state.termination) == ("0-1", "time")


@pytest.mark.parametrize(
    ("end", "counts"),
    [
        (lambda: act(played("5 a1"), 2, "resign").state, True),
        (lambda: act(played("5"), 2, "resign").state, True),
        (lambda: act(played("5"), 1, "resign").state, False),
        (lambda: settle(played("5"), at_ms=60_001), False),
        (lambda: settle(played("5 a1"), at_ms=60_001), True),
        (lambda: settle(started(), at_ms=30_001), False),
        (lambda: act(played(LINE), 1, "claim", "a1-d1").state, True),
        (lambda: played(LINE), False),
    ],
)
def test_a_game_is_rated_when_both_have_acted_and_play_decided_it(end, counts):
    assert rated(end()) is counts
