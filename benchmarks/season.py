"""Plays a Swiss tournament over the board through the services, in a new database; prints what it took as JSON."""

import argparse
import json
import random
from collections.abc import Iterable
from time import perf_counter
from typing import Any

import django

REQUESTS = 5  # of which the fastest counts
RESULTS = ("1-0", "0-1", "1/2-1/2")
PAGES = ("", "standings/", "rounds/{last}/", "boards/", "screen/", "manage/")
API_PAGES = ("", "entries/", "rounds/", "rounds/{last}/", "standings/")


def play(players: int, rounds_total: int, *, by_hand: bool) -> tuple[Any, str, list[float]]:
    """Returns the organiser's user, the address, and the seconds that each pairing took.

    `by_hand` draws lots: for a field so large that pairing it would take longer than all the rest.
    """
    from django.contrib.auth.models import User

    from ratings.models import Player
    from tournaments.policies import Actor
    from tournaments.regulations import Regulations
    from tournaments.services import entries, pairings, rounds, tournaments

    user = User.objects.create(username="bench")
    organiser = Actor(Player.objects.create(username="bench", name="bench", name_key="bench", user=user).pk)
    wanted = Regulations(name="Bench", over_the_board=True, rounds=rounds_total)
    # Larger fields are refused because of their pairing, which is not what is measured of them here.
    entries.LARGEST_FIELD = max(entries.LARGEST_FIELD, players)
    slug = tournaments.create(actor=organiser, wanted=wanted).slug
    names = "\n".join(f"Guest {number:03}" for number in range(1, players + 1))
    entries.add_list(actor=organiser, slug=slug, names=names)
    seconds = []
    rng = random.Random(players)
    for _number in range(rounds_total):
        started_at = perf_counter()
        if by_hand:
            paired = pairings.pair_by_hand(actor=organiser, slug=slug, boards=_lots(slug, rng))
        else:
            paired, _made = pairings.pair_next(actor=organiser, slug=slug)
        seconds.append(perf_counter() - started_at)
        rounds.start(actor=organiser, slug=slug, number=paired.number)
        _close_boards(paired, rng)
        rounds.conclude(slug=slug)
    return user, slug, seconds


def _lots(slug: str, rng: random.Random) -> list[tuple[int, int]]:
    from tournaments.models import Entry

    entries = list(Entry.objects.filter(tournament__slug=slug).values_list("pk", flat=True))
    rng.shuffle(entries)
    return list(zip(entries[::2], entries[1::2], strict=True))


def compute(slug: str) -> float:
    """The milliseconds that the standings alone take, of what was read already."""
    from tournaments.models import Tournament
    from tournaments.queries.field import field_of
    from tournaments.queries.standings import table

    field = field_of(Tournament.objects.get(slug=slug))
    started_at = perf_counter()
    table(field)
    return 1000 * (perf_counter() - started_at)


def _close_boards(paired: Any, rng: random.Random) -> None:
    """Past the service: a result each would cost more than all that is measured."""
    from tournaments.models import Board

    boards = list(paired.boards.filter(result=None))
    for board in boards:
        board.result = rng.choice(RESULTS)
    Board.objects.bulk_update(boards, ["result"], batch_size=200)


def look(user: Any, slug: str, last: int) -> list[dict[str, object]]:
    """Asks for each page as the organiser: its queries, its time, its size."""
    paths = [f"/tournaments/{slug}/{page}" for page in PAGES]
    paths += [f"/api/tournaments/{slug}/{page}" for page in API_PAGES]
    return pages_of(user, [path.format(last=last) for path in paths])


def pages_of(user: Any, paths: Iterable[str]) -> list[dict[str, object]]:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    told: list[dict[str, object]] = []
    for path in paths:
        with CaptureQueriesContext(connection) as queries:
            response = client.get(path)  # and what the first request of a process loads
        count, times = len(queries), []
        for _time in range(REQUESTS):
            started_at = perf_counter()
            client.get(path)
            times.append(1000 * (perf_counter() - started_at))
        assert response.status_code == 200, (path, response.status_code)
        told.append({"path": path, "queries": count, "ms": min(times), "kb": len(response.content) / 1024})
    return told


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.season", description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--by-hand", action="store_true", help="paired by lot, for a large field")
    options = parser.parse_args()
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    user, slug, seconds = play(options.players, options.rounds, by_hand=options.by_hand)
    pages = look(user, slug, options.rounds)
    told = {"players": options.players, "rounds": options.rounds, "pairing_s": seconds, "pages": pages}
    print(json.dumps(told | {"standings_ms": compute(slug)}))


if __name__ == "__main__":
    main()
