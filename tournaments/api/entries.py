"""`/api/tournaments/<slug>/entries/`."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.fields import refused
from tournaments.api.schemas import AbsenceBody, EntryBody, EntrySchema
from tournaments.api.tournaments import checked
from tournaments.models import Entry
from tournaments.policies import actor_of
from tournaments.queries import tournaments as queries
from tournaments.services import entries as services


class Entries(GenericAPIView[Entry]):
    """Who plays: by start number, or by rating before there are any."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        operation_id="tournament_entries_list",
        responses=EntrySchema(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        entries = queries.entries_of(queries.find(slug, actor_of(request.user)))
        found = self.paginate_queryset(entries)
        return self.get_paginated_response([queries.entry_object(entry) for entry in found or []])

    @extend_schema(
        request=EntryBody,
        responses={201: EntrySchema, 403: refused("Only organisers enter others."), 409: refused("Closed.")},
    )
    def post(self, request: Request, slug: str) -> Response:
        body = checked(EntryBody(data=request.data))
        if len(body) > 1:
            raise exceptions.ParseError(_("Name either a player or a guest, not both."))
        if request.data and not body:
            raise exceptions.ParseError(
                _("A body names a player or a guest; without one you enter yourself.")
            )
        actor = actor_of(request.user)
        if body:
            entry = services.add(actor=actor, slug=slug, username=body.get("player"), name=body.get("name"))
        else:
            entry = services.enter(actor=actor, slug=slug)
        return Response(queries.entry_object(entry), 201)


class OneEntry(APIView):
    """Withdrawing, oneself or as organiser."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses={204: None, 403: refused("Not yours."), 409: refused("Withdrawn already.")})
    def delete(self, request: Request, slug: str, entry_id: int) -> Response:
        """Removes the entry before round 1 begins; afterwards it is not paired any more."""
        services.withdraw(actor=actor_of(request.user), slug=slug, entry_id=entry_id)
        return Response(status=204)


class Absences(APIView):
    """A bye asked for in advance."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=AbsenceBody, responses={201: AbsenceBody, 409: refused("The round has begun.")})
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        body = checked(AbsenceBody(data=request.data))
        services.request_absence(
            actor=actor_of(request.user),
            slug=slug,
            entry_id=entry_id,
            round_number=body["round"],
            kind=body["kind"],
        )
        return Response(body, 201)


class OneAbsence(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(responses={204: None, 404: refused("None was asked for.")})
    def delete(self, request: Request, slug: str, entry_id: int, number: int) -> Response:
        """Takes the request back."""
        services.cancel_absence(
            actor=actor_of(request.user), slug=slug, entry_id=entry_id, round_number=number
        )
        return Response(status=204)
