"""Games for programs: lists, one game, its record, and actions for those without a websocket."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import exceptions, generics, serializers
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.errors import Unavailable
from games.frames import ACTIONS, ID_LIMIT, action_in, reply_id_of
from games.models import Game, Status
from games.queries.games import GameList, as_object, find_game, record_text
from games.referee import UNAVAILABLE, Command, Ruling, referee
from games.servertime import now_ms

STATUS_OF_CODE = {
    "bad_request": 400,
    "not_a_player": 403,
    "forbidden": 403,
    "not_found": 404,
    "rate_limited": 429,
    "unavailable": 503,
}


class PlayerInGame(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    player = serializers.CharField()
    name = serializers.CharField()
    rating = serializers.IntegerField()
    provisional = serializers.BooleanField()


class GameSchema(serializers.Serializer[Any]):
    """The `game` object of the game socket, with its `state`."""

    type = serializers.CharField()
    id = serializers.CharField()
    rules = serializers.CharField()
    claims = serializers.CharField()
    control = serializers.CharField()
    rated = serializers.BooleanField()
    players = PlayerInGame(many=True)
    you = serializers.IntegerField(allow_null=True)
    tournament = serializers.DictField(allow_null=True)
    state = serializers.DictField()


class GameObject(GameSchema):
    """Writes a row as the object that the schema describes."""

    class Meta:
        ref_name = "GameObject"

    def to_representation(self, instance: Game) -> dict[str, Any]:
        return as_object(instance, player_id_of(self.context["request"]))


@extend_schema_field({"oneOf": [{"type": "string", "maxLength": ID_LIMIT}, {"type": "integer"}]})
class OwnId(serializers.Field[Any, Any, Any, Any]):
    """The client's own id of a frame."""


class ActionSchema(serializers.Serializer[Any]):
    """An action; `piece`, `square` or `line` as `do` asks for."""

    do = serializers.ChoiceField(choices=sorted(ACTIONS))
    seq = serializers.IntegerField()
    id = OwnId(required=False)
    piece = serializers.CharField(required=False)
    square = serializers.CharField(required=False)
    line = serializers.CharField(required=False)


class ReplySchema(serializers.Serializer[Any]):
    type = serializers.CharField()
    id = OwnId(allow_null=True)
    ok = serializers.BooleanField()
    seq = serializers.IntegerField()
    code = serializers.CharField(required=False)
    detail = serializers.CharField(required=False)
    state = serializers.DictField(required=False)


class PlainText(BaseRenderer):
    media_type = "text/plain"
    format = "txt"

    def render(self, data: Any, media_type: str | None = None, context: Any = None) -> bytes:
        return data.encode() if isinstance(data, str) else JSONRenderer().render(data)


def player_id_of(request: Request) -> int | None:
    """The player of whoever asks, or None."""
    user = request.user
    return user.player.pk if user.is_authenticated and hasattr(user, "player") else None


class Games(generics.ListAPIView[Game]):
    """Games, the newest first; `status=live` are all that are not over."""

    serializer_class = GameObject
    queryset = Game.objects.none()  # for the schema
    permission_classes = [AllowAny]

    @extend_schema(
        parameters=[OpenApiParameter("status", str, enum=[*Status.values])], responses=GameSchema(many=True)
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        status = request.GET.get("status") or None
        if status is not None and status not in Status.values:
            raise exceptions.ParseError(_("status must be waiting, live, paused or over."))
        found = self.paginate_queryset(GameList(status))
        return self.get_paginated_response(self.get_serializer(found, many=True).data)


class OneGame(APIView):
    """A game and its present state."""

    permission_classes = [AllowAny]

    @extend_schema(responses=GameSchema)
    def get(self, request: Request, game_id: str) -> Response:
        return Response(as_object(_game(game_id), player_id_of(request)))


class Record(APIView):
    """The record of a game, as a text."""

    permission_classes = [AllowAny]
    renderer_classes = [PlainText, JSONRenderer]

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, game_id: str) -> HttpResponse:
        return HttpResponse(record_text(_game(game_id)), content_type="text/plain; charset=utf-8")


class Actions(APIView):
    """An action on a game: the same body and the same reply as on its socket."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        request=ActionSchema,
        responses={200: ReplySchema, 400: ReplySchema, 403: ReplySchema, 409: ReplySchema,
                   503: OpenApiResponse(ReplySchema, description="Try again.")},
    )  # fmt: skip
    def post(self, request: Request, game_id: str) -> HttpResponse:
        get_object_or_404(Game.objects.only("pk"), pk=game_id)
        received_ms = getattr(request._request, "scope", {}).get("quarto.received_ms") or now_ms()
        frame = _frame_in(request)
        action, seq = action_in(frame) or (None, 0)
        command = Command(
            game_id, player_id_of(request), action, seq, received_ms, lambda ruling: None, reply_id_of(frame)
        )
        ruling = _ask(command)
        status = 200 if ruling.code is None else STATUS_OF_CODE.get(ruling.code, 409)
        return HttpResponse(ruling.reply(reply_id_of(frame)), status=status, content_type="application/json")


def _frame_in(request: Request) -> dict[str, Any]:
    """What was sent; an empty frame where it cannot be understood, so that the game's own reply says so."""
    try:
        return dict(request.data)
    except exceptions.ParseError:
        return {}


def _ask(command: Command) -> Ruling:
    try:
        return referee.ask(command)
    except Unavailable:
        return UNAVAILABLE


def _game(game_id: str) -> Game:
    game = find_game(game_id)
    if game is None:
        raise exceptions.NotFound
    return game
