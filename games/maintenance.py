"""The referee's part in maintenance: games are held while it lasts, and let go when it is over.

One row says that there is maintenance. Each process looks every second and brings about what the row
says: while it is there, whatever game runs is paused and noted as held, also one that was started a
moment ago; when it has gone, the held games, and no others, go on with the time they had.
"""

import logging
import time
from collections.abc import Callable, Collection
from contextlib import suppress

from django.db import InterfaceError, OperationalError, transaction

from games.arbiter import pause, resume
from games.bench import Bench
from games.collisions import again
from games.live import Update, publisher
from games.models import Game, HeldGame
from games.notice import change, notice_frame
from games.queries.maintenance import present_notice
from games.rules import IllegalAction
from games.servertime import now_ms
from games.state import settle

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
AT_ONCE = 200


class Caretaker:
    """This process's part. A game that cannot be read is left alone, once it has been said."""

    def __init__(self) -> None:
        self._notice: str | None = None
        self._look_at, self._is_due = 0.0, False
        self._left_alone: set[str] = set()

    def look(self) -> None:
        """Called in every pass: where a second has passed, looks whether there is maintenance and tells everybody."""
        if time.monotonic() < self._look_at:
            return
        self._notice = present_notice()
        if change(self._notice):
            logger.info("maintenance: %s", self._notice or "over")
            publisher.announce(notice_frame())
        self._look_at, self._is_due = time.monotonic() + LOOK_EVERY_S, True

    def tend(self) -> None:
        """Called in every pass that may judge: as often, and until all is done, holds games or lets them go."""
        if not self._is_due:
            return
        if self._notice is None:
            done = self._each(held_games(except_for=self._left_alone), release)
        else:
            done = self._each(running_games(except_for=self._left_alone), hold)
        self._is_due = done >= AT_ONCE

    def _each(self, game_ids: list[str], do: Callable[[Collection[str]], list[Update]]) -> int:
        """Does it to all of them, or to one after the other where one spoils it. How many they were."""
        if not game_ids:
            return 0
        try:
            publisher.updates([], again(do, game_ids))
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            if len(game_ids) > 1:
                return sum(self._each([pk], do) for pk in game_ids)
            [pk] = game_ids
            logger.exception("game %s: maintenance cannot hold it or let it go", pk, extra={"game": pk})
            self._left_alone.update(game_ids)
        return len(game_ids)


def running_games(*, except_for: Collection[str] = ()) -> list[str]:
    """Games whose clock runs, at most as many as are held at once."""
    running = Game.objects.filter(deadline_ms__isnull=False).exclude(pk__in=except_for)
    return list(running.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])


def held_games(*, except_for: Collection[str] = ()) -> list[str]:
    """Games that maintenance has paused, at most as many as are let go at once."""
    held = HeldGame.objects.exclude(pk__in=except_for)
    return list(held.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])


def hold(game_ids: Collection[str]) -> list[Update]:
    """Pauses games in one transaction, where there is maintenance; returns what is to be published.

    A game whose time is up is left to the sweep, which waits for what was received in time.
    """
    with transaction.atomic():
        bench = Bench(game_ids, skip_locked=True)
        reason = present_notice()
        if reason is None:
            return []
        at_ms = now_ms()
        held = []
        for pk, state in list(bench.states.items()):
            if settle(state, at_ms=at_ms) is not state:
                continue
            with suppress(IllegalAction):
                bench.take(pk, pause(state, at_ms, reason))
                held.append(HeldGame(pk))
        bench.write()
        HeldGame.objects.bulk_create(held, ignore_conflicts=True)
    return bench.updates


def release(game_ids: Collection[str]) -> list[Update]:
    """Lets held games go on in one transaction, where there is no maintenance; returns what is to be published.

    Asked under the locks of the games: another process may have heard of maintenance before this one, and have
    held them for it. Those that have ended meanwhile by an arbiter's word are only struck off.
    """
    with transaction.atomic():
        bench = Bench(game_ids, skip_locked=True)
        if present_notice() is not None:
            return []
        held = list(HeldGame.objects.filter(pk__in=bench.games).values_list("pk", flat=True))
        at_ms = now_ms()
        for pk in held:
            with suppress(IllegalAction):
                bench.take(pk, resume(bench.states[pk], at_ms))
        bench.write()
        HeldGame.objects.filter(pk__in=held).delete()
    return bench.updates
