from decimal import Decimal

import pytest

from games.errors import NoSuchGame
from games.models import Game
from games.rules import IllegalAction
from games.services.games import (
    BadTerms,
    Terms,
    add_time,
    adjudicate,
    check_terms,
    new_game,
    new_games,
    pause,
    resume,
    start_games,
)
from ratings.models import Player, Rating, RatingChange
from tests.games.tables import EVENT, fresh, start


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        (Terms(rules="L:0"), "rules"),
        (Terms(rules="X:F"), "rules"),
        (Terms(rules="L"), "rules"),
        (Terms(claims="win"), "claims"),
        (Terms(claims="strikes=0"), "claims"),
        (Terms(control=""), "control"),
        (Terms(control="turn=0"), "control"),
        (Terms(control="turn=1e9"), "control"),
        (Terms(rules="L:7", rated=True), "rated"),
        (Terms(grace_ms=-1), "grace_ms"),
        (Terms(grace_ms=2_001), "grace_ms"),
        (Terms(no_show_ms=0), "no_show_s"),
        (Terms(no_show_ms=3_600_001), "no_show_s"),
    ],
    ids=lambda value: str(value)[:70],
)
def test_terms_that_are_none_are_refused_with_their_field(terms, field):
    with pytest.raises(BadTerms) as refused:
        check_terms(terms)
    assert (refused.value.field, refused.value.code) == (field, "bad_request")
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("claims", ["lose", "void", "strikes=2", "strikes=9"])
@pytest.mark.parametrize("control", ["turn=60", "bank=450", "bank=180 inc=5", "turn=30 bank=120"])
def test_terms_of_every_kind_are_taken(claims, control):
    terms = Terms(rules="LS:F", claims=claims, control=control, rated=True, grace_ms=0, no_show_ms=120_000)
    assert check_terms(terms) == terms


def test_terms_become_canonical():
    assert check_terms(Terms(control="turn=30.50")).control == "turn=30.5"


def test_a_new_game_waits_for_its_first_piece_and_keeps_the_ratings_of_the_moment(ann, ben):
    Rating.objects.create(player=ben, pool="LS", rating=Decimal("1711.50"), games=40)
    Rating.objects.create(player=ann, pool="L", rating=Decimal(1900), games=40)
    game = new_game(seat1=ann, seat2=ben, terms=Terms(rules="LS:F", no_show_ms=90_000), event=EVENT)
    start_games([game])
    row = fresh(game)
    assert (row.status, row.seq, row.record, row.result) == ("waiting", 0, "", None)
    assert row.deadline_ms == row.created_ms + 90_000
    assert (row.seat1_rating, row.seat1_provisional) == (1500, True)
    assert (row.seat2_rating, row.seat2_provisional) == (1712, False)
    assert row.event == EVENT


def test_who_has_lost_until_his_rating_is_below_zero_still_finds_a_game(ann, ben):
    Rating.objects.create(player=ann, pool="L", rating=Decimal("-12.40"), games=900)
    assert fresh(start(ann, ben)).seat1_rating == -12


def test_a_round_of_games_takes_as_many_statements_as_one(db, django_assert_num_queries):
    players = [
        Player.objects.create(username=f"player{n}", name=f"Player {n}", name_key=f"player{n}")
        for n in range(40)
    ]
    seatings = [(one, two, EVENT) for one, two in zip(players[::2], players[1::2], strict=True)]
    with django_assert_num_queries(1):
        games = new_games(seatings, Terms())
    with django_assert_num_queries(2):  # whether there is maintenance, and the games
        start_games(games)
    assert Game.objects.count() == 20


def test_both_players_are_called_to_the_board_after_the_commit(
    ann, ben, ears, django_capture_on_commit_callbacks
):
    heard = [ears.to(f"player:{player.pk}") for player in (ann, ben)]
    with django_capture_on_commit_callbacks() as callbacks:
        game = new_game(seat1=ann, seat2=ben, terms=Terms(), event=EVENT)
        start_games([game])
    assert [ear.hear().frames for ear in heard] == [[], []]
    for callback in callbacks:
        callback()
    frame = {"type": "game_start", "game": game.pk, "event": EVENT}
    assert [ear.hear().frames for ear in heard] == [[frame], [frame]]


def test_a_pause_holds_the_clock_and_resuming_gives_it_back(ann, ben):
    game = start(ann, ben, "5 a1")
    pause(game_ids=[game.pk], reason="a lamp fell")
    held = fresh(game)
    assert (held.status, held.deadline_ms, held.pause_reason) == ("paused", None, "a lamp fell")
    resume(game_ids=[game.pk])
    row = fresh(game)
    assert (row.status, row.paused_ms, row.pause_reason) == ("live", None, "")
    assert row.deadline_ms >= game.deadline_ms
    assert row.record.endswith("{arbiter: pause} {arbiter: resume}")


def test_a_game_that_is_held_cannot_be_held_again_nor_one_that_runs_resumed(ann, ben):
    game = start(ann, ben, "5")
    with pytest.raises(IllegalAction) as refused:
        resume(game_ids=[game.pk])
    assert refused.value.code == "not_paused"
    pause(game_ids=[game.pk], reason="")
    with pytest.raises(IllegalAction) as refused:
        pause(game_ids=[game.pk], reason="")
    assert refused.value.code == "paused"


def test_time_is_added_to_a_seat(ann, ben):
    game = start(ann, ben, "5", control="bank=450")
    add_time(game_id=game.pk, seat=2, ms=30_000)
    row = fresh(game)
    assert (row.bank1_ms, row.bank2_ms) == (450_000, 480_000)
    assert row.deadline_ms == game.deadline_ms + 30_000
    assert row.record.endswith("{arbiter: seat 2 +30.000}")


@pytest.mark.parametrize(("seat", "ms"), [(3, 1_000), (1, 0), (1, -1), (1, 10**12)])
def test_time_that_is_none_is_not_added(ann, ben, seat, ms):
    game = start(ann, ben, "5")
    with pytest.raises(IllegalAction):
        add_time(game_id=game.pk, seat=seat, ms=ms)
    assert fresh(game).seq == game.seq


def test_an_adjudicated_game_is_over_and_not_rated(ann, ben):
    game = start(ann, ben, "5 a1", rated=True)
    adjudicate(game_id=game.pk, result="1/2-1/2")
    row = fresh(game)
    assert (row.status, row.result, row.termination) == ("over", "1/2-1/2", "adjudication")
    assert not RatingChange.objects.exists()
    with pytest.raises(IllegalAction):
        adjudicate(game_id=game.pk, result="1-0")


@pytest.mark.parametrize("result", ["*", "", "2-0", None, "1-0F"])
def test_a_result_that_is_none_ends_no_game(ann, ben, result):
    game = start(ann, ben, "5")
    with pytest.raises(IllegalAction):
        adjudicate(game_id=game.pk, result=result)
    assert fresh(game).status == "live"


@pytest.mark.parametrize(
    "intervention",
    [
        lambda: pause(game_ids=["nope"], reason=""),
        lambda: resume(game_ids=["nope"]),
        lambda: add_time(game_id="nope", seat=1, ms=1_000),
        lambda: adjudicate(game_id="nope", result="1-0"),
    ],
)
def test_nothing_is_done_to_a_game_that_is_none(db, intervention):
    with pytest.raises(NoSuchGame):
        intervention()
