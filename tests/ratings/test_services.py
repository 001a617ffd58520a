from datetime import UTC, datetime
from decimal import Decimal
from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from ratings import services
from ratings.models import Player, Rating, RatingChange

AT = datetime(2026, 3, 5, 19, 30, tzinfo=UTC)


def person(name):
    return Player.objects.create(username=name, name=name.title(), name_key=name)


def rate(starter, second, half_points=2, *, game_id="g1", pool="L"):
    return services.rate_game(
        game_id=game_id,
        pool=pool,
        starter_id=starter.pk,
        second_id=second.pk,
        half_points=half_points,
        rated_at=AT,
    )


def rows():
    return list(Rating.objects.order_by("player_id").values_list("player__username", "rating", "games"))


@pytest.fixture
def ann(db):
    return person("ann")


@pytest.fixture
def ben(db):
    return person("ben")


def test_the_first_game_makes_both_ratings(ann, ben):
    rate(ann, ben)
    assert rows() == [("ann", Decimal("1520.00"), 1), ("ben", Decimal("1480.00"), 1)]


def test_the_changes_tell_how_they_came_about(ann, ben):
    for row, own, opponent, half_points, gain in zip(
        rate(ann, ben), (ann, ben), (ben, ann), (2, 0), ("20.00", "-20.00"), strict=True
    ):
        row.refresh_from_db()
        assert (row.game_id, row.pool, row.player, row.opponent) == ("g1", "L", own, opponent)
        assert (row.half_points, row.before, row.opponent_before) == (half_points, 1500, 1500)
        assert (row.expected, row.k, row.change, row.rated_at) == (Decimal("0.5"), 40, Decimal(gain), AT)


def test_the_starter_is_whom_the_half_points_belong_to(ann, ben):
    rate(ben, ann, 0)
    assert rows() == [("ann", Decimal("1520.00"), 1), ("ben", Decimal("1480.00"), 1)]


def test_a_draw_between_equals_changes_only_the_count(ann, ben):
    rate(ann, ben, 1)
    assert rows() == [("ann", Decimal("1500.00"), 1), ("ben", Decimal("1500.00"), 1)]


def test_pools_are_apart(ann, ben):
    rate(ann, ben, game_id="g1", pool="L")
    rate(ann, ben, game_id="g2", pool="LS")
    assert list(Rating.objects.filter(player=ann).order_by("pool").values_list("pool", "rating")) == [
        ("L", Decimal("1520.00")),
        ("LS", Decimal("1520.00")),
    ]


def test_the_next_game_starts_from_the_last_ratings(ann, ben):
    rate(ann, ben, game_id="g1")
    won, _lost = rate(ann, ben, game_id="g2")
    assert (won.before, won.opponent_before, won.change) == (1520, 1480, Decimal("17.71"))


def test_k_follows_the_games_and_2400(ann, ben):
    Rating.objects.create(player=ann, pool="L", rating=2395, games=30)
    Rating.objects.create(player=ben, pool="L", rating=2395, games=29)
    first, other = rate(ann, ben, game_id="g1")
    second, _other = rate(ann, ben, game_id="g2")
    assert (first.k, other.k, second.k) == (20, 40, 10)
    assert Rating.objects.get(player=ann).reached_2400


def test_a_game_rates_exactly_once(ann, ben):
    rate(ann, ben)
    with pytest.raises(services.AlreadyRated):
        rate(ann, ben)
    with pytest.raises(services.AlreadyRated):
        rate(ann, ben, 0, pool="OS")
    assert RatingChange.objects.count() == 2
    assert rows() == [("ann", Decimal("1520.00"), 1), ("ben", Decimal("1480.00"), 1)]


def test_the_callers_transaction_survives_a_second_call(ann, ben):
    rate(ann, ben)
    with transaction.atomic():
        with pytest.raises(services.AlreadyRated):
            rate(ann, ben)
        rate(ann, ben, game_id="g2")
    assert RatingChange.objects.count() == 4


def test_the_callers_rollback_takes_the_rating_back(ann, ben):
    with transaction.atomic():
        rate(ann, ben)
        transaction.set_rollback(True)
    assert (Rating.objects.count(), RatingChange.objects.count()) == (0, 0)


@pytest.mark.parametrize("known", [0, 1, 2])
def test_a_game_costs_few_queries(ann, ben, known, django_assert_num_queries):
    for player in (ann, ben)[:known]:
        Rating.objects.create(player=player, pool="L", rating=1500)
    making = 0 if known == 2 else 2
    with django_assert_num_queries(5 + making):
        rate(ann, ben)


@pytest.mark.django_db(transaction=True)
def test_rival_games_of_the_same_players_lose_no_change():
    ann, ben, cleo = person("ann"), person("ben"), person("cleo")
    pairs = [(ann, ben), (ben, cleo), (cleo, ann), (ben, ann)]
    gate = Barrier(len(pairs))

    def play(number, starter, second):
        gate.wait()
        with transaction.atomic():
            rate(starter, second, game_id=f"g{number}")
        connection.close()

    threads = [Thread(target=play, args=(number, *pair)) for number, pair in enumerate(pairs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [games for _name, _rating, games in rows()] == [3, 3, 2]
    assert sum(rating for _name, rating, _games in rows()) == 4500
    for player in (ann, ben, cleo):
        changes = RatingChange.objects.filter(player=player)
        assert Rating.objects.get(player=player).rating == 1500 + sum(row.change for row in changes)


def test_a_user_gets_one_player(db):
    user = User.objects.create_user("ann")
    made = services.player_for(user=user, name="Ann", name_key="ann")
    assert (made.username, made.name, made.name_key, made.user) == ("ann", "Ann", "ann", user)
    assert services.player_for(user=user, name="Ann", name_key="ann") == made


def test_a_second_player_under_the_same_key_is_refused(ann):
    user = User.objects.create_user("Ann")
    with pytest.raises(IntegrityError), transaction.atomic():
        services.player_for(user=user, name="Ann", name_key="ann")


def test_a_guest_has_no_account_and_no_key(db):
    guest = services.guest_player("  Zoë \t of  Cluj ")
    assert (guest.name, guest.user, guest.name_key, guest.is_guest) == ("Zoë of Cluj", None, None, True)
    assert guest.username.startswith("guest-")


def test_two_guests_may_share_a_name(db):
    assert services.guest_player("Ann").username != services.guest_player("Ann").username


@pytest.mark.parametrize("name", ["", "  ", "a" * 65, "a\x00b", "a\u202eb"])
def test_a_guests_name_is_short_and_printable(db, name):
    with pytest.raises(services.BadGuestName, match="1 to 64 printable characters"):
        services.guest_player(name)
    assert not Player.objects.exists()
