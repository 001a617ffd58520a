import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connections, transaction

from games.models import Challenge, Game
from games.queries.challenges import OPEN_FOR, open_seeks
from games.services.challenges import (
    BadOpponent,
    NoSuchChallenge,
    NotOpen,
    NotYours,
    OwnChallenge,
    TooManyChallenges,
    accept,
    cancel,
    create_challenge,
    decline,
    usual_claims,
)
from games.services.games import BadTerms, Terms
from ratings.services import guest_player
from tests.games.seats import age, challenge, finished, person, seats, seek

RATED = Terms(rules="LS:F", claims="strikes=2", control="turn=30 bank=120", rated=True, draws_allowed=True)


# --- offering ---


def test_a_seek_is_open_to_anybody(ann):
    made = seek(ann)
    assert (made.challenger, made.opponent, made.state, made.game) == (ann, None, "open", None)


def test_a_challenge_names_its_opponent_in_whatever_case(ann, ben):
    made = create_challenge(challenger=ann, opponent="BEN", terms=Terms())
    assert made.opponent == ben


def test_terms_are_kept_in_canonical_spelling(ann):
    made = create_challenge(challenger=ann, opponent=None, terms=RATED)
    assert (made.rules, made.claims, made.control, made.rated, made.draws_allowed) == (
        "LS:F", "strikes=2", "turn=30 bank=120", True, True,
    )  # fmt: skip


def test_a_false_claim_usually_loses_a_rated_game_only():
    assert (usual_claims(rated=True), usual_claims(rated=False)) == ("lose", "void")


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"rules": "L:7", "rated": True}, "rated"),
        ({"rules": "L:0"}, "rules"),
        ({"rules": "X"}, "rules"),
        ({"claims": "never"}, "claims"),
        ({"claims": "strikes=0"}, "claims"),
        ({"control": "turn=0"}, "control"),
        ({"control": "inc=5"}, "control"),
        ({"control": ""}, "control"),
    ],
)
def test_terms_that_cannot_be_are_refused_with_their_field(ann, terms, field):
    with pytest.raises(BadTerms) as refused:
        seek(ann, **terms)
    assert (refused.value.code, refused.value.field) == ("bad_request", field)
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("name", ["nobody", "ann", "ANN", ""])
def test_an_opponent_who_cannot_be_is_refused(ann, name):
    with pytest.raises(BadOpponent) as refused:
        create_challenge(challenger=ann, opponent=name, terms=Terms())
    assert refused.value.field == "opponent"
    assert not Challenge.objects.exists()


def test_a_guest_cannot_be_challenged(ann):
    with pytest.raises(BadOpponent, match="no account"):
        challenge(ann, guest_player("Dora"))


def test_a_player_has_at_most_ten_open_challenges(ann, ben):
    made = [seek(ann) for _number in range(10)]
    with pytest.raises(TooManyChallenges):
        challenge(ann, ben)
    cancel(challenge_id=made[0].pk, player=ann)
    challenge(ann, ben)
    seek(ben)


def test_a_challenge_to_oneself_is_refused_by_the_database(ann):
    with pytest.raises(IntegrityError), transaction.atomic():
        Challenge.objects.create(
            challenger=ann, opponent=ann, rules="L:F", claims="void", control="turn=60", rated=False
        )


# --- accepting ---


def test_accepting_starts_the_game_on_its_terms(ann, ben):
    made = create_challenge(challenger=ann, opponent=None, terms=RATED)
    accepted = accept(challenge_id=made.pk, player=ben)
    game = Game.objects.get()
    assert (accepted.state, accepted.game, accepted.opponent) == ("accepted", game, ben)
    assert {game.seat1, game.seat2} == {ann, ben}
    assert (game.rules, game.claims, game.control, game.rated, game.draws_allowed, game.event, game.status) == (
        "LS:F", "strikes=2", "turn=30 bank=120", True, True, None, "waiting",
    )  # fmt: skip
    made.refresh_from_db()
    assert (made.state, made.game, made.opponent) == ("accepted", game, ben)


