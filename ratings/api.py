"""Players and rating lists for programs."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ratings import queries
from ratings.models import Player, Pool, Rating


class PoolRating(serializers.Serializer[Any]):
    """A rating in one pool, rounded to whole points."""

    pool = serializers.ChoiceField(choices=Pool.choices)
    rating = serializers.IntegerField(source="now.rating")
    games = serializers.IntegerField(source="now.games")
    provisional = serializers.BooleanField(source="now.provisional")


class PlayerProfile(serializers.Serializer[Any]):
    """A player and his ratings, the pool with most games first."""

    player = serializers.CharField(source="player.username")
    name = serializers.CharField(source="player.name")
    guest = serializers.BooleanField(source="player.is_guest")
    joined = serializers.DateTimeField(source="player.joined_at")
    ratings = PoolRating(many=True)


class ListedRating(serializers.Serializer[Any]):
    """A place in a rating list."""

    rank = serializers.IntegerField()
    player = serializers.CharField(source="player.username")
    name = serializers.CharField(source="player.name")
    rating = serializers.IntegerField(source="now.rating")
    games = serializers.IntegerField(source="now.games")
    provisional = serializers.BooleanField(source="now.provisional")


class PlayerView(APIView):
    @extend_schema(
        operation_id="player",
        summary="A player and his ratings",
        responses={200: PlayerProfile, 404: OpenApiResponse(description="There is no such player.")},
    )
    def get(self, request: Request, username: str) -> Response:
        try:
            profile = queries.profile(username)
        except Player.DoesNotExist as error:
            raise Http404 from error
        return Response(PlayerProfile(profile).data)


class RatingListView(ListAPIView[Rating]):
    serializer_class = ListedRating
    queryset = Rating.objects.none()  # for the schema

    @extend_schema(
        operation_id="ratings",
        summary="A pool's rating list, best first",
        parameters=[
            OpenApiParameter("pool", enum=Pool.values, default=Pool.L.value, description="The rating pool."),
            OpenApiParameter("name", description="Only players in whose name this occurs."),
        ],
        responses={
            200: ListedRating(many=True),
            400: OpenApiResponse(description="There is no such rating pool."),
        },
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        asked = request.query_params
        ratings = queries.rating_list(asked.get("pool", Pool.L.value), name=asked.get("name", ""))
        return self.get_paginated_response(ListedRating(self.paginate_queryset(ratings), many=True).data)
