"""People with accounts, and games between them, for tests of challenges and pages."""

from datetime import timedelta

from django.contrib.auth.models import User

from games.models import Challenge, Game
from games.services.challenges import create_challenge
from games.services.games import Terms, new_game, start_games
from ratings.models import Player
from ratings.services import player_for


def person(name: str) -> Player:
    user = User.objects.create(username=name.lower())
    return player_for(user=user, name=name, name_key=name.lower())


def finished(seat1: Player, seat2: Player, *, event: dict | None = None, **terms: object) -> Game:
    """A game that seat 2 resigned, as a row."""
    game = new_game(seat1=seat1, seat2=seat2, terms=Terms(**terms), event=event)
    game.status, game.deadline_ms, game.ended_ms = "over", None, game.created_ms
    game.result, game.termination = "1-0", "resign"
    start_games([game])
    return game


def seek(player: Player, **terms: object) -> Challenge:
    return create_challenge(challenger=player, opponent=None, terms=Terms(**terms))


def challenge(player: Player, opponent: Player, **terms: object) -> Challenge:
    return create_challenge(challenger=player, opponent=opponent.username, terms=Terms(**terms))


def seats(game: Game) -> tuple[Player, Player]:
    return game.seat1, game.seat2


def age(one: Challenge, by: timedelta) -> None:
    """Makes a challenge older."""
    Challenge.objects.filter(pk=one.pk).update(created_at=one.created_at - by)
