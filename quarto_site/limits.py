"""How often one address may sign up or try to sign in, counted in this process.

How often one account may be tried is counted in the database (`services.tries`).

One number an address: the moment at which what it has spent is paid back (the generic cell rate
algorithm). Safe under threads.
"""

import ipaddress
import math
import threading
import time

from django.conf import settings
from django.http import HttpRequest

SECOND_NS = 1_000_000_000
HOUR_NS = 3_600_000_000_000
MINUTE_NS = 60_000_000_000
ADDRESSES_BEFORE_SWEEP = 10_000


class Allowance:
    """So many events in each period for every address, all of them at once if it likes."""

    def __init__(self, period_ns: int) -> None:
        self._period_ns = period_ns
        self._paid_back_ns: dict[str, int] = {}
        self._lock = threading.Lock()

    def spend(self, address: str, count: int, now_ns: int) -> bool:
        """Counts one event of `address`, where `count` a period are allowed; False when it is one too many."""
        if count < 1:
            return False
        source = network_of(address)
        with self._lock:
            due_ns = max(now_ns, self._paid_back_ns.get(source, 0)) + self._period_ns // count
            if due_ns - now_ns > self._period_ns:
                return False
            if len(self._paid_back_ns) >= ADDRESSES_BEFORE_SWEEP:
                self._sweep(now_ns)
            self._paid_back_ns[source] = due_ns
            return True

    def step_s(self, count: int) -> int:
        """Seconds after which one more is possible, at the latest."""
        return math.ceil(self._period_ns / max(1, count) / SECOND_NS)

    def _sweep(self, now_ns: int) -> None:
        self._paid_back_ns = {source: due for source, due in self._paid_back_ns.items() if due > now_ns}


def address_of(request: HttpRequest) -> str:
    """The visitor's network address; of what a header claims only a trusted proxy's word counts (`proxies`)."""
    return str(request.META.get("REMOTE_ADDR", ""))


def network_of(address: str) -> str:
    """Who shares an allowance: an IPv4 address, or the /64 that one IPv6 subscriber has.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3::4")
    ('192.0.2.7', '2001:db8:1:2::')
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if ip.version == 4:
        return address
    mapped = ip.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_address(int(ip) >> 64 << 64))


_sign_ups = Allowance(HOUR_NS)
_sign_ins = Allowance(MINUTE_NS)


def sign_up_wait(address: str) -> int:
    """Counts a sign-up; 0, or the seconds to wait where it is one too many."""
    return _wait(_sign_ups, address, settings.SIGNUPS_PER_HOUR)


def sign_in_wait(address: str) -> int:
    """Counts an attempt to sign in; 0, or the seconds to wait where it is one too many."""
    return _wait(_sign_ins, address, settings.SIGN_INS_PER_MINUTE)


def _wait(allowance: Allowance, address: str, count: int) -> int:
    return 0 if allowance.spend(address, count, time.monotonic_ns()) else allowance.step_s(count)
