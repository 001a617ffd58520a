"""Plays a Swiss tournament over the board through the services, in a new database; prints what it took as JSON."""

import argparse
import json
import random
from time import perf_counter
from typing import Any

import django

RESULTS = ("1-0", "0-1", "1/2-1/2")
PAGES = ("", "standings/", "rounds/{last}/", "boards/", "screen/", "manage/")
API_PAGES = ("", "entries/", "rounds/", "rounds/{last}/", "standings/")


def play(players: int, rounds_total: int) -> tuple[Any, str, list[float]]:
    """Returns the organiser's user, the address, and the seconds that each pairing took."""
    from django.contrib.auth.models import User

    from ratings.models import Player
    from tournaments.policies import Actor
    from tournaments.regulations import Regulations
    from tournaments.services import entries, pairings, rounds, tournaments

    user = User.objects.create(username="bench")
    organiser = Actor(Player.objects.create(username="bench", name="bench", name_key="bench", user=user).pk)
    wanted = Regulations(name="Bench", over_the_board=True, rounds=rounds_total)
    slug = tournaments.create(actor=organiser, wanted=wanted).slug
    names = "\n".join(f"Guest {number:03}" for number in range(1, players + 1))
    entries.add_list(actor=organiser, slug=slug, names=names)
    seconds = []
    rng = random.Random(players)
    for _number in range(rounds_total):
        started_at = perf_counter()
        paired, _made = pairings.pair_next(actor=organiser, slug=slug)
        seconds.append(perf_counter() - started_at)
        rounds.start(actor=organiser, slug=slug, number=paired.number)
        _close_boards(paired, rng)
        rounds.conclude(slug=slug)
    return user, slug, seconds


def _close_boards(paired: Any, rng: random.Random) -> None:
    """Past the service: a result each would cost more than all that is measured."""
    from tournaments.models import Board

    boards = list(paired.boards.filter(result=None))
    for board in boards:
        board.result = rng.choice(RESULTS)
    Board.objects.bulk_update(boards, ["result"], batch_size=200)


def look(user: Any, slug: str, last: int) -> list[dict[str, object]]:
    """Asks for each page as the organiser: its queries, its time, its size."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    paths = [f"/tournaments/{slug}/{page}" for page in PAGES]
    paths += [f"/api/tournaments/{slug}/{page}" for page in API_PAGES]
    told: list[dict[str, object]] = []
    for path in (path.format(last=last) for path in paths):
        client.get(path)  # what the first request of a process loads
        started_at = perf_counter()
        with CaptureQueriesContext(connection) as queries:
            response = client.get(path)
        ms = 1000 * (perf_counter() - started_at)
        assert response.status_code == 200, (path, response.status_code)
        told.append({"path": path, "queries": len(queries), "ms": ms, "kb": len(response.content) / 1024})
    return told


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.season", description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    options = parser.parse_args()
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    user, slug, seconds = play(options.players, options.rounds)
    pages = look(user, slug, options.rounds)
    print(json.dumps({"players": options.players, "pairing_s": seconds, "pages": pages}))


if __name__ == "__main__":
    main()
