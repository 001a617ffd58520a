"""`/api/tournaments/` and one tournament."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.fields import refused
from tournaments.api.schemas import ChangeBody, NewTournamentBody, TournamentSchema
from tournaments.models import Tournament
from tournaments.policies import actor_of
from tournaments.queries import tournaments as queries
from tournaments.regulations import Regulations
from tournaments.services import tournaments as services


class Tournaments(GenericAPIView[Tournament]):
    """The tournaments, the newest first; whoever makes one is its organiser."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        operation_id="tournaments_list",
        parameters=[
            OpenApiParameter("status", str, enum=[*Tournament.Status.values]),
        ],
        responses=TournamentSchema(many=True),
    )
    def get(self, request: Request) -> Response:
        status = request.GET.get("status") or None
        if status is not None and status not in Tournament.Status.values:
            raise exceptions.ParseError(_("status must be draft, published, running or complete."))
        found = self.paginate_queryset(queries.visible(actor_of(request.user), status))
        return self.get_paginated_response([queries.as_object(tournament) for tournament in found or []])

    @extend_schema(
        request=NewTournamentBody,
        responses={201: TournamentSchema, 400: refused("A field is wrong."), 403: refused("Not your club.")},
    )
    def post(self, request: Request) -> Response:
        body = checked(NewTournamentBody(data=request.data))
        club, status = body.pop("club", None), body.pop("status", Tournament.Status.PUBLISHED)
        made = services.create(
            actor=actor_of(request.user),
            wanted=Regulations(**body),
            club_slug=club,
            publish=status == Tournament.Status.PUBLISHED,
        )
        return Response(queries.as_object(made), 201)


class OneTournament(GenericAPIView[Tournament]):
    """One tournament; its organisers may change what its state allows."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(responses={200: TournamentSchema, 404: refused("There is no such tournament.")})
    def get(self, request: Request, slug: str) -> Response:
        return Response(queries.as_object(queries.find(slug, actor_of(request.user))))

    @extend_schema(
        request=ChangeBody(partial=True),
        responses={200: TournamentSchema, 403: refused("Not yours."), 409: refused("Not now.")},
    )
    def patch(self, request: Request, slug: str) -> Response:
        body = checked(ChangeBody(data=request.data, partial=True))
        publish = body.pop("status", None) is not None
        changed = services.change(actor=actor_of(request.user), slug=slug, changes=body, publish=publish)
        return Response(queries.as_object(changed))


def checked(body: Any) -> dict[str, Any]:
    """The valid values of a request's body, lists as tuples. Raises ValidationError."""
    body.is_valid(raise_exception=True)
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in body.validated_data.items()
    }
