"""`/api/tournaments/<slug>/rounds/`, results and standings."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.fields import UNDER_MAINTENANCE, refused
from tournaments.api.schemas import BoardSchema, PairingBody, ResultBody, RoundSchema, StandingSchema
from tournaments.api.tournaments import checked
from tournaments.models import Round
from tournaments.policies import actor_of
from tournaments.queries import rounds as queries
from tournaments.queries.standings import standings_object, table_of
from tournaments.queries.tournaments import find
from tournaments.services import pairings, results
from tournaments.services import rounds as services


class Rounds(GenericAPIView[Round]):
    """The rounds by number; pairing the next one."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        operation_id="tournament_rounds_list",
        responses=RoundSchema(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        actor = actor_of(request.user)
        rounds = queries.visible_rounds(find(slug, actor), actor)
        found = self.paginate_queryset(rounds)
        return self.get_paginated_response([queries.round_object(round_) for round_ in found or []])

    @extend_schema(
        request=PairingBody,
        responses={
            200: RoundSchema,
            201: RoundSchema,
            403: refused("Not an organiser."),
            409: refused("A round is running, or no legal pairing exists: the words say which."),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Pairs the next round as a draft (201), or returns the draft that is there (200)."""
        body = checked(PairingBody(data=request.data))
        actor = actor_of(request.user)
        if body.get("bye") is not None and "boards" not in body:
            raise exceptions.ParseError(_("A bye is named together with the boards, where you pair by hand."))
        if "boards" in body:
            boards = [(board["starter"], board["second"]) for board in body["boards"]]
            made, round_ = (
                True,
                pairings.pair_by_hand(actor=actor, slug=slug, boards=boards, bye=body.get("bye")),
            )
        else:
            round_, made = pairings.pair_next(actor=actor, slug=slug)
        whole = queries.find_round(round_.tournament, round_.number, actor)
        return Response(queries.round_object(whole), 201 if made else 200)


class OneRound(APIView):
    """One round; a draft is seen and discarded by those who run the tournament."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(responses={200: RoundSchema, 404: refused("This round is not paired.")})
    def get(self, request: Request, slug: str, number: int) -> Response:
        actor = actor_of(request.user)
        return Response(queries.round_object(queries.find_round(find(slug, actor), number, actor)))

    @extend_schema(responses={204: None, 409: refused("The round has begun.")})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        services.discard_draft(actor=actor_of(request.user), slug=slug, number=number)
        return Response(status=204)


class StartRound(APIView):
    """Publishes a round and starts its games; a second call changes nothing."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        request=None,
        responses={200: RoundSchema, 409: refused("It must be paired again."), 503: UNDER_MAINTENANCE},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        actor = actor_of(request.user)
        round_ = services.start(actor=actor, slug=slug, number=number)
        return Response(queries.round_object(queries.find_round(round_.tournament, number, actor)))


class BoardResult(APIView):
    """The result of a board, by an organiser or arbiter."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        request=ResultBody,
        responses={200: BoardSchema, 400: refused("No such result."), 409: refused("Not now.")},
    )
    def put(self, request: Request, slug: str, number: int, board: int) -> Response:
        """A running game is adjudicated; a finished one keeps its own result, and the ratings stay."""
        body = checked(ResultBody(data=request.data))
        changed = results.enter_result(
            actor=actor_of(request.user),
            slug=slug,
            round_number=number,
            board_number=board,
            result=body["result"],
            reason=body.get("reason", ""),
        )
        return Response(queries.board_object(changed))


class Standings(APIView):
    """The table after a round, by default the last complete one."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        operation_id="tournament_standings",
        parameters=[OpenApiParameter("after", int)],
        responses=StandingSchema(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        after = request.GET.get("after") or None
        if after is not None and not (after.isascii() and after.isdigit() and len(after) <= 4):
            raise exceptions.ParseError(_("after must be the number of a round."))
        tournament = find(slug, actor_of(request.user))
        return Response(standings_object(table_of(tournament, None if after is None else int(after))))
