"""What the tests of several processes have in common: people, games by post, and the proof at the end."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.clients import Person
from tests.server import manage
from tests.services.pair import Pair


@contextmanager
def people_at(server: Pair, *names: str) -> Iterator[list[Person]]:
    """Signs people up, each at the next process."""
    with ExitStack() as stack:
        people = [Person(server, name) for name in names]
        for person in people:
            stack.callback(person.http.close)
        yield people


def play_by_post(people: Sequence[Person], game_id: str, script: str) -> None:
    """Plays the actions of a record (`@5` gives, `a1` places) without sockets, each at its player's process."""
    by_name = {person.name: person for person in people}
    game = people[0].http.get(f"/api/games/{game_id}/").json()
    seats = {player["seat"]: by_name[player["player"]] for player in game["players"]}
    actor = 1
    for seq, token in enumerate(script.split()):
        do, fields = ("give", {"piece": token[1]}) if token[0] == "@" else ("place", {"square": token})
        answer = seats[actor].post_action(game_id, do, seq, **fields)
        assert answer.status_code == 200, answer.text
        if do == "give":
            actor = 3 - actor


def verified(server: Pair) -> dict[str, str]:
    """The counts of `verify`, which must have found no difference."""
    return verified_at(server.database)


def verified_at(database: Path | str) -> dict[str, str]:
    """The same, of a database that nobody need serve."""
    run = manage(database, "verify")
    assert run.returncode == 0, run.stdout + run.stderr
    return dict(line.rsplit(": ", 1) for line in run.stdout.splitlines())
