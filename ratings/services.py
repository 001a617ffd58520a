"""The one writer of players and ratings."""

import secrets
from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from ratings import elo
from ratings.models import Player, Pool, Rating, RatingChange

GUEST_PREFIX = "guest-"


class AlreadyRated(Exception):
    """This game has changed the ratings already."""

    code = "state"


class BadGuestName(Exception):
    """A guest's name has 1 to 64 printable characters."""

    code = "bad_request"

    def __str__(self) -> str:
        return _("A guest's name has 1 to 64 printable characters.")


def player_for(*, user: User, name: str, name_key: str) -> Player:
    """The player of this account, made at its first call.

    Raises IntegrityError where the user name or the key is taken; the caller, who made the user in
    the same transaction, has the words for it.
    """
    player, _made = Player.objects.get_or_create(
        user=user, defaults={"username": user.get_username(), "name": name, "name_key": name_key}
    )
    return player


def guest_player(name: str) -> Player:
    """A new player without an account, such as an entrant over the board.

    Two guests may have the same name, and a guest may have an account's. Raises BadGuestName.
    """
    name = " ".join(name.split())
    if not name.isprintable() or not 1 <= len(name) <= 64:
        raise BadGuestName
    return Player.objects.create(username=GUEST_PREFIX + secrets.token_hex(6), name=name)


def rate_game(
    *, game_id: str, pool: str, starter_id: int, second_id: int, half_points: int, rated_at: datetime
) -> tuple[RatingChange, RatingChange]:
    """Changes both players' ratings in `pool` by a game, and returns the starter's and the second's change.

    `half_points` are the starter's: 2 won, 1 drawn, 0 lost. Called inside the transaction that ends
    the game; all or nothing, under a savepoint of its own. A game counts exactly once: the database
    refuses a second change for it, and AlreadyRated is raised with nothing changed and the caller's
    transaction still good.
    """
    assert pool in Pool.values and starter_id != second_id
    try:
        with transaction.atomic():
            starter, second = _locked_ratings(pool, starter_id, second_id)
            changes = elo.rate(_strength(starter), _strength(second), half_points)
            rows = (
                _change_row(game_id, starter, second, changes[0], rated_at),
                _change_row(game_id, second, starter, changes[1], rated_at),
            )
            RatingChange.objects.bulk_create(rows)
            _apply(starter, changes[0])
            _apply(second, changes[1])
            Rating.objects.bulk_update([starter, second], ["rating", "games", "reached_2400"])
    except IntegrityError as error:
        if RatingChange.objects.filter(game_id=game_id).exists():
            raise AlreadyRated(game_id) from error
        raise
    return rows


def lock_ratings(wanted: Iterable[tuple[int, str]]) -> None:
    """Locks these ratings, of (player, pool) each, for the present transaction, made where missing.

    A transaction that rates several games locks all their players in one order first; otherwise two
    of them could wait for each other. A database that lets one writer in at a time needs no such thing.
    """
    pairs = sorted(set(wanted))
    if not pairs or not connection.features.has_select_for_update:
        return
    asked = Q()
    for player_id, pool in pairs:
        asked |= Q(player_id=player_id, pool=pool)
    rows = Rating.objects.filter(asked).order_by("player_id", "pool")
    there = set(rows.values_list("player_id", "pool"))
    missing = [
        Rating(player_id=player_id, pool=pool, rating=elo.START)
        for player_id, pool in pairs
        if (player_id, pool) not in there
    ]
    Rating.objects.bulk_create(missing, ignore_conflicts=True)
    list(rows.select_for_update(no_key=True).values_list("pk"))


def _locked_ratings(pool: str, starter_id: int, second_id: int) -> tuple[Rating, Rating]:
    """Both rows, made where missing, locked in the order of the players' ids."""
    players = sorted([starter_id, second_id])
    rows = (
        Rating.objects.select_for_update(no_key=True)
        .filter(pool=pool, player_id__in=players)
        .order_by("player_id")
    )
    found = {row.player_id: row for row in rows}
    if len(found) < 2:
        missing = [Rating(player_id=one, pool=pool, rating=elo.START) for one in players if one not in found]
        # Another transaction may make the same row at this moment: then that one is locked and used.
        Rating.objects.bulk_create(missing, ignore_conflicts=True)
        found = {row.player_id: row for row in rows.all()}
    return found[starter_id], found[second_id]


def _strength(row: Rating) -> elo.Strength:
    return elo.Strength(row.rating, row.games, row.reached_2400)


def _change_row(
    game_id: str, own: Rating, opponent: Rating, made: elo.Change, rated_at: datetime
) -> RatingChange:
    return RatingChange(
        game_id=game_id,
        pool=own.pool,
        player_id=own.player_id,
        opponent_id=opponent.player_id,
        half_points=made.half_points,
        before=made.before,
        opponent_before=made.opponent_before,
        expected=made.expected,
        k=made.k,
        change=made.change,
        rated_at=rated_at,
    )


def _apply(row: Rating, made: elo.Change) -> None:
    now = elo.after(_strength(row), made)
    row.rating, row.games, row.reached_2400 = now.rating, now.games, now.reached_2400
