"""The addresses of the sockets."""

from django.urls import path

from games.routing import serves
from tournaments.consumers import TournamentSocket

websocket_urlpatterns = [path("ws/tournaments/<str:slug>/", serves(TournamentSocket))]