def test_the_first_game_of_two_players_is_begun_by_lot(ann, cleo):
    starters = set()
    for number in range(40):
        opponent = person(f"Ben{number}")
        starters.add(accept(challenge_id=seek(ann).pk, player=opponent).game.seat1 == ann)
    assert starters == {True, False}


def test_who_was_second_last_time_starts(ann, ben, cleo):
    games = [
        accept(challenge_id=seek(one).pk, player=other).game
        for one, other in ((ann, ben), (ann, ben), (ben, ann))
    ]
    first = seats(games[0])
    assert [seats(game) for game in games] == [first, first[::-1], first]
    accept(challenge_id=seek(ann).pk, player=cleo)
    assert seats(accept(challenge_id=challenge(ann, ben).pk, player=ben).game) == first[::-1]


def test_a_tournament_game_counts_for_who_starts(ann, ben):
    finished(ann, ben, event={"slug": "x", "name": "X", "round": 1, "board": 1})
    assert seats(accept(challenge_id=seek(ann).pk, player=ben).game) == (ben, ann)


def test_nobody_accepts_his_own_seek(ann):
    made = seek(ann)
    with pytest.raises(OwnChallenge):
        accept(challenge_id=made.pk, player=ann)
    assert not Game.objects.exists()


def test_only_the_challenged_accepts_a_challenge(ann, ben, cleo):
    made = challenge(ann, ben)
    for stranger in (ann, cleo):
        with pytest.raises((NoSuchChallenge, OwnChallenge)):
            accept(challenge_id=made.pk, player=stranger)
    assert not Game.objects.exists()
    assert accept(challenge_id=made.pk, player=ben).game is not None


def test_a_challenge_that_does_not_exist_is_not_found(ann):
    for service in (accept, cancel, decline):
        with pytest.raises(NoSuchChallenge):
            service(challenge_id="nothing", player=ann)


def test_an_accepted_challenge_cannot_be_answered_again(ann, ben, cleo):
    made = seek(ann)
    accept(challenge_id=made.pk, player=ben)
    for service, player in ((accept, ben), (accept, cleo), (cancel, ann), (decline, ben)):
        with pytest.raises(NotOpen):
            service(challenge_id=made.pk, player=player)
    assert Game.objects.count() == 1


def test_a_challenge_lapses_after_half_a_day(ann, ben):
    made = seek(ann)
    age(made, OPEN_FOR + timedelta(seconds=1))
    assert open_seeks() == []
    for service, player in ((accept, ben), (cancel, ann)):
        with pytest.raises(NotOpen):
            service(challenge_id=made.pk, player=player)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_accept_at_once_one_gets_the_game():
    made = seek(person("Ann"))
    rivals = [person("Ben"), person("Cleo")]
    barrier, outcomes = threading.Barrier(2), []

    def rival(player):
        barrier.wait()
        try:
            outcomes.append(accept(challenge_id=made.pk, player=player).state)
        except NotOpen as refused:
            outcomes.append(refused.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=rival, args=(player,)) for player in rivals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["accepted", "state"]
    assert Game.objects.count() == 1


# --- taking back, saying no ---


def test_ones_own_challenge_is_taken_back(ann, ben):
    made = challenge(ann, ben)
    with pytest.raises(NotYours):
        cancel(challenge_id=made.pk, player=ben)
    assert cancel(challenge_id=made.pk, player=ann).state == "cancelled"
    with pytest.raises(NotOpen):
        accept(challenge_id=made.pk, player=ben)


def test_a_challenge_is_declined_by_the_challenged(ann, ben, cleo):
    made = challenge(ann, ben)
    for stranger, refusal in ((ann, NotYours), (cleo, NoSuchChallenge)):
        with pytest.raises(refusal):
            decline(challenge_id=made.pk, player=stranger)
    assert decline(challenge_id=made.pk, player=ben).state == "declined"


def test_a_seek_is_nobodys_to_decline(ann, ben):
    with pytest.raises(NotYours):
        decline(challenge_id=seek(ann).pk, player=ben)
