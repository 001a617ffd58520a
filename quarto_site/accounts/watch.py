"""Looks every second whose access has ended, and at the sockets that stood on it.

Nothing that is said to a process need arrive for that: a ban on the command line, or a sign-out while
the channel layer is away, is found in the database by every process that serves the site.
"""

import asyncio
import logging
import time
from datetime import timedelta

from django.db import DatabaseError

from games.background import Background
from games.healing import look_again, show_seeks
from games.readers import read
from quarto_site.accounts.queries import rooms_ended

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
OVERLAP = timedelta(seconds=5)  # for what was committed late, and for a socket that was just opening


class Watch(Background):
    """Looks every second."""

    async def _run(self) -> None:
        looked_at, known = time.monotonic(), set[str]()
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            now = time.monotonic()
            try:
                rooms = await read(rooms_ended, timedelta(seconds=now - looked_at) + OVERLAP)
                await look_again(rooms)
                if any(room.startswith("user:") for room in rooms if room not in known):
                    await show_seeks()  # whoever was banned seeks no more
                looked_at, known = now, set(rooms)
            except DatabaseError:
                continue  # the referee says so; the next look reaches further back
            except Exception:
                logger.exception("it could not be looked whose access has ended")
