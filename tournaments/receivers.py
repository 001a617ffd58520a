"""Hears of finished games: writes the board's result in the same transaction, the rest after the commit."""

from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from games.models import Game
from games.signals import game_finished
from tournaments import closing
from tournaments.services import results


@receiver(game_finished, dispatch_uid="tournaments.record_result")
def record_result(sender: type[Game], game: Game, **kwargs: Any) -> None:
    """Touches its own board's row and nothing else."""
    if game.event is None:
        return
    results.record(game)
    transaction.on_commit(partial(closing.soon, game.event["slug"]))
