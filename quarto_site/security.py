"""Headers that keep pages to themselves, and a log without the traces that strangers cause."""

import logging
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

CSP = "Content-Security-Policy"
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'self'",
}
HEADERS = {
    "Cache-Control": "no-cache, private",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def policy(**changes: str) -> str:
    """The site's content security policy, with directives changed (`style_src="..."`)."""
    changed = {name.replace("_", "-"): sources for name, sources in changes.items()}
    return "; ".join(f"{name} {sources}" for name, sources in (POLICY | changed).items())


SITE_POLICY = policy()


class ContentSecurityPolicyMiddleware:
    """Adds the headers to every answer; a view that set its own policy keeps it."""

    sync_capable = True
    async_capable = True

    def __init__(
        self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]
    ) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        answer = self.get_response(request)
        return with_headers(answer) if isinstance(answer, HttpResponseBase) else self._later(answer)

    async def _later(self, answer: Awaitable[HttpResponseBase]) -> HttpResponseBase:
        return with_headers(await answer)


def with_headers(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault(CSP, SITE_POLICY)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


class WithoutStrangersTraces(logging.Filter):
    """Keeps the sentence, drops the traceback of what only a stranger's request can cause."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security"):
            record.exc_info = record.exc_text = None
        return True
