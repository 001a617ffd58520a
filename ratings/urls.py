"""Addresses of rating lists and players."""

from django.urls import path

from ratings import api, views

urlpatterns = [path("ratings/", views.rating_list, name="ratings")]

api_urlpatterns = [
    path("players/<str:username>/", api.PlayerView.as_view(), name="api_player"),
    path("ratings/", api.RatingListView.as_view(), name="api_ratings"),
]
