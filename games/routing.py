"""The addresses of the sockets."""

from typing import Any

from django.urls import path, re_path

from games.consumers import GameSocket, LobbySocket, MySocket, NoSuchSocket
from games.sockets import Socket


def serves(socket: type[Socket]) -> Any:
    """A socket as a route's target (Django's own types know only views)."""
    return socket.as_asgi()


websocket_urlpatterns = [
    path("ws/games/<str:game_id>/", serves(GameSocket)),
    path("ws/lobby/", serves(LobbySocket)),
    path("ws/me/", serves(MySocket)),
]
websocket_fallback = [re_path("", serves(NoSuchSocket))]
