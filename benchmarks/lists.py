"""Looks at the lists and the lobby of a site with many players; prints queries, times and sizes as JSON."""

import argparse
import json
import random
from typing import Any

import django

PATHS = (
    "/", "/ratings/", "/tournaments/", "/players/p7/", "/api/ratings/", "/api/players/p7/", "/api/games/",
    "/api/games/?status=live", "/api/challenges/", "/api/tournaments/",
)  # fmt: skip


def fill(players: int) -> Any:
    """So many rated players; one in five sits at a live board, one in ten seeks a game. Returns a user of one."""
    from django.contrib.auth.models import User

    from games.models import Challenge, Game
    from games.services.games import Terms, new_games
    from ratings.models import Player, Rating

    rng = random.Random(players)
    names = [f"p{number}" for number in range(players)]
    users = User.objects.bulk_create([User(username=name) for name in names], batch_size=500)
    made = Player.objects.bulk_create(
        [
            Player(username=user.username, name=user.username, name_key=user.username, user=user)
            for user in users
        ],
        batch_size=500,
    )
    Rating.objects.bulk_create(
        [Rating(player=one, pool="L", rating=rng.randrange(900, 2400), games=9) for one in made],
        batch_size=500,
    )
    seated = made[: players // 5]
    games = new_games([(one, two, None) for one, two in zip(seated[::2], seated[1::2], strict=True)], Terms())
    Game.objects.bulk_create(games, batch_size=200)
    terms = {"rules": "L:F", "claims": "lose", "control": "turn=60", "rated": True}
    seeks = [Challenge(challenger=one, **terms) for one in made[-players // 10 :]]
    Challenge.objects.bulk_create(seeks, batch_size=500)
    return users[7]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lists", description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    options = parser.parse_args()
    django.setup()
    from django.core.management import call_command

    from benchmarks.season import pages_of

    call_command("migrate", verbosity=0)
    print(json.dumps({"players": options.players, "pages": pages_of(fill(options.players), PATHS)}))


if __name__ == "__main__":
    main()
