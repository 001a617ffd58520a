"""The door of the site: pages and REST to Django, websockets to their consumers."""

import os
import re
from typing import Any

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.handlers.asgi import ASGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quarto_site.settings")
django.setup(set_prefix=False)

from django.conf import settings  # noqa: E402 - after Django's set-up

from games import routing as games  # noqa: E402
from quarto_site.proxies import BehindProxies  # noqa: E402
from tournaments import routing as tournaments  # noqa: E402

LONG_POLL = re.compile("/api/games/[^/]+/events/")


class Pages(ASGIHandler):
    """Django, but a long poll gets no thread of its own for as long as it waits.

    Django gives each request one from its first synchronous middleware to its end. What a long poll
    needs a thread for, before and after the wait, is done in the one that all of them share.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if LONG_POLL.fullmatch(scope["path"]):
            await self.handle(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


sockets = URLRouter(
    [*games.websocket_urlpatterns, *tournaments.websocket_urlpatterns, *games.websocket_fallback]
)
application = BehindProxies(
    ProtocolTypeRouter({"http": Pages(), "websocket": sockets}),
    trusted=settings.TRUSTED_PROXIES,
    https=settings.HTTPS,
)
