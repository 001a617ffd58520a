"""Seeks, challenges and rematches for programs."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import exceptions, generics, serializers, status
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.fields import UNDER_MAINTENANCE, Flag, Text, refused
from games.api.games import player_id_of
from games.models import Challenge
from games.queries.challenges import as_object, challenges_for, find_challenge
from games.services import challenges
from games.services.games import Terms
from ratings.models import Player


class ChallengeFields(serializers.Serializer[Any]):
    """What a challenge asks for; `opponent` null is a seek."""

    opponent = Text(required=False, allow_null=True, max_length=32, default=None)
    rules = Text(default="L:F", max_length=4)
    claims = Text(
        required=False,
        allow_null=True,
        max_length=12,
        default=None,
        help_text="Usually `lose` if rated, else `void`.",
    )
    control = Text(default="turn=60", max_length=40)
    rated = Flag(default=False)
    draws_allowed = Flag(default=True, help_text="Whether a draw may be offered.")

    def opponent_and_terms(self) -> tuple[str | None, Terms]:
        fields = dict(self.validated_data)
        opponent = fields.pop("opponent")
        claims = fields.pop("claims") or challenges.usual_claims(rated=fields["rated"])
        return opponent, Terms(claims=claims, **fields)


@extend_schema_serializer(component_name="Challenge")
class ChallengeObject(serializers.Serializer[Challenge]):
    """A challenge; players by their user names."""

    id = serializers.CharField()
    challenger = serializers.CharField()
    opponent = serializers.CharField(allow_null=True, help_text="null in an open seek")
    rules = serializers.CharField()
    claims = serializers.CharField()
    control = serializers.CharField()
    rated = serializers.BooleanField()
    draws_allowed = serializers.BooleanField()
    rematch_of = serializers.CharField(allow_null=True, help_text="the finished game")
    state = serializers.ChoiceField(choices=Challenge.State.choices)
    game = serializers.CharField(allow_null=True, help_text="once it is accepted")

    def to_representation(self, instance: Challenge) -> dict[str, Any]:
        return as_object(instance)


@extend_schema_serializer(component_name="Rematch")
class RematchObject(ChallengeObject):
    """The offer, or the game that came of it."""

    challenge = serializers.CharField(help_text="the offer's id")

    def to_representation(self, instance: Challenge) -> dict[str, Any]:
        return as_object(instance) | {"challenge": instance.pk}


def player_of(request: Request) -> Player:
    """The player of whoever asks; an account without one (a maintainer's) cannot play."""
    player = getattr(request.user, "player", None)
    if player is None:
        raise exceptions.PermissionDenied
    return player


class Challenges(generics.ListAPIView[Challenge]):
    permission_classes = (IsAuthenticatedOrReadOnly,)
    serializer_class = ChallengeObject

    def get_queryset(self) -> Any:
        return challenges_for(player_id_of(self.request))

    @extend_schema(responses=ChallengeObject(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Open seeks, and challenges from and to me."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=ChallengeFields,
        responses={
            201: ChallengeObject,
            400: refused("`bad_request`: the field and what is wrong with it."),
            409: refused("`state`: too many open challenges."),
            503: UNDER_MAINTENANCE,
        },
    )
    def post(self, request: Request) -> Response:
        """Challenge a player, or seek one."""
        fields = ChallengeFields(data=request.data)
        fields.is_valid(raise_exception=True)
        opponent, terms = fields.opponent_and_terms()
        challenge = challenges.create_challenge(challenger=player_of(request), opponent=opponent, terms=terms)
        return Response(ChallengeObject(challenge).data, status.HTTP_201_CREATED)


class OneChallenge(APIView):
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        responses={200: ChallengeObject, 404: refused("`not_found`, also where it is not yours to see.")}
    )
    def get(self, request: Request, challenge_id: str) -> Response:
        """A seek, or a challenge from or to me."""
        challenge = find_challenge(challenge_id, player_id_of(request))
        if challenge is None:
            raise challenges.NoSuchChallenge
        return Response(ChallengeObject(challenge).data)

    @extend_schema(request=None, responses={204: None, 403: refused("`forbidden`"), 409: refused("`state`")})
    def delete(self, request: Request, challenge_id: str) -> Response:
        """Take my challenge back."""
        challenges.cancel(challenge_id=challenge_id, player=player_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Answer(APIView):
    """What one may do to an open challenge."""

    permission_classes = (IsAuthenticated,)
    service: Callable[..., Challenge]

    @extend_schema(
        request=None,
        responses={
            200: ChallengeObject,
            403: refused("`forbidden`: it is not yours to answer."),
            404: refused("`not_found`"),
            409: refused("`state`: it is not open any more."),
            503: UNDER_MAINTENANCE,
        },
    )
    def post(self, request: Request, challenge_id: str) -> Response:
        challenge = type(self).service(challenge_id=challenge_id, player=player_of(request))
        return Response(ChallengeObject(challenge).data)


class Accept(Answer):
    """Accept: `game` is the game that starts now."""

    service = challenges.accept


class Decline(Answer):
    """Decline a challenge to me."""

    service = challenges.decline


class Cancel(Answer):
    """Take my challenge back."""

    service = challenges.cancel


class Rematch(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=None,
        responses={
            200: RematchObject,
            403: refused("`not_a_player`"),
            404: refused("`not_found`"),
            409: refused("`state`: the game is not over, or belongs to a tournament."),
            503: UNDER_MAINTENANCE,
        },
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Offer the same game with seats swapped, or accept the other's offer: then `game` is its id."""
        challenge = challenges.rematch(game_id=game_id, player=player_of(request))
        return Response(RematchObject(challenge).data)
