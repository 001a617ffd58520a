"""The server's time: wall time at the start, carried on by the monotonic clock.

A stepped wall clock is not time: deadlines must not jump with it. Small differences (NTP slewing)
are followed at half a millisecond a second, so that machines which run for weeks stay together.
"""

import time


class ServerClock:
    """Milliseconds since the epoch that never step and never run backwards."""

    SLEW_NS_PER_STEP = 500_000

    def __init__(self) -> None:
        self._offset_ns = time.time_ns() - time.monotonic_ns()

    def now_ms(self) -> int:
        return (time.monotonic_ns() + self._offset_ns) // 1_000_000

    def follow_wall(self) -> None:
        """Moves towards the wall clock by one small step; called once a second."""
        away_ns = time.time_ns() - time.monotonic_ns() - self._offset_ns
        self._offset_ns += max(-self.SLEW_NS_PER_STEP, min(self.SLEW_NS_PER_STEP, away_ns))

    def shift(self, ms: int) -> None:
        """Goes on from another moment: for a process that makes up games of the past, never a server."""
        self._offset_ns += ms * 1_000_000


clock = ServerClock()
now_ms = clock.now_ms
