"""The lobby, the pages of words, and the pages of failure."""

import sys
from http import HTTPStatus
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from games.forms import ChallengeForm
from games.notice import notice
from games.views import player_or_none
from quarto_site.queries import lobby
from quarto_site.rest import CODE_OF
from quarto_site.security import CSP, policy


def with_notice(request: HttpRequest) -> dict[str, Any]:
    """For every page: the operator's notice."""
    return {"notice": notice()}


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    shown = lobby(player_or_none(request))
    return render(request, "home/lobby.html", {"lobby": shown, "form": ChallengeForm()})


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/rules.html")


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "about/about.html")


class ApiDocs(SpectacularSwaggerSplitView):
    """The schema to read and to try. Its viewer styles elements one by one, so it has a policy of its own."""

    template_name = "api_docs.html"
    url_name = "api_schema"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        response = super().get(request, *args, **kwargs)
        response.headers[CSP] = policy(style_src="'self' 'unsafe-inline'")
        return response


@csrf_exempt  # it changes nothing, and programs are to read why
def nothing_here(request: HttpRequest, **_path: str) -> JsonResponse:
    """Any other address under /api/."""
    return _refusal(HTTPStatus.NOT_FOUND, _("There is nothing at this address."))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, HTTPStatus.BAD_REQUEST, _("The server could not read this request."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, HTTPStatus.FORBIDDEN, _("This is not for you."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, HTTPStatus.NOT_FOUND, _("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Without a context: what failed may be what a context needs. Django calls it while the error is handled."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        status, detail = (
            HTTPStatus.SERVICE_UNAVAILABLE,
            _("The server cannot reach its database. Please try again."),
        )
    else:
        status, detail = HTTPStatus.INTERNAL_SERVER_ERROR, _("The server failed. It has been noted.")
    if _is_program(request):
        return _refusal(status, detail)
    return render(None, f"{status.value}.html", status=status)


def _failure(request: HttpRequest, status: HTTPStatus, detail: str) -> HttpResponse:
    if _is_program(request):
        return _refusal(status, detail)
    return render(request, f"{status.value}.html", status=status)


def _is_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _refusal(status: HTTPStatus, detail: str) -> JsonResponse:
    return JsonResponse({"code": CODE_OF.get(status, "server_error"), "detail": detail}, status=status)
