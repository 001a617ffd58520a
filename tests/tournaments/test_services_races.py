"""Two organisers at once. Real threads on real connections: whatever the order, one outcome."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from games.models import Game
from tests.tournaments.evening import actor, enter_players, open_tournament, pair_and_start, person, resign
from tournaments import closing
from tournaments.models import Board, Entry, Participation, Round
from tournaments.services import entries, pairings, rounds
from tournaments.services.entries import AlreadyEntered

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Runs all calls in threads that begin together; returns results or exceptions in order."""
    gate, outcomes = threading.Barrier(len(calls)), [None] * len(calls)

    def run(index: int, call: Callable[[], Any]) -> None:
        gate.wait()
        try:
            outcomes[index] = call()
        except Exception as error:
            outcomes[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_two_organisers_pair_at_once_and_get_the_same_draft():
    ann = person("Ann")
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 9)

    def pair() -> tuple[Round, bool]:
        return pairings.pair_next(actor=actor(ann), slug=tournament.slug)

    outcomes = at_once(pair, pair, pair)
    assert sorted(made for _round, made in outcomes) == [False, False, True]
    assert {round_.pk for round_, _made in outcomes} == {Round.objects.get().pk}
    assert Board.objects.count() == 4
    assert Participation.objects.count() == 9


def test_two_organisers_start_at_once_and_every_board_gets_one_game():
    ann = person("Ann")
    tournament = open_tournament(ann, over_the_board=False, rounds=3)
    for name in ("Ben", "Cleo", "Dora", "Emil"):
        entries.enter(actor=actor(person(name)), slug=tournament.slug)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)

    def start() -> Round:
        return rounds.start(actor=actor(ann), slug=tournament.slug, number=1)

    outcomes = at_once(start, start, start)
    assert [round_.status for round_ in outcomes] == [Round.Status.RUNNING] * 3
    assert Game.objects.count() == Board.objects.exclude(game=None).count() == 2


def test_entering_twice_at_once_makes_one_entry():
    ann, ben = person("Ann"), person("Ben")
    tournament = open_tournament(ann)

    def enter() -> Entry:
        return entries.enter(actor=actor(ben), slug=tournament.slug)

    outcomes = at_once(enter, enter)
    assert Entry.objects.count() == 1
    assert sorted(type(outcome) for outcome in outcomes if isinstance(outcome, Exception)) == [AlreadyEntered]


def test_two_games_that_end_together_close_the_round_once():
    ann = person("Ann")
    tournament = open_tournament(ann, over_the_board=False, rounds=1)
    for name in ("Ben", "Cleo", "Dora", "Emil"):
        entries.enter(actor=actor(person(name)), slug=tournament.slug)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    rounds.start(actor=actor(ann), slug=tournament.slug, number=1)
    games = list(Game.objects.select_related("seat1", "seat2"))
    assert at_once(*[lambda game=game: resign(game, game.seat1) for game in games]) == [None, None]
    closing.wait()
    tournament.refresh_from_db()
    assert tournament.status == "complete"
    assert sorted(Board.objects.values_list("result", flat=True)) == ["0-1", "0-1"]


def test_a_server_that_starts_closes_what_another_left_open():
    ann = person("Ann")
    tournament = open_tournament(ann, rounds=1)
    enter_players(tournament, ann, 4)
    round_ = pair_and_start(tournament, ann)
    round_.boards.update(result="1-0")  # as a process leaves it that dies before it closes the round
    closing.catch_up()
    closing.wait()
    tournament.refresh_from_db()
    assert tournament.status == "complete"
