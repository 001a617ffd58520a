"""The sweep: games whose time is up, and of which nobody says so, are settled.

A game is due 250 ms after its deadline and grace, when every action received until then has been judged.
The sweep looks into the database four times a second for what is due before it looks again, and settles
each at its moment. So it costs little at rest and is hardly late. A deadline that is set after a look is
found by the next, and is not due before: it lies ahead, and the sweep waits those 250 ms.
"""

import logging
import time

from django.db import InterfaceError, OperationalError, transaction

from games import stored, watch
from games.bench import Bench
from games.collisions import again
from games.judge import settle
from games.live import Update, publisher
from games.servertime import now_ms

logger = logging.getLogger(__name__)

AFTER_MS = 250
LOOK_EVERY_MS = 250
SETTLE_EVERY_MS = 25
AT_MOST = 200
SET_ASIDE_MS = 60_000


class Sweep:
    """One process's part. `at_s` is when it is to be called next, by the monotonic clock.

    `_coming` are the games that the last look found and that are not settled yet, each with the moment after
    which time has decided it; `_set_aside` those that could not be settled, and until when nobody tries.
    """

    def __init__(self) -> None:
        self.at_s = 0.0
        self._look_at_s = 0.0
        self._coming: dict[str, int] = {}
        self._set_aside: dict[str, int] = {}

    def go(self, taken_ms: int) -> None:
        """Settles what is due, where everything received up to that moment has been judged."""
        moment_ms, now_s = taken_ms - AFTER_MS, time.monotonic()
        if now_s >= self._look_at_s:
            self._look(moment_ms)
            is_all = len(self._coming) < AT_MOST
            self._look_at_s = now_s + (LOOK_EVERY_MS if is_all else SETTLE_EVERY_MS) / 1000
        due = [pk for pk, over_ms in self._coming.items() if over_ms < moment_ms]
        self._settle(due, moment_ms)
        for pk in due:
            del self._coming[pk]
        wait_ms = min(self._coming.values(), default=moment_ms + LOOK_EVERY_MS) - moment_ms
        self.at_s = min(self._look_at_s, now_s + max(wait_ms, SETTLE_EVERY_MS) / 1000)

    def later(self) -> None:
        """Called where nothing can be settled at this moment."""
        self.at_s = time.monotonic() + SETTLE_EVERY_MS / 1000

    def _look(self, moment_ms: int) -> None:
        self._set_aside = {pk: until for pk, until in self._set_aside.items() if until > moment_ms}
        until_ms = moment_ms + LOOK_EVERY_MS + SETTLE_EVERY_MS
        self._coming = dict(stored.due(until_ms, except_for=self._set_aside, at_most=AT_MOST))

    def _settle(self, due: list[str], moment_ms: int) -> None:
        try:
            publisher.updates([], again(settle_games, due, moment_ms))
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            if len(due) > 1:
                for pk in due:
                    self._settle([pk], moment_ms)
                return
            [pk] = due
            logger.exception("game %s: its deadline could not be settled", pk, extra={"game": pk})
            self._set_aside[pk] = moment_ms + SET_ASIDE_MS


def settle_games(game_ids: list[str], moment_ms: int) -> list[Update]:
    """Lets time decide these games, in one transaction; returns what is to be published.

    Of several processes that sweep, one settles a game and the others pass it over.
    """
    if not game_ids:
        return []
    with transaction.atomic():
        bench = Bench(game_ids, skip_locked=True)
        due = dict(bench.states)
        for pk, state in due.items():
            bench.take(pk, settle(state, at_ms=moment_ms))
        bench.write()
    watch.swept(due.values(), by_ms=now_ms() - AFTER_MS)
    return bench.updates
