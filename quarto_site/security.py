"""Headers that keep pages to themselves, and a log without the traces that strangers cause."""

import logging

from django.http import HttpRequest, HttpResponseBase

from quarto_site.middleware import Finish, Middleware

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


class ContentSecurityPolicyMiddleware(Middleware):
    """Adds the headers to every answer; a view that set its own policy keeps it."""

    def begin(self, request: HttpRequest) -> Finish:
        return with_headers


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
