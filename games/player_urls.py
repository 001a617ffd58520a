"""The address of a player's page."""

from django.urls import path

from games import players

urlpatterns = [path("players/<str:username>/", players.player, name="player")]
