"""What the page of a game shows beyond the game object."""

from dataclasses import dataclass
from typing import Any

from games.models import Game, Status
from games.queries.games import as_object, find_game
from ratings import elo
from ratings.models import RatingChange
from ratings.queries import changes_of_game


@dataclass(frozen=True, slots=True)
class GamePage:
    """`game` is the protocol's object with its state; `options` what the page may offer."""

    game: dict[str, Any]
    options: dict[str, Any]


def game_page(game_id: str, player_id: int | None) -> GamePage | None:
    """The page of one game as this player (or a stranger, None) sees it; None where there is no such game."""
    game = find_game(game_id)
    if game is None:
        return None
    shown = as_object(game, player_id)
    return GamePage(shown, _options(game, shown["you"], signed_in=player_id is not None))


def _options(game: Game, seat: int | None, *, signed_in: bool) -> dict[str, Any]:
    is_over = game.status == Status.OVER
    return {
        "draws": game.draws_allowed,
        "signed_in": signed_in,
        "rematch": seat is not None and game.event is None and _both_have_accounts(game),
        "changes": [_change(row) for row in changes_of_game(game.pk)] if is_over and game.rated else [],
        "records_url": f"/api/games/{game.pk}/record/",
    }


def _both_have_accounts(game: Game) -> bool:
    return game.seat1.user_id is not None and game.seat2.user_id is not None


def _change(row: RatingChange) -> dict[str, Any]:
    before, after = elo.shown(row.before), elo.shown(row.before + row.change)
    return {"player": row.player.username, "before": before, "after": after, "change": after - before}
