"""The addresses of games under /api/."""

from django.urls import path

from games.api.events import events
from games.api.games import Actions, Games, OneGame, Record

urlpatterns = [
    path("games/", Games.as_view()),
    path("games/<str:game_id>/", OneGame.as_view()),
    path("games/<str:game_id>/record/", Record.as_view()),
    path("games/<str:game_id>/actions/", Actions.as_view()),
    path("games/<str:game_id>/events/", events),
]
