"""Reading players and ratings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import overload

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from ratings import elo
from ratings.models import Player, Pool, Rating, RatingChange


class UnknownPool(Exception):
    """There is no such rating pool."""

    code = "bad_request"

    def __str__(self) -> str:
        return _("There is no such rating pool: choose one of %(pools)s.") % {"pools": ", ".join(Pool.values)}


@dataclass(frozen=True, slots=True)
class RatingNow:
    """A player's rating in a pool as it is shown: whole, with `?` while provisional."""

    rating: int = elo.shown(elo.START)
    provisional: bool = True
    games: int = 0


@dataclass(frozen=True, slots=True)
class Listed:
    """A place in a rating list."""

    rank: int
    player: Player
    now: RatingNow


@dataclass(frozen=True, slots=True)
class PoolRating:
    """A player's rating in one pool, with its place in the list."""

    pool: Pool
    now: RatingNow


@dataclass(frozen=True, slots=True)
class Profile:
    """A player and his ratings, the pool with most games first; empty before his first rated game."""

    player: Player
    ratings: tuple[PoolRating, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One rated game in a player's history, oldest first; ratings are as shown."""

    game_id: str
    rated_at: datetime
    before: int
    after: int


def now(row: Rating) -> RatingNow:
    """A stored rating as it is shown."""
    return RatingNow(elo.shown(row.rating), row.games < elo.PROVISIONAL_GAMES, row.games)


def ratings_of(player_ids: Iterable[int], pool: str) -> dict[int, RatingNow]:
    """Every asked player's rating in the pool; those without one are at the start. One query."""
    asked = set(player_ids)
    rows = Rating.objects.filter(player_id__in=asked, pool=pool)
    return {one: RatingNow() for one in asked} | {row.player_id: now(row) for row in rows}


class RatingList(Sequence[Listed]):
    """A pool's ratings, best first; a slice of it reads just those places. Equal ratings share a rank."""

    def __init__(self, rows: QuerySet[Rating]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return self._rows.count()

    @overload
    def __getitem__(self, places: int) -> Listed: ...
    @overload
    def __getitem__(self, places: slice) -> list[Listed]: ...
    def __getitem__(self, places: int | slice) -> Listed | list[Listed]:
        if isinstance(places, int):
            return self[places : places + 1][0]
        # Ranks are counted for these places only: for all those before them it would take seconds.
        here = Rating.objects.filter(pk__in=self._rows.values("pk")[places])
        rows = here.select_related("player").annotate(better=_count_better()).order_by(*BEST_FIRST)
        return [Listed(row.better + 1, row.player, now(row)) for row in rows]


BEST_FIRST = ("-rating", "player_id")


def rating_list(pool: str, *, name: str = "") -> RatingList:
    """One pool's list. `name` keeps those in whose name or user name it occurs; ranks stay those of
    the whole list. Raises UnknownPool. Two queries a page, its count included."""
    if pool not in Pool.values:
        raise UnknownPool
    rows = Rating.objects.filter(pool=pool).order_by(*BEST_FIRST)
    name = "".join(filter(str.isprintable, name))
    if name:
        rows = rows.filter(Q(player__name__icontains=name) | Q(player__username__icontains=name))
    return RatingList(rows)


def _count_better() -> Coalesce:
    better = (
        Rating.objects.filter(pool=OuterRef("pool"), rating__gt=OuterRef("rating"))
        .order_by()
        .values("pool")
        .annotate(better=Count("pk"))
        .values("better")
    )
    return Coalesce(Subquery(better, output_field=IntegerField()), 0)


def profile(username: str) -> Profile:
    """Raises Player.DoesNotExist. Two queries."""
    if not username.isprintable():  # PostgreSQL takes no NUL in a text
        raise Player.DoesNotExist
    player = Player.objects.get(username=username)
    rows = player.ratings.order_by("-games", "pool")
    return Profile(player, tuple(PoolRating(Pool(row.pool), now(row)) for row in rows))


def history(player_id: int, pool: str) -> list[Step]:
    """A player's rated games in a pool in the order they were rated. One query."""
    rows = (
        RatingChange.objects.filter(player_id=player_id, pool=pool)
        .order_by("id")
        .values_list("game_id", "rated_at", "before", "change")
    )
    return [
        Step(game_id, at, elo.shown(before), elo.shown(before + change))
        for game_id, at, before, change in rows.iterator()
    ]


def changes_by_game(player_id: int, game_ids: Iterable[str]) -> dict[str, RatingChange]:
    """What each of these games did to a player's rating, where it did. One query."""
    rows = RatingChange.objects.filter(player_id=player_id, game_id__in=list(game_ids))
    return {row.game_id: row for row in rows}


def changes_of_game(game_id: str) -> list[RatingChange]:
    """Both players' changes by a game, the starter's first; empty where it does not count."""
    return list(RatingChange.objects.filter(game_id=game_id).select_related("player").order_by("id"))
