import time

from games.servertime import ServerClock


def test_it_begins_with_the_wall_clock():
    before = time.time_ns() // 1_000_000
    now = ServerClock().now_ms()
    assert before - 1 <= now <= time.time_ns() // 1_000_000 + 1


def test_a_wall_clock_that_steps_is_followed_by_half_a_millisecond_at_a_time():
    clock = ServerClock()
    for stepped_ns in (3_600_000_000_000, -3_600_000_000_000):
        clock._offset_ns = time.time_ns() - time.monotonic_ns() - stepped_ns
        before = clock._offset_ns
        clock.follow_wall()
        assert clock._offset_ns - before == (500_000 if stepped_ns > 0 else -500_000)
