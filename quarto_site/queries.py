"""What the lobby shows."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.models import Challenge, Game
from games.queries.challenges import SEEKS_AT_MOST, challenges_between, seeks
from games.queries.games import live_games, open_games_of
from games.rules import Rules
from ratings.models import Player
from ratings.queries import RatingNow, ratings_of
from tournaments.models import Tournament

LIVE_BOARDS = 12
TOURNAMENTS = 6


@dataclass(frozen=True, slots=True)
class Offer:
    """An open challenge with its challenger's rating in the pool that it would be played in."""

    challenge: Challenge
    rating: RatingNow


@dataclass(frozen=True, slots=True)
class Lobby:
    """`seeks` are others' and one's own; the next three concern the player himself."""

    seeks: list[Offer]
    incoming: list[Offer]
    outgoing: list[Challenge]
    games: list[Game]
    live: list[Game]
    tournaments: list[Tournament]


def lobby(player: Player | None) -> Lobby:
    """The lobby as this player (or a stranger, None) sees it, in a constant number of queries."""
    open_seeks = list(seeks()[:SEEKS_AT_MOST])
    mine = list(challenges_between(player.pk)) if player else []
    return Lobby(
        seeks=_offers(open_seeks),
        incoming=_offers(one for one in mine if one.opponent_id == player.pk) if player else [],
        outgoing=[one for one in mine if one.opponent_id and one.challenger_id == player.pk]
        if player
        else [],
        games=open_games_of(player) if player else [],
        live=live_games(LIVE_BOARDS),
        tournaments=_tournaments(),
    )


def _offers(challenges: Iterable[Challenge]) -> list[Offer]:
    """One query for each pool that occurs."""
    rows = [(challenge, Rules.parse(challenge.rules).lines) for challenge in challenges]
    ratings = {
        pool: ratings_of([one.challenger_id for one, lines in rows if lines == pool], pool)
        for pool in {lines for _one, lines in rows}
    }
    return [Offer(challenge, ratings[pool][challenge.challenger_id]) for challenge, pool in rows]


def _tournaments() -> list[Tournament]:
    """Those that run, then those that one can enter; the newest first."""
    states = [Tournament.Status.RUNNING, Tournament.Status.PUBLISHED]
    visible = Tournament.objects.filter(status__in=states).select_related("club")
    return list(visible.order_by("-status", "-created_at")[:TOURNAMENTS])
