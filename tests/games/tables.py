"""Games in the database, and what is done to them without a server."""

from games.judge import Action
from games.models import Game
from games.referee import Command, judge_batch
from games.rows import put, state_of
from games.services.games import Terms, new_game, start_games
from ratings.models import Player
from tests.games.played import played

EVENT = {"slug": "thursday-12", "name": "Thursday 12", "round": 1, "board": 1}


def start(
    seat1: Player, seat2: Player, moves: str = "", *, event: dict | None = None, **terms: object
) -> Game:
    """A game after these moves, all made at its first moment."""
    game = new_game(seat1=seat1, seat2=seat2, terms=Terms(**terms), event=event)
    put(game, played(moves, state_of(game), at_ms=game.created_ms), ended_ms=None)
    start_games([game])
    return game


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def deadline_passed(game: Game, by_ms: int) -> int:
    """The moment that far after deadline and grace."""
    return fresh(game).deadline_ms + game.grace_ms + by_ms


def command(game, player, do, seq=None, *, at_ms=None, answer=lambda ruling: None, **fields) -> Command:
    """An action of a player on the present state of a game, at its first moment."""
    row = fresh(game)
    return Command(
        row.pk,
        player and player.pk,
        Action(do, **fields),
        row.seq if seq is None else seq,
        row.created_ms if at_ms is None else at_ms,
        answer,
    )


def rule(*commands: Command) -> list[tuple[str | None, int | None]]:
    """The code and the seq of each ruling."""
    rulings, _updates = judge_batch(commands)
    return [(ruling.code, ruling.seq) for ruling in rulings]
