"""How long the tests of faults take: a short form for every day, and a long one (`make faults`)."""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """How often each fault is tried, and how much is at stake."""

    kills: int  # of the only process
    kills_of_one: int  # of two
    stops: int
    sockets: int  # that are open at a stop
    tables: int  # that are played at while something breaks
    away_s: float  # how long the database is away
    restarts: int  # of PostgreSQL and of Redis
    lossy_games: int  # for each table
    full_disks: int
    steps: int  # of the wall clock, in each direction
    half_open: int  # connections without anybody at the other end
    ping_s: int  # after which a quiet socket is asked whether it is still there
    exhaustions: int  # of the pool


FORMS = {
    "short": Form(
        kills=3, kills_of_one=1, stops=1, sockets=200, tables=2, away_s=4, restarts=1, lossy_games=2,
        full_disks=1, steps=1, half_open=30, ping_s=3, exhaustions=1,
    ),
    "long": Form(
        kills=20, kills_of_one=20, stops=5, sockets=200, tables=8, away_s=20, restarts=5, lossy_games=10,
        full_disks=5, steps=5, half_open=200, ping_s=20, exhaustions=3,
    ),
}  # fmt: skip

FORM = FORMS[os.environ.get("QUARTO_TESTS_FAULTS", "short")]
