"""A whole tournament as files."""

from typing import Any

from django.http import HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from tournaments.policies import actor_of
from tournaments.queries import exports
from tournaments.queries.tournaments import find
from tournaments.trf import Dialect


class AsAddressed(BaseContentNegotiation):
    """The address says the format; what the client would rather have does not matter."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


class Export(APIView):
    permission_classes = [AllowAny]
    content_negotiation_class = AsAddressed


class ExportJson(Export):
    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Regulations, entries, rounds with every record, and the standings."""
        return JsonResponse(exports.as_json(find(slug, actor_of(request.user))))


class ExportCsv(Export):
    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """The standings with every round; cells cannot be read as formulas."""
        text = exports.as_csv(find(slug, actor_of(request.user)))
        return _file(text, "text/csv", f"{slug}.csv")


class ExportTrf(Export):
    @extend_schema(
        parameters=[OpenApiParameter("dialect", str, enum=[*Dialect])],
        responses={(200, "text/plain"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """FIDE's report file after the last complete round, as of 2026 or with `dialect=trf16`."""
        dialect = request.GET.get("dialect") or Dialect.TRF26
        if dialect not in list(Dialect):
            raise exceptions.ParseError(_("dialect must be trf16 or trf26."))
        text = exports.as_trf(find(slug, actor_of(request.user)), Dialect(dialect))
        return _file(text, "text/plain", f"{slug}.trf")


class Records(Export):
    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """All game records, by round and board."""
        records = exports.records(find(slug, actor_of(request.user)))
        return StreamingHttpResponse(list(records), content_type="text/plain; charset=utf-8")


def _file(text: str, media_type: str, name: str) -> HttpResponse:
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type=f"{media_type}; charset=utf-8", headers=disposition)
