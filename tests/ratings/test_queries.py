from datetime import UTC, datetime

import pytest

from ratings import queries, services
from ratings.models import Player, Rating
from ratings.queries import RatingNow

pytestmark = pytest.mark.django_db


def person(name, **ratings):
    """`ann` with `L=(1512.5, 40)`: a rating and the games it rests on, by pool."""
    player = Player.objects.create(username=name, name=name.title(), name_key=name)
    for pool, (rating, games) in ratings.items():
        Rating.objects.create(player=player, pool=pool, rating=rating, games=games)
    return player


def listed(pool="L", **search):
    return [(row.rank, row.player.username) for row in queries.rating_list(pool, **search)[0:50]]


def test_ratings_are_rounded_and_missing_ones_are_the_start(django_assert_num_queries):
    ann, ben = person("ann", L=("1512.50", 30), LS=("1700", 3)), person("ben", LS=("1400", 1))
    with django_assert_num_queries(1):
        assert queries.ratings_of([ann.pk, ben.pk], "L") == {
            ann.pk: RatingNow(1513, False, 30),
            ben.pk: RatingNow(1500, True, 0),
        }


def test_the_list_is_of_one_pool_best_first_and_equals_share_a_rank():
    person("ann", L=("1500", 3))
    person("ben", L=("1600", 3), OS=("1900", 3))
    person("cleo", L=("1500", 3))
    person("dora", L=("1400.5", 3))
    person("emil")
    assert listed() == [(1, "ben"), (2, "ann"), (2, "cleo"), (4, "dora")]
    assert listed("OS") == [(1, "ben")]
    assert listed("LS") == []


def test_a_slice_of_the_list_has_its_own_ranks(django_assert_num_queries):
    for number, name in enumerate(("ann", "ben", "cleo", "dora", "emil")):
        person(name, L=(1600 - number // 2, 3))
    ratings = queries.rating_list("L")
    with django_assert_num_queries(1):
        assert [(row.rank, row.player.username) for row in ratings[3:5]] == [(3, "dora"), (5, "emil")]
    assert (len(ratings), ratings[4].player.username) == (5, "emil")


@pytest.mark.parametrize("name", ["EN", " ben"[1:], "Ben"])
def test_a_search_keeps_the_ranks_of_the_whole_list(name):
    person("ann", L=("1600", 3))
    person("ben", L=("1500", 3))
    assert listed(name=name) == [(2, "ben")]


@pytest.mark.parametrize("pool", ["", "X", "l", "L:F"])
def test_an_unknown_pool_is_refused(pool):
    with pytest.raises(queries.UnknownPool, match="choose one of L, LS, OS") as refusal:
        queries.rating_list(pool)
    assert refusal.value.code == "bad_request"


def test_a_profile_has_the_pool_with_most_games_first(django_assert_num_queries):
    ann = person("ann", L=("1512.50", 3), LS=("1700", 31))
    with django_assert_num_queries(2):
        profile = queries.profile("ann")
    assert profile.player == ann
    assert [(one.pool, one.now) for one in profile.ratings] == [
        ("LS", RatingNow(1700, False, 31)),
        ("L", RatingNow(1513, True, 3)),
    ]


def test_a_profile_of_nobody():
    with pytest.raises(Player.DoesNotExist):
        queries.profile("nobody")


def test_history_and_changes_follow_the_games(django_assert_num_queries):
    ann, ben = person("ann"), person("ben")
    at = datetime(2026, 3, 5, tzinfo=UTC)
    for game_id, pool, half_points in (("g1", "L", 2), ("g2", "LS", 2), ("g3", "L", 0)):
        services.rate_game(
            game_id=game_id,
            pool=pool,
            starter_id=ann.pk,
            second_id=ben.pk,
            half_points=half_points,
            rated_at=at,
        )
    with django_assert_num_queries(1):
        assert queries.history(ann.pk, "L") == [
            queries.Step("g1", at, 1500, 1520),
            queries.Step("g3", at, 1520, 1498),
        ]
    with django_assert_num_queries(1):
        changes = queries.changes_by_game(ben.pk, ["g1", "g2", "none"])
    assert {game_id: row.change for game_id, row in changes.items()} == {"g1": -20, "g2": -20}
    assert [(row.player, row.half_points) for row in queries.changes_of_game("g3")] == [(ann, 0), (ben, 2)]
    assert queries.changes_of_game("none") == []
