"""Clients that vanish without a word: put out in a bounded time, and nobody else notices."""

import time
from contextlib import ExitStack

from tests.clients import Match
from tests.faults.form import FORM
from tests.faults.trial import trial
from tests.stubborn import never_reading

# What play takes by itself; and for each that vanished its socket, with the buffer that is let fill (64 KiB).
GROWTH_KB = 10_000 + 100 * FORM.half_open
# Quiet for so long, asked, and silent for as long again; a busy server finds both out some seconds late.
GONE_AFTER_S = 2 * FORM.ping_s + 15


def test_half_open_connections_are_ended_and_the_board_goes_on(serve, people):
    server = serve(ping_seconds=FORM.ping_s)
    ann, ben = people(server)
    game = ann.challenge(ben)
    with trial(server, "half-open connections", tables=2) as under, ExitStack() as vanished:
        match = Match(server, game, ann, ben)
        memory = server.status("VmRSS")
        path = f"/ws/games/{game}/"
        vanished.enter_context(never_reading(server, path, f"Authorization: Bearer {match.persons[2].token}"))
        for _one in range(FORM.half_open - 1):
            vanished.enter_context(never_reading(server, path))
        begun = time.monotonic()
        match.play("@5 a1 @6 b1")
        match.two.close()
        presence = {"seats": [True, True], "watchers": FORM.half_open}
        while presence["seats"] != [True, False] or presence["watchers"] > 1:
            frame = match.watcher.receive(timeout=GONE_AFTER_S)
            presence = frame if frame["type"] == "presence" else presence
        assert time.monotonic() - begun < GONE_AFTER_S
        under.recovered(begun)
        under.go_on()
        assert server.status("VmRSS") < memory + GROWTH_KB
        match.close()
