"""Games against their records."""

from collections import Counter
from collections.abc import Iterator

from games.clock import TimeControl
from games.judge import GameState
from games.models import Game
from games.notation import read_movetext, write_position
from games.replay import replay
from games.rows import state_of
from games.rules import ClaimPolicy, Rules

CHUNK = 500

# What a record decides. The moments of a running clock, the last action and the grace are not in it.
COMPARED = (
    "seq",
    "status",
    "record",
    "offer",
    "false_claims",
    "acted",
    "result",
    "termination",
    "win_lines",
)


def game_differences(counts: Counter[str]) -> Iterator[str]:
    """Replays every stored game, finished or not, from its record and compares."""
    for game in Game.objects.order_by("pk").iterator(chunk_size=CHUNK):
        counts["games"] += 1
        for difference in _differences_of(game):
            yield f"game {game.pk}: {difference}"


def _differences_of(game: Game) -> Iterator[str]:
    try:
        stored, replayed = state_of(game), _replayed(game)
    except ValueError as error:  # a text that cannot be read, or a record that no game can have
        yield str(error)
        return
    yield from _unequal("position", game.position, write_position(replayed.position))
    for name in COMPARED:
        yield from _unequal(name, getattr(stored, name), getattr(replayed, name))
    yield from _unequal("banks", stored.clock.banks, replayed.clock.banks)
    yield from _unequal("spent_ms", stored.clock.spent_ms, replayed.clock.spent_ms)
    if game.deadline_ms != stored.deadline_ms:
        yield f"deadline_ms is {game.deadline_ms}, by its clock {stored.deadline_ms}"
    if not game.draws_allowed and _was_offered_a_draw(game):
        yield "a draw was offered where offers are off"


def _replayed(game: Game) -> GameState:
    return replay(
        game.record,
        rules=Rules.parse(game.rules),
        claims=ClaimPolicy.parse(game.claims),
        control=TimeControl.parse(game.control),
        tournament=game.event is not None,
        termination=game.termination,
    )


def _unequal(name: str, stored: object, replayed: object) -> Iterator[str]:
    if stored != replayed:
        yield f"{name} is {stored}, by its record {replayed}"


def _was_offered_a_draw(game: Game) -> bool:
    items, _result = read_movetext(f"{game.record} *".lstrip())
    return any(item.kind == "offer" for item in items)
