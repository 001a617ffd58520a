"""What an operator is told of each request: an id in every line of its log, its route, status and time."""

import logging
import time
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from quarto_site import metrics
from quarto_site.logs import new_request_id, request_id

logger = logging.getLogger(__name__)

ID_HEADER = "X-Request-ID"


class RequestMiddleware:
    """The outermost. Its id is made here and told in a header; what a client calls its request counts for nothing.

    The id stays set after the answer: the last lines about a request are written then, and the next
    request in the same context brings its own.
    """

    sync_capable = True
    async_capable = True

    def __init__(
        self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]
    ) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        begun = time.perf_counter()
        request_id.set(new_request_id())
        answer = self.get_response(request)
        if isinstance(answer, HttpResponseBase):
            return _noted(request, answer, begun)
        return self._later(request, answer, begun)

    async def _later(
        self, request: HttpRequest, answer: Awaitable[HttpResponseBase], begun: float
    ) -> HttpResponseBase:
        return _noted(request, await answer, begun)


def _noted(request: HttpRequest, response: HttpResponseBase, begun: float) -> HttpResponseBase:
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
