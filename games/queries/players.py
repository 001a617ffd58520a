"""What a player's page shows: his ratings, the history of one of them, and his games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext_lazy as _

from games.models import Game, Status
from games.queries.games import games_of
from ratings import charts, elo
from ratings import queries as ratings
from ratings.models import Player, RatingChange

GAMES_A_PAGE = 25

OUTCOMES = {
    "won": _("won"),
    "lost": _("lost"),
    "drawn": _("drawn"),
    "open": _("in play"),
    "void": _("not begun"),
}


@dataclass(frozen=True, slots=True)
class History:
    """A pool's rating over time; `steps` are those the plot shows, the first and the last among them."""

    rating: ratings.PoolRating
    steps: tuple[ratings.Step, ...]
    plot: charts.Plot

    @property
    def first(self) -> ratings.Step:
        return self.steps[0]

    @property
    def last(self) -> ratings.Step:
        return self.steps[-1]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as one of its players saw it; `gain` is what his shown rating gained, None if not rated."""

    game: Game
    seat: int
    outcome: str
    gain: int | None

    @property
    def opponent(self) -> Player:
        return self.game.seat2 if self.seat == 1 else self.game.seat1

    @property
    def opponent_rating(self) -> ratings.RatingNow:
        """The opponent's rating when the game began."""
        game = self.game
        if self.seat == 1:
            return ratings.RatingNow(game.seat2_rating, game.seat2_provisional)
        return ratings.RatingNow(game.seat1_rating, game.seat1_provisional)

    @property
    def outcome_words(self) -> str:
        return str(OUTCOMES[self.outcome])

    @property
    def gain_text(self) -> str:
        """With its sign, a minus as printers set it; empty where the game did not count."""
        return "" if self.gain is None else f"{self.gain:+d}".replace("-", "\N{MINUS SIGN}")

    @property
    def began_at(self) -> datetime:
        return datetime.fromtimestamp(self.game.created_ms / 1000, UTC)


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """Everything on a player's page; `history` is None before his first rated game."""

    profile: ratings.Profile
    history: History | None
    page: Page[Game]
    games: tuple[PlayedGame, ...]


def player_page(username: str, *, pool: str | None = None, number: str | None = None) -> PlayerPage:
    """The page of one player, newest games first.

    `pool` chooses the history shown, by default that of the pool with most games; one in which he
    has no rating counts as not chosen. `number` is the page of games. Raises Player.DoesNotExist.
    """
    profile = ratings.profile(username)
    player_id = profile.player.pk
    page = Paginator(games_of(profile.player).defer("record"), GAMES_A_PAGE).get_page(number)
    games = list(page)
    changes = ratings.changes_by_game(player_id, [game.pk for game in games])
    return PlayerPage(
        profile,
        _history(profile, pool),
        page,
        tuple(_played(game, player_id, changes.get(game.pk)) for game in games),
    )


def _history(profile: ratings.Profile, pool: str | None) -> History | None:
    if not profile.ratings:
        return None
    rating = next((one for one in profile.ratings if one.pool == pool), profile.ratings[0])
    steps = charts.thinned(ratings.history(profile.player.pk, rating.pool))
    if not steps:
        return None
    return History(rating, tuple(steps), charts.plot([steps[0].before, *(step.after for step in steps)]))


def _played(game: Game, player_id: int, change: RatingChange | None) -> PlayedGame:
    seat = 1 if game.seat1_id == player_id else 2
    gain = elo.shown(change.before + change.change) - elo.shown(change.before) if change else None
    return PlayedGame(game, seat, _outcome(game, seat), gain)


def _outcome(game: Game, seat: int) -> str:
    if game.status != Status.OVER:
        return "open"
    if game.result is None:
        return "void"
    if game.result == "1/2-1/2":
        return "drawn"
    return "won" if (game.result == "1-0") == (seat == 1) else "lost"
