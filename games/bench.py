"""The bench: the games of one transaction, read and locked, judged, and written at its end.

Everything the referee and the arbiter's services do to games goes through here, so there is one
way a game changes: lock the rows in order of their ids, compute new states, write them guarded by
`seq`, and for a game that ends, rate it and tell the rest of the site, all in one transaction.
"""

import json
import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial

from django.db import connection, transaction

from games.collisions import collided
from games.encoding import encode
from games.errors import NoSuchGame
from games.frames import board_frame, state_frame
from games.judge import Action, GameState, Judgement, judge, rated
from games.live import Update, publisher
from games.models import Game
from games.rows import forget, known_state_of, remember, values_of
from games.servertime import now_ms
from games.signals import game_finished
from games.stored import StoredGame, read, write
from ratings.services import lock_ratings, rate_game

logger = logging.getLogger(__name__)

HALF_POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}


class Bench:
    """Use inside `transaction.atomic()`. `updates` are the states to publish after the commit.

    With `skip_locked`, games that another process has on its bench at this moment are left to it.
    """

    def __init__(self, game_ids: Iterable[str], *, skip_locked: bool = False) -> None:
        self.games: dict[str, StoredGame] = read(set(game_ids), skip_locked=skip_locked)
        self.states: dict[str, GameState] = {pk: known_state_of(row) for pk, row in self.games.items()}
        self.updates: list[Update] = []

    def judge(self, game_id: str, seat: int | None, action: Action, seq: int, at_ms: int) -> Judgement:
        """Judges one action of one seat at the moment it was received."""
        judgement = judge(self.states[game_id], seat, action, seq=seq, at_ms=at_ms)
        self.take(game_id, judgement.state)
        return judgement

    def take(self, game_id: str, state: GameState) -> None:
        """Accepts a game's next state."""
        if state.seq == self.states[game_id].seq:
            return
        self.states[game_id] = state
        self.updates.append(self._update(self.games[game_id], state))

    def state_bytes(self, game_id: str) -> bytes:
        return encode(state_frame(game_id, self.states[game_id], at_ms=now_ms()))

    def write(self, *, commits: bool = False) -> None:
        """Writes what changed; ends what ended. Raises LostUpdate where a row was not as read.

        `commits` says that nothing else is to come in this transaction, which may then end with the writing.
        """
        now = now_ms()
        changed = {pk: state for pk, state in self.states.items() if state.seq != self.games[pk].seq}
        written = {
            pk: values_of(state, now if state.status == "over" else None) for pk, state in changed.items()
        }
        ended = {pk: state for pk, state in changed.items() if state.status == "over"}
        changes = [(self.games[pk], values) for pk, values in written.items()]
        write(changes, commits=commits and not ended)
        for pk, values in written.items():
            remember(self.games[pk].after(values), changed[pk])
        if ended:
            self._end(ended)

    def _end(self, ended: dict[str, GameState]) -> None:
        games = [self.games[pk] for pk, state in ended.items() if _counts(self.games[pk], state)]
        lock_ratings(
            (player_id, ended[game.id].position.rules.lines)
            for game in games
            for player_id in (game.seat1_id, game.seat2_id)
        )
        for game in Game.objects.filter(pk__in=ended).order_by("pk"):
            forget(game.pk)
            _end(game, ended[game.pk])

    def _update(self, game: StoredGame, state: GameState) -> Update:
        at_ms = now_ms()
        frame = encode(state_frame(game.id, state, at_ms=at_ms))
        if game.event is None:
            return Update(game.id, state.seq, frame, None, b"")
        event = json.loads(game.event)
        return Update(game.id, state.seq, frame, event["slug"], encode(board_frame(game.id, state, event)))


def _counts(game: Game | StoredGame, state: GameState) -> bool:
    """Whether a finished game changes ratings."""
    return bool(game.rated) and state.result is not None and rated(state)


def _end(game: Game, state: GameState) -> None:
    """Rates a game and tells the site, in the transaction that ends it."""
    assert game.ended_ms is not None
    if _counts(game, state):
        assert state.result is not None
        rate_game(
            game_id=game.pk,
            pool=state.position.rules.lines,
            starter_id=game.seat1_id,
            second_id=game.seat2_id,
            half_points=HALF_POINTS[state.result],
            rated_at=datetime.fromtimestamp(game.ended_ms / 1000, tz=UTC),
        )
    try:
        with transaction.atomic():
            game_finished.send(sender=Game, game=game)
    except Exception as error:
        if collided(error):
            raise  # all of it is judged again
        if connection.needs_rollback:
            raise  # nothing of it can be written: Django would end it without a word, and it would be told
        # The game and its ratings stand; what the receiver would have written is repaired later.
        logger.exception("game %s: its end was not taken over by its event", game.pk, extra={"game": game.pk})


def intervene(game_ids: Iterable[str], change: Callable[[GameState, int], GameState]) -> None:
    """Changes several games in one transaction and publishes after its commit.

    `change` gets each state and the present moment; what it raises undoes all of it. Raises NoSuchGame.
    """
    wanted = set(game_ids)
    with transaction.atomic():
        bench = Bench(wanted)
        if wanted != bench.games.keys():
            raise NoSuchGame
        at_ms = now_ms()
        for pk, state in list(bench.states.items()):
            bench.take(pk, change(state, at_ms))
        bench.write()
        transaction.on_commit(partial(publisher.updates, [], bench.updates))
