"""Whether the process lives, and whether it can serve."""

import logging

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from games.live import layer_is_heard
from games.models import Heartbeat
from games.queries.maintenance import present_notice
from games.servertime import now_ms

logger = logging.getLogger(__name__)

HEARTBEAT_FRESH_MS = 5_000


@require_safe
async def healthz(request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers; it asks nobody else."""
    return JsonResponse({"status": "alive"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 where the database answers and games were judged within five seconds, else 503.

    Where several processes serve the site it also says whether the channel layer is heard. Without
    it moves are judged and boards go on, two seconds late: no reason to send everybody away. Nor is
    maintenance, which is said as well: pages and boards are to be seen, with its notice.
    """
    try:
        beat_ms = Heartbeat.objects.values_list("beat_ms", flat=True).first()
        maintenance: bool | None = present_notice() is not None
        database = True
    except DatabaseError as error:
        logger.error("the database is away: %s", error)
        beat_ms, maintenance, database = None, None, False
    heartbeat = beat_ms is not None and now_ms() - beat_ms < HEARTBEAT_FRESH_MS
    is_ready = database and heartbeat
    checks = {
        "status": "ready" if is_ready else "not ready",
        "database": database,
        "heartbeat": heartbeat,
        "maintenance": maintenance,
    }
    layer = layer_is_heard()
    if layer is not None:
        checks["layer"] = layer
    return JsonResponse(checks, status=200 if is_ready else 503)
