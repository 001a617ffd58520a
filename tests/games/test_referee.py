import json

from games.referee import (
    UNAVAILABLE,
    Command,
    judge_batch,
)
from games.servertime import now_ms
from tests.games.played import FULL
from tests.games.tables import command, deadline_passed, fresh, rule, start

PATIENCE_S = 20
COME = Command("nope", None, None, 0, 0, lambda ruling: None)


# --- one batch ---


def test_a_batch_is_judged_in_the_order_of_its_commands(ann, ben, cleo):
    game = start(ann, ben)
    assert rule(
        command(game, ann, "give", piece="5"),
        command(game, ann, "give", piece="6"),
        command(game, ben, "place", 1, square="a1"),
        command(game, ben, "place", 1, square="a1"),
        command(game, cleo, "resign", 2),
        command(game, None, "resign", 2),
    ) == [(None, 1), ("stale", 1), (None, 2), (None, 2), ("not_a_player", 2), ("not_a_player", 2)]
    assert fresh(game).record == "1.@5{0.000} a1{0.000}"


def test_a_batch_on_many_games_takes_few_statements(ann, ben, django_assert_max_num_queries):
    games = [start(ann, ben) for _board in range(20)]
    commands = [command(game, ann, "give", piece="5") for game in games]
    with django_assert_max_num_queries(4):  # the transaction, one read, one write
        assert rule(*commands) == [(None, 1)] * 20


def test_each_change_is_told_in_its_order(ann, ben):
    game = start(ann, ben)
    commands = [command(game, ann, "give", piece="5"), command(game, ben, "place", 1, square="a1")]
    _rulings, updates = judge_batch(commands)
    assert [(update.game_id, update.seq) for update in updates] == [(game.pk, 1), (game.pk, 2)]


def test_a_frame_that_was_not_understood_is_a_bad_request_with_the_state(ann, ben):
    game = start(ann, ben, "5")
    [ruling], updates = judge_batch([Command(game.pk, ann.pk, None, 0, 0, lambda ruling: None)])
    assert (ruling.code, ruling.seq, json.loads(ruling.state)["seq"], updates) == ("bad_request", 1, 1, [])


def test_a_game_that_is_none_is_not_found(ann, ben):
    game = start(ann, ben)
    nowhere = Command("nope", ann.pk, None, 0, 0, lambda ruling: None)
    assert rule(nowhere, command(game, ann, "give", piece="5")) == [("not_found", None), (None, 1)]


def test_a_refusal_is_a_reply_with_the_state_in_it(ann, ben):
    game = start(ann, ben)
    [ruling], _updates = judge_batch([command(game, ben, "give", piece="5")])
    reply = json.loads(ruling.reply("c-1"))
    assert (reply["id"], reply["ok"], reply["code"], reply["seq"]) == ("c-1", False, "not_your_turn", 0)
    assert reply["state"] == json.loads(ruling.state)
    assert json.loads(UNAVAILABLE.reply(None)) | {"detail": ""} == {
        "type": "reply", "id": None, "ok": False, "seq": None, "code": "unavailable", "detail": "",
    }  # fmt: skip


# --- time ---


def test_an_action_counts_from_its_receipt_however_late_it_is_judged(ann, ben):
    game = start(ann, ben, "5", control="turn=60")
    in_time = deadline_passed(game, 0)
    assert in_time < now_ms() + 61_000
    assert rule(command(game, ben, "place", at_ms=in_time, square="a1")) == [(None, 2)]


def test_an_action_after_the_grace_finds_the_game_lost(ann, ben):
    game = start(ann, ben, "5", rated=True)
    assert rule(command(game, ben, "place", at_ms=deadline_passed(game, 1), square="a1")) == [
        ("game_over", 2)
    ]
    assert (fresh(game).termination, fresh(game).result) == ("time", "1-0")


def test_a_flag_is_accepted_once_the_grace_is_over(ann, ben):
    game = start(ann, ben, "5")
    assert rule(command(game, ann, "flag", at_ms=deadline_passed(game, 0))) == [("flag_not_down", 1)]
    flag = command(game, ann, "flag", at_ms=deadline_passed(game, 1))
    assert rule(flag, flag) == [(None, 2), (None, 2)]
    assert fresh(game).termination == "time"


def test_an_action_in_whose_judging_time_moved_the_state_is_still_a_repeat_when_sent_again(ann, ben):
    """Seat 1 was silent in his window; seat 2 claims having seen the state before that pass."""
    game = start(ann, ben, FULL, claims="void")
    claim = command(game, ben, "claim", at_ms=deadline_passed(game, 1), line="a1-d1")
    assert rule(claim, claim) == [(None, claim.seq + 2), (None, claim.seq + 2)]
    assert rule(claim) == [(None, claim.seq + 2)]
    assert fresh(game).record.endswith("Q2(a1-d1)?{0.001}")


def test_a_winning_claim_after_a_silent_pass_is_a_repeat_as_well(ann, ben):
    game = start(ann, ben, FULL)
    claim = command(game, ben, "claim", at_ms=deadline_passed(game, 1), line="a2-d2")
    assert rule(claim) == [(None, claim.seq + 2)]
    assert rule(claim) == [(None, claim.seq + 2)]
    assert fresh(game).result == "0-1"
