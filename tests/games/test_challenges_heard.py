from django.db import transaction

from games.queries.challenges import challenges_for, find_challenge, open_seeks
from games.services.challenges import accept, decline
from tests.games.seats import challenge, seek


def test_the_lobby_hears_all_seeks_whole_after_each_change(
    ann, ben, ears, django_capture_on_commit_callbacks
):
    lobby = ears.to("lobby")
    with django_capture_on_commit_callbacks(execute=True):
        made = seek(ann)
    assert lobby.hear().frames == [{"type": "seeks", "seeks": open_seeks()}]
    assert [one["id"] for one in lobby.frames[0]["seeks"]] == [made.pk]
    with django_capture_on_commit_callbacks(execute=True):
        accept(challenge_id=made.pk, player=ben)
    assert lobby.hear().frames[1:] == [{"type": "seeks", "seeks": []}]


def test_the_lobby_does_not_hear_of_challenges(ann, ben, ears, django_capture_on_commit_callbacks):
    lobby = ears.to("lobby")
    with django_capture_on_commit_callbacks(execute=True):
        decline(challenge_id=challenge(ann, ben).pk, player=ben)
    assert lobby.hear().frames == []


def test_both_players_hear_of_a_challenge_and_nobody_else(
    ann, ben, cleo, ears, django_capture_on_commit_callbacks
):
    own, others, strangers = (ears.to(f"player:{player.pk}") for player in (ann, ben, cleo))
    with django_capture_on_commit_callbacks(execute=True):
        made = challenge(ann, ben)
    assert [(frame["type"], frame["you"]) for frame in own.hear().frames] == [("challenge", "challenger")]
    frame = others.frames[0]
    assert (frame["you"], frame["challenge"]["id"], frame["challenge"]["state"]) == (
        "opponent",
        made.pk,
        "open",
    )
    assert strangers.frames == []


def test_both_players_hear_that_their_game_starts(ann, ben, ears, django_capture_on_commit_callbacks):
    own, others = (ears.to(f"player:{player.pk}") for player in (ann, ben))
    with django_capture_on_commit_callbacks(execute=True):
        game = accept(challenge_id=seek(ann).pk, player=ben).game
    own.hear()
    for ear in (own, others):
        assert [frame["game"] for frame in ear.frames if frame["type"] == "game_start"] == [game.pk]


def test_nothing_is_heard_of_what_was_rolled_back(ann, ears):
    lobby = ears.to("lobby")
    with transaction.atomic():
        seek(ann)
        transaction.set_rollback(True)
    assert lobby.hear().frames == []


def test_a_player_sees_seeks_and_what_concerns_him(ann, ben, cleo):
    open_to_all, between, elsewhere = seek(cleo), challenge(ann, ben), challenge(cleo, ben)
    assert set(challenges_for(ann.pk)) == {open_to_all, between}
    assert set(challenges_for(ben.pk)) == {open_to_all, between, elsewhere}
    assert set(challenges_for(None)) == {open_to_all}
    assert find_challenge(between.pk, ann.pk) == find_challenge(between.pk, ben.pk) == between
    assert find_challenge(between.pk, cleo.pk) is None
    assert find_challenge(between.pk, None) is None
    assert find_challenge(open_to_all.pk, None) == open_to_all
