import threading

import pytest
from django.db import connections

from games.errors import NoSuchGame
from games.models import Challenge, Game
from games.queries.challenges import OPEN_FOR
from games.services.challenges import NoRematch, NotAPlayer, decline, rematch
from games.services.games import Terms, new_game, start_games
from ratings.services import guest_player
from tests.games.seats import age, finished, person, seats


def test_a_rematch_is_offered_by_one_and_accepted_by_the_other_with_seats_swapped(ann, ben):
    first = finished(ann, ben, rules="OS:7", claims="void", control="bank=60", draws_allowed=True)
    offer = rematch(game_id=first.pk, player=ann)
    assert (offer.challenger, offer.opponent, offer.state, offer.game, offer.rematch_of) == (
        ann,
        ben,
        "open",
        None,
        first,
    )
    answer = rematch(game_id=first.pk, player=ben)
    assert answer.pk == offer.pk
    game = answer.game
    assert seats(game) == (ben, ann)
    assert (game.rules, game.claims, game.control, game.rated, game.draws_allowed) == (
        "OS:7", "void", "bank=60", False, True,
    )  # fmt: skip


def test_offering_a_rematch_again_changes_nothing(ann, ben):
    first = finished(ann, ben)
    offers = {rematch(game_id=first.pk, player=ann).pk for _time in range(3)}
    assert len(offers) == Challenge.objects.count() == 1
    game = rematch(game_id=first.pk, player=ben).game
    assert {rematch(game_id=first.pk, player=one).game for one in (ann, ben)} == {game}
    assert Game.objects.count() == 2


def test_a_rematch_swaps_the_seats_of_its_own_game(ann, ben):
    first = finished(ann, ben)
    finished(ben, ann)
    rematch(game_id=first.pk, player=ben)
    assert seats(rematch(game_id=first.pk, player=ann).game) == (ben, ann)


def test_a_declined_or_lapsed_rematch_may_be_offered_again(ann, ben):
    first = finished(ann, ben)
    decline(challenge_id=rematch(game_id=first.pk, player=ann).pk, player=ben)
    second = rematch(game_id=first.pk, player=ben)
    age(second, OPEN_FOR)
    third = rematch(game_id=first.pk, player=ann)
    assert (third.challenger, third.state) == (ann, "open")
    second.refresh_from_db()
    assert second.state == "cancelled"


def test_a_rematch_follows_a_finished_game_outside_tournaments_only(ann, ben):
    running = new_game(seat1=ann, seat2=ben, terms=Terms())
    start_games([running])
    board = finished(ann, ben, event={"slug": "x", "name": "X", "round": 1, "board": 1})
    with_a_guest = finished(ann, guest_player("Dora"))
    for game in (running, board, with_a_guest):
        with pytest.raises(NoRematch):
            rematch(game_id=game.pk, player=ann)


def test_a_rematch_is_for_those_who_played(ann, ben, cleo):
    first = finished(ann, ben)
    with pytest.raises(NotAPlayer):
        rematch(game_id=first.pk, player=cleo)
    with pytest.raises(NoSuchGame):
        rematch(game_id="nothing", player=ann)


@pytest.mark.django_db(transaction=True)
def test_two_who_want_a_rematch_at_once_get_one():
    players = [person("Ann"), person("Ben")]
    first = finished(*players)
    barrier = threading.Barrier(2)

    def want(player):
        barrier.wait()
        rematch(game_id=first.pk, player=player)
        connections.close_all()

    threads = [threading.Thread(target=want, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [made.state for made in Challenge.objects.all()] == ["accepted"]
    assert Game.objects.count() == 2
