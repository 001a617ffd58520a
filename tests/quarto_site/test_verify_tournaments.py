from collections import Counter

import pytest
from django.utils.timezone import now

from games.models import Game
from quarto_site import verification
from ratings.models import Player, Rating
from tests.tournaments.evening import (
    actor,
    enter_players,
    open_tournament,
    pair_and_start,
    person,
    play_round,
    resign,
)
from tournaments.models import Board, Entry, Participation, Round, Tournament
from tournaments.services import entries, results

pytestmark = pytest.mark.django_db


def verified():
    """The differences, and the counts that are not nought."""
    counts = Counter()
    found = list(verification.differences(counts))
    return found, {what: number for what, number in counts.items() if number}


def differences():
    return verified()[0]


def board(round_number=1, number=1):
    return Board.objects.select_related("game__seat1", "starter", "second", "round").get(
        round__number=round_number, number=number
    )


@pytest.fixture
def ann():
    """The organiser."""
    return person("Ann")


@pytest.fixture
def finished(ann):
    """A finished Swiss over the board: five players, three rounds."""
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 5)
    for _round in range(3):
        play_round(tournament, ann, ("1-0", "1/2-1/2"))
    tournament.refresh_from_db()
    assert tournament.status == "complete"
    return tournament


@pytest.fixture
def live(ann):
    """Two games of a round that is running; that of board 1 was won by its starter."""
    tournament = open_tournament(ann, over_the_board=False, rounds=2)
    for player in (ann, person("Ben"), person("Cleo"), person("Dora")):
        entries.enter(actor=actor(player), slug=tournament.slug)
    pair_and_start(tournament, ann)
    resign(board().game, board().second.player)
    return tournament


def test_a_finished_swiss_agrees(finished):
    assert verified() == ([], {"tournaments": 1, "boards": 6, "final tables": 1})


def test_a_running_round_with_a_finished_game_agrees(live):
    assert verified() == (
        [],
        {"games": 2, "rating changes": 2, "ratings": 2, "rated games": 1, "tournaments": 1, "boards": 2},
    )


@pytest.mark.parametrize("rounds_before", [0, 2])
def test_a_round_robin_that_somebody_left_agrees(ann, rounds_before):
    tournament = open_tournament(ann, format="round_robin")
    entered = enter_players(tournament, ann, 5)
    for number in range(5):
        if number == max(rounds_before, 1):
            entries.withdraw(actor=actor(ann), slug=tournament.slug, entry_id=entered[2].pk)
        play_round(tournament, ann, ("1-0", "0-1", "1/2-1/2", "0-0F"))
    assert verified()[0] == []
    assert verified()[1]["final tables"] == 1


def test_a_result_of_the_arbiter_may_differ_from_the_game(live, ann):
    results.enter_result(
        actor=actor(ann), slug=live.slug, round_number=1, board_number=1, result="0-1", reason="wrong seats"
    )
    assert differences() == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"result": "0-1"}, "result 0-1, by game {game} 1-0"),
        ({"result": None}, "result None, by game {game} 1-0"),
    ],
)
def test_a_changed_result_is_told(live, changed, said):
    Board.objects.filter(pk=board().pk).update(**changed)
    said = said.format(game=board().game.pk)
    assert differences() == [f"tournament thursday: round 1, board 1: {said}"]


def test_a_result_of_a_game_that_is_not_over_is_told(live):
    Board.objects.filter(pk=board(1, 2).pk).update(result="1-0")
    game = board(1, 2).game
    assert differences() == [f"tournament thursday: round 1, board 2: result 1-0, by game {game.pk} None"]


def test_a_game_of_other_players_is_told(live):
    first, second = board(1, 1), board(1, 2)
    Game.objects.filter(pk=second.game.pk).update(seat2=first.game.seat1)
    assert differences() == [
        f"tournament thursday: round 1, board 2: game {second.game.pk} is of other players"
    ]


def test_a_game_of_another_board_is_told(live):
    game = board(1, 2).game
    Game.objects.filter(pk=game.pk).update(event=game.event | {"board": 7})
    assert differences() == [
        f"tournament thursday: round 1, board 2: game {game.pk} was begun for another board"
    ]


def test_a_game_of_an_event_without_a_board_is_told(live):
    game = board(1, 2).game
    Board.objects.filter(number=2).update(game=None)
    assert differences() == [f"game {game.pk}: it belongs to an event and to no board"]


def test_a_missing_record_is_told(finished):
    record = Participation.objects.filter(round__number=2, kind="pairing_bye").get()
    record.delete()
    assert differences() == [f"tournament thursday: round 2: entry {record.entry_id} has no record"]


def test_a_record_of_another_seat_is_told(finished):
    seats = Participation.objects.filter(board=board())
    first, second = seats.get(seat=1), seats.get(seat=2)
    seats.filter(pk=first.pk).delete()
    seats.filter(pk=second.pk).update(seat=1)
    assert set(differences()) == {
        f"tournament thursday: round 1: entry {first.entry_id} has no record",
        f"tournament thursday: round 1: entry {second.entry_id} does not sit at his board",
        f"tournament thursday: entry {second.entry_id} sits at a board without a record of it",
    }


def test_a_board_of_another_pairing_is_told(finished):
    other = Entry.objects.exclude(pk__in=[board().starter_id, board().second_id]).exclude(
        boards_as_second__round__number=1
    )
    before = board().second_id
    Board.objects.filter(pk=board().pk).update(second=other[0])
    assert differences() == [f"tournament thursday: round 1: entry {before} does not sit at his board"]


def test_an_open_board_in_a_complete_round_is_told(finished):
    Board.objects.filter(pk=board(2).pk).update(result=None)
    assert differences() == ["tournament thursday: round 2, board 1: it has no result in a complete round"]


@pytest.mark.parametrize(
    ("number", "changed", "said"),
    [
        (2, {"number": 7}, ["its rounds are numbered 1, 3, 7"]),
        (
            1,
            {"status": "running"},
            [
                "round 2 has begun and round 1 is not complete",
                "it is finished after 0 complete rounds of 3",
            ],
        ),
        (3, {"status": "running"}, ["it is finished after 2 complete rounds of 3"]),
    ],
)
def test_a_changed_round_is_told(finished, number, changed, said):
    Round.objects.filter(number=number).update(**changed)
    found = differences()
    assert [f"tournament thursday: {words}" for words in said] == found[: len(said)]


def test_a_tournament_that_is_finished_too_early_is_told(finished):
    Tournament.objects.update(rounds=4)
    assert differences() == ["tournament thursday: it is finished after 3 complete rounds of 4"]


def test_a_draft_is_nobodys_record_yet(ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    play_round(tournament, ann)
    round_ = Round.objects.create(tournament=tournament, number=2)
    assert round_.status == "draft"
    assert differences() == []


def test_ratings_of_others_are_none_of_its_business(finished):
    player = Player.objects.create(username="emil", name="Emil")
    Rating.objects.create(player=player, pool="L", rating=1500)
    Tournament.objects.update(finished_at=now())
    assert differences() == []
