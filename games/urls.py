"""The addresses of games: pages, and those under /api/."""

from django.urls import path

from games import player_urls, views
from games.api import challenges, game_urls

urlpatterns = [
    path("games/<str:game_id>/", views.game, name="game"),
    path("games/<str:game_id>/rematch/", views.rematch, name="rematch"),
    path("challenges/", views.challenge, name="challenge"),
    path("challenges/<str:challenge_id>/accept/", views.accept, name="challenge_accept"),
    path("challenges/<str:challenge_id>/decline/", views.decline, name="challenge_decline"),
    path("challenges/<str:challenge_id>/cancel/", views.cancel, name="challenge_cancel"),
    *player_urls.urlpatterns,
]

api_urlpatterns = [
    *game_urls.urlpatterns,
    path("games/<str:game_id>/rematch/", challenges.Rematch.as_view(), name="api_rematch"),
    path("challenges/", challenges.Challenges.as_view(), name="api_challenges"),
    path("challenges/<str:challenge_id>/", challenges.OneChallenge.as_view(), name="api_challenge"),
    path("challenges/<str:challenge_id>/accept/", challenges.Accept.as_view(), name="api_challenge_accept"),
    path(
        "challenges/<str:challenge_id>/decline/", challenges.Decline.as_view(), name="api_challenge_decline"
    ),
    path("challenges/<str:challenge_id>/cancel/", challenges.Cancel.as_view(), name="api_challenge_cancel"),
]
