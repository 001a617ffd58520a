"""How often a password may be tried, counted in the database for all processes together.

One number a bucket: the moment at which what was taken from it is paid back (the generic cell rate
algorithm). A try is taken by one statement, so that no number of requests at once gets one more.
"""

import math
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from games.servertime import now_ms
from quarto_site.models import Tries

SWEEP_AT_MOST = 100

# A bucket that is paid back in twice its period or more was filled by a clock that was set back since.
TAKE = """
INSERT INTO quarto_site_tries AS old (bucket, paid_back_ms) VALUES (%(bucket)s, %(now)s + %(step)s)
ON CONFLICT (bucket) DO UPDATE SET paid_back_ms = %(step)s + CASE
    WHEN old.paid_back_ms BETWEEN %(now)s AND %(now)s + 2 * %(period)s THEN old.paid_back_ms ELSE %(now)s END
WHERE old.paid_back_ms <= %(now)s + %(period)s - %(step)s OR old.paid_back_ms > %(now)s + 2 * %(period)s
"""


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many tries at once, and one back every `step_ms`."""

    name: str
    tries: int
    step_ms: int

    @property
    def period_ms(self) -> int:
        return self.tries * self.step_ms


BY_SOURCE = Bucket("source", tries=10, step_ms=30_000)
"""Of one account from one network, or from one browser that its owner has used."""
FROM_ANYWHERE = Bucket("anywhere", tries=100, step_ms=3_000)
"""Of one account from all networks that are not known to it."""


def take(bucket: Bucket, *whose: str) -> int:
    """Takes one try; returns 0, or for how many seconds there is none."""
    key, now = key_of(bucket, *whose), now_ms()
    values: dict[str, str | int] = {
        "bucket": key,
        "now": now,
        "step": bucket.step_ms,
        "period": bucket.period_ms,
    }
    with connection.cursor() as cursor:
        cursor.execute(TAKE, values)
        taken = cursor.rowcount == 1
    if taken:
        _sweep(now)
        return 0
    paid_back_ms = Tries.objects.filter(pk=key).values_list("paid_back_ms", flat=True).first() or now
    return max(1, math.ceil((paid_back_ms + bucket.step_ms - bucket.period_ms - now_ms()) / 1000))


def give_back(bucket: Bucket, *whose: str) -> None:
    """A try that was right costs nothing."""
    Tries.objects.filter(pk=key_of(bucket, *whose)).update(paid_back_ms=F("paid_back_ms") - bucket.step_ms)


def key_of(bucket: Bucket, *whose: str) -> str:
    """Keyed, since people type passwords where names belong."""
    return salted_hmac("quarto.tries", "\0".join((bucket.name, *whose)), algorithm="sha256").hexdigest()


def _sweep(now: int) -> None:
    """Drops some buckets that are full again: at least as many as are begun, in the long run."""
    full = Tries.objects.filter(paid_back_ms__lt=now)
    keys = list(full.order_by("paid_back_ms").values_list("pk", flat=True)[:SWEEP_AT_MOST])
    if keys:
        with transaction.atomic():
            free = full.filter(pk__in=keys).select_for_update(skip_locked=True)
            Tries.objects.filter(pk__in=list(free.values_list("pk", flat=True))).delete()
