"""Fills a new database of the site before its server starts; prints what the load must know, as JSON.

Written past the services where a service would be slow: nobody measures the filling.
"""

import argparse
import json
from itertools import cycle, islice
from typing import Any

import django

PEOPLE = 8
AN_HOUR_MS = 3_600_000


def people() -> list[tuple[Any, str]]:
    """Players with accounts, each with a token."""
    from django.contrib.auth.models import User
    from knox.models import AuthToken

    from ratings.models import Player

    made = []
    for number in range(PEOPLE):
        name = f"bench-{number}"
        user = User.objects.create(username=name)
        player = Player.objects.create(username=name, name=name, name_key=name, user=user)
        made.append((player, AuthToken.objects.create(user=user)[1]))
    return made


def pairs(made: list[tuple[Any, str]], count: int) -> list[tuple[tuple[Any, str], tuple[Any, str]]]:
    return list(islice(cycle(zip(made[::2], made[1::2], strict=True)), count))


def live_games(made: list[tuple[Any, str]], count: int) -> list[dict[str, object]]:
    """Games that wait for their first piece for an hour: id and the tokens of both seats."""
    from games.services.games import Terms, new_games, start_games

    seated = pairs(made, count)
    terms = Terms(claims="void", control="turn=3600", no_show_ms=AN_HOUR_MS)
    games = new_games([(one[0], two[0], None) for one, two in seated], terms)
    start_games(games)
    return [
        {"game": game.pk, "tokens": [one[1], two[1]]} for game, (one, two) in zip(games, seated, strict=True)
    ]


def stored_games(made: list[tuple[Any, str]], count: int) -> None:
    """Finished games with a whole record: the first is played through, the others are its copies."""
    import random

    from benchmarks.load import script
    from games.judge import Action, judge
    from games.models import Game, new_id
    from games.rows import put, state_of
    from games.services.games import Terms, new_games

    seated = pairs(made, count)
    terms = Terms(claims="void", control="turn=3600", no_show_ms=AN_HOUR_MS)
    [first] = new_games([(seated[0][0][0], seated[0][1][0], None)], terms)
    state = state_of(first)
    for seat, action in script(random.Random(7)):
        state = judge(state, seat, Action(**action), seq=state.seq, at_ms=first.created_ms).state
    assert state.status == "over"
    put(first, state, ended_ms=first.created_ms)
    values = {field.attname: getattr(first, field.attname) for field in Game._meta.concrete_fields}
    Game.objects.bulk_create(
        (
            Game(**values | {"id": new_id(), "seat1_id": one[0].pk, "seat2_id": two[0].pk})
            for one, two in seated
        ),
        batch_size=500,
    )


def deadlines(made: list[tuple[Any, str]], count: int, after_ms: int, during_ms: int) -> dict[str, Any]:
    """Games of one event whose starters do not appear: their deadlines are spread evenly.

    Returns the event's address and for each board the moment at which its game may be settled.
    """
    from games.services.games import Terms, new_games, start_games
    from tournaments.policies import Actor
    from tournaments.regulations import Regulations
    from tournaments.services import tournaments

    event = tournaments.create(actor=Actor(made[0][0].pk), wanted=Regulations(name="Bench"))
    terms = Terms(claims="void", control="turn=3600", no_show_ms=1_000)
    about = {"slug": event.slug, "name": event.name, "round": 1}
    seated = pairs(made, count)
    games = new_games(
        [(one[0], two[0], about | {"board": board}) for board, (one, two) in enumerate(seated, 1)], terms
    )
    for number, game in enumerate(games):
        shift_ms = after_ms + number * during_ms // count
        assert game.deadline_ms is not None
        game.no_show_ms += shift_ms
        game.deadline_ms += shift_ms
    start_games(games)
    due = {str(board): game.deadline_ms + game.grace_ms for board, game in enumerate(games, 1)}
    return {"slug": event.slug, "due_ms": due}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seed", description=__doc__)
    parser.add_argument("--live", type=int, default=0, help="games that are to be played")
    parser.add_argument("--stored", type=int, default=0, help="games that are over")
    parser.add_argument("--deadlines", type=int, default=0, help="games that will run out of time")
    parser.add_argument("--after-ms", type=int, default=0, help="until the first deadline")
    parser.add_argument("--during-ms", type=int, default=0, help="from the first to the last deadline")
    options = parser.parse_args()
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    made = people()
    told: dict[str, Any] = {}
    if options.stored:
        stored_games(made, options.stored)
    if options.live:
        told["games"] = live_games(made, options.live)
    if options.deadlines:
        told |= deadlines(made, options.deadlines, options.after_ms, options.during_ms)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
