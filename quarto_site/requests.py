"""What an operator is told of each request: an id in every line of its log, its route, status and time."""

import logging
import time
from functools import partial

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from quarto_site import metrics
from quarto_site.logs import new_request_id, request_id
from quarto_site.middleware import Finish, Middleware

logger = logging.getLogger(__name__)

ID_HEADER = "X-Request-ID"


class RequestMiddleware(Middleware):
    """The outermost. Its id is made here and told in a header; what a client calls its request counts for nothing.

    The id stays set after the answer: the last lines about a request are written then, and the next
    request in the same context brings its own.
    """

    def begin(self, request: HttpRequest) -> Finish:
        request_id.set(new_request_id())
        return partial(_noted, request, time.perf_counter())


def _noted(request: HttpRequest, begun: float, response: HttpResponseBase) -> HttpResponseBase:
    elapsed_s = time.perf_counter() - begun
    metrics.REQUEST_S.labels(route_of(request), response.status_code).observe(elapsed_s)
    response.headers[ID_HEADER] = request_id.get() or ""
    if logger.isEnabledFor(logging.DEBUG):
        about = {
            "method": request.method,
            "route": route_of(request),
            "status": response.status_code,
            "ms": round(elapsed_s * 1000, 1),
            "address": request.META.get("REMOTE_ADDR"),
        }
        logger.debug("answered", extra=about)
    return response


def route_of(request: HttpRequest) -> str:
    """The pattern of the address, such as `games/<str:game_id>/`: it names neither a game nor a person."""
    if request.resolver_match is not None:
        return str(request.resolver_match.route) or "/"
    return "static" if request.path.startswith(settings.STATIC_URL) else "none"
