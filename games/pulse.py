"""The heartbeat of the judging, and the credit after an outage.

While somebody judges, one row is beaten each second. When nobody beat for more than two seconds,
that was an outage (of the process, the machine or the database): every running deadline is
extended by the gap and ten seconds, once, before anything else is judged.

A process that begins cannot tell whether the last beat was of somebody who still judges. It waits
for the next one, or until there was none for two seconds: so a quick restart is an outage as well,
and takes nothing off a clock.
"""

import logging
from functools import partial

from django.db import InterfaceError, OperationalError, transaction

from games import watch
from games.arbiter import credit
from games.bench import Bench
from games.live import Update, publisher
from games.models import Game, Heartbeat
from games.servertime import clock, now_ms

logger = logging.getLogger(__name__)

BEAT_EVERY_MS = 1_000
OUTAGE_FROM_MS = 2_000


class Pulse:
    """This process's part in the heartbeat."""

    def __init__(self) -> None:
        self._beat_ms: int | None = None
        self._found_ms: int | None = None  # the beat that was there when this process began
        self._ahead_ms = (0, 0)  # a beat of the future, and since when it is known

    def beat(self) -> bool:
        """Called in every pass: beats where a second has passed, and credits an outage.

        Returns whether games may be judged; not yet, while this process begins and may be alone.
        Raises DatabaseError while the database is away: nothing is beaten then, the gap grows.
        """
        if self._beat_ms is not None and now_ms() - self._beat_ms < BEAT_EVERY_MS:
            return True
        with transaction.atomic():
            now = now_ms()  # once the database is there: what was waited for it belongs to this gap
            last_ms = Heartbeat.objects.filter(pk=1).values_list("beat_ms", flat=True).first()
            if self._beat_ms is None and self._may_be_alone(last_ms, now):
                return False
            if last_ms is not None and last_ms > now and not self._stands_still(last_ms, now):
                last_ms = None  # another machine's: set back, its beat would look like an outage to it
            else:
                last_ms = _swap(last_ms, now)
            if last_ms is not None and now - last_ms > OUTAGE_FROM_MS:
                _credit(now - last_ms, now)
                now = now_ms()  # to credit many games may take as long as an outage, and is none
                Heartbeat.objects.filter(pk=1).update(beat_ms=now)
        clock.follow_wall()
        self._beat_ms = now
        watch.beaten(now)
        return True

    def _may_be_alone(self, last_ms: int | None, now: int) -> bool:
        """Whether nobody has beaten since this process began, and not for long enough to say so."""
        self._found_ms = self._found_ms or last_ms
        return last_ms is not None and last_ms == self._found_ms and 0 <= now - last_ms <= OUTAGE_FROM_MS

    def _stands_still(self, last_ms: int, now: int) -> bool:
        """Whether a beat of the future is nobody's who still judges: the clock was set back."""
        if self._ahead_ms[0] != last_ms:
            self._ahead_ms = last_ms, now
        return now - self._ahead_ms[1] > OUTAGE_FROM_MS


def _swap(last: int | None, now: int) -> int | None:
    """Beats after `last`; returns it, or None where this is the first or another was faster."""
    if last is None:
        Heartbeat.objects.bulk_create([Heartbeat(pk=1, beat_ms=now)], ignore_conflicts=True)
        return None
    swapped = Heartbeat.objects.filter(pk=1, beat_ms=last).update(beat_ms=now)
    return last if swapped else None


def _credit(gap_ms: int, at_ms: int) -> None:
    """Credits every running game; one that cannot be read spoils no other."""
    running = list(Game.objects.filter(deadline_ms__isnull=False).values_list("pk", flat=True))
    watch.credited(gap_ms, len(running))
    try:
        updates = _credit_games(running, gap_ms, at_ms)
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        updates = [update for pk in running for update in _credit_alone(pk, gap_ms, at_ms)]
    transaction.on_commit(partial(publisher.updates, [], updates))


def _credit_games(game_ids: list[str], gap_ms: int, at_ms: int) -> list[Update]:
    with transaction.atomic():
        bench = Bench(game_ids)
        for pk, state in list(bench.states.items()):
            bench.take(pk, credit(state, outage_ms=gap_ms, at_ms=at_ms))
        bench.write()
    return bench.updates


def _credit_alone(game_id: str, gap_ms: int, at_ms: int) -> list[Update]:
    try:
        return _credit_games([game_id], gap_ms, at_ms)
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        logger.exception("game %s: the outage could not be credited", game_id, extra={"game": game_id})
        return []
