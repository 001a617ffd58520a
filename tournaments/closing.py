"""Closing rounds after the commit that ended their last game, in a thread of its own.

The referee hands over the tournament's address and goes on judging. Nothing is lost with the
queue: a server that starts catches up, and whoever pairs the next round notes what has ended as well.
"""

import logging
import queue
import threading

from django.db import connection

from tournaments.models import Tournament
from tournaments.services.rounds import conclude

logger = logging.getLogger(__name__)


class Closer:
    """One thread, begun at the first call. Calls for one tournament that wait together are one."""

    def __init__(self) -> None:
        self._slugs: queue.Queue[str] = queue.Queue()
        self._waiting: set[str] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def soon(self, slug: str) -> None:
        with self._lock:
            if slug in self._waiting:
                return
            self._waiting.add(slug)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="closer", daemon=True)
                self._thread.start()
        self._slugs.put(slug)

    def wait(self) -> None:
        """Returns when everything that was handed over is done."""
        self._slugs.join()

    def _run(self) -> None:
        while True:
            slug = self._slugs.get()
            with self._lock:
                self._waiting.discard(slug)
            try:
                conclude(slug=slug)
            except Exception:
                # Whatever it was: the next tournament must still be closed.
                logger.exception("tournament %s: its round was not closed", slug)
            finally:
                connection.close()
                self._slugs.task_done()


closer = Closer()
soon, wait = closer.soon, closer.wait


def catch_up() -> None:
    """Hands over every running tournament: a process may have died between a commit and its closing."""
    for slug in Tournament.objects.filter(status=Tournament.Status.RUNNING).values_list("slug", flat=True):
        soon(slug)
    connection.close()
