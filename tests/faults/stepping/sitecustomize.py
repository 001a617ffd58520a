"""In a process that finds this file on its path: a wall clock that can be stepped while it runs.

The step, in seconds, stands in the file that `WALL_CLOCK_STEP` names. The monotonic clock is left alone.
"""

import mmap
import os
import struct
import time
from pathlib import Path

with Path(os.environ["WALL_CLOCK_STEP"]).open("rb") as file:
    _step = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)
_time, _time_ns = time.time, time.time_ns


def stepped() -> float:
    return _time() + struct.unpack("q", _step)[0]


def stepped_ns() -> int:
    return _time_ns() + struct.unpack("q", _step)[0] * 1_000_000_000


time.time, time.time_ns = stepped, stepped_ns
