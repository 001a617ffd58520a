"""Browsers that their owner has signed in with before.

Somebody who guesses at an account uses up its tries; its owner must not be kept out by that. A
browser that has signed in to an account keeps a signed mark of it, and its tries are counted apart.
The mark opens nothing: without the password it is worth no more than a bucket of tries.
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from quarto_site.names import key

COOKIE = "device"
SALT = "quarto.device"
KEPT_FOR_S = 365 * 24 * 3600


def device_of(request: HttpRequest, username: str) -> str:
    """This browser's own number for an account; empty where it never signed in to it."""
    try:
        account, number = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT_FOR_S)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(number) if account == key(username) else ""


def remember(request: HttpRequest, response: HttpResponse, username: str) -> None:
    """Marks the browser that has just signed in to an account."""
    number = device_of(request, username) or secrets.token_urlsafe(12)
    response.set_cookie(
        COOKIE,
        signing.dumps([key(username), number], salt=SALT),
        max_age=KEPT_FOR_S,
        path="/accounts/",
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
