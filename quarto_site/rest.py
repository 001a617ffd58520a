"""What every endpoint under /api/ shares: bodies, tokens, pages and refusals.

Every error, whoever finds it, is `{"code": "...", "detail": "..."}`.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as BadValue
from django.db import InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from knox.auth import TokenAuthentication
from knox.models import AbstractAuthToken
from rest_framework import exceptions
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.response import Response

from games.frames import strict_json

logger = logging.getLogger(__name__)

BODY_LIMIT_BYTES = 64 * 1024

TOO_LARGE = gettext_lazy("The body is too large: at most 64 KiB.")

STATUS_OF = {
    "bad_request": HTTPStatus.BAD_REQUEST,
    "not_signed_in": HTTPStatus.UNAUTHORIZED,
    "wrong_credentials": HTTPStatus.UNAUTHORIZED,
    "forbidden": HTTPStatus.FORBIDDEN,
    "not_a_player": HTTPStatus.FORBIDDEN,
    "not_found": HTTPStatus.NOT_FOUND,
    "rate_limited": HTTPStatus.TOO_MANY_REQUESTS,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
}
CODE_OF = {
    HTTPStatus.BAD_REQUEST: "bad_request",
    HTTPStatus.UNAUTHORIZED: "not_signed_in",
    HTTPStatus.FORBIDDEN: "forbidden",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.NOT_ACCEPTABLE: "not_acceptable",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "bad_request",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limited",
    HTTPStatus.SERVICE_UNAVAILABLE: "unavailable",
}


class Pages(PageNumberPagination):
    """`?page=` and `?page_size=` (50, at most 200): count, next, previous, results."""

    page_size_query_param = "page_size"
    max_page_size = 200


class ObjectParser(JSONParser):
    """A body is one JSON object of at most 64 KiB; anything else is a ParseError in words."""

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        raw = stream.read(BODY_LIMIT_BYTES + 1)
        if len(raw) > BODY_LIMIT_BYTES:
            raise exceptions.ParseError(TOO_LARGE)
        try:
            body = strict_json(raw.decode())
            json.dumps(body, ensure_ascii=False).encode()  # half of a surrogate pair is no text
        except (ValueError, RecursionError) as error:
            raise exceptions.ParseError(_("The body cannot be read as JSON.")) from error
        if not isinstance(body, dict):
            raise exceptions.ParseError(_("The body must be a JSON object."))
        return body


class BearerToken(TokenAuthentication):
    """`Authorization: Bearer <token>`; tokens never expire, so no other token need be looked at."""

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        if not token.isascii():
            raise exceptions.AuthenticationFailed(_("The token is not valid."))
        return super().authenticate_credentials(token)

    def _cleanup_token(self, auth_token: AbstractAuthToken) -> bool:
        return False


class BearerTokenScheme(OpenApiAuthenticationExtension):
    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return build_bearer_security_scheme_object(header_name="Authorization", token_prefix="Bearer")  # noqa: S106


def refusal(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer to an error; None for one that nobody foresaw (500)."""
    error = _in_words_of_the_framework(error)
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    if isinstance(error, OperationalError | InterfaceError):
        logger.error("the database is away: %s", error)
        return answer(
            "unavailable", _("The server cannot reach its database. Nothing is lost; please try again.")
        )
    code = getattr(error, "code", None)
    return _of_our_own(error, code) if isinstance(code, str) else None


def _of_our_own(error: Exception, code: str) -> Response:
    response = answer(code, str(error), getattr(error, "status", None))
    if getattr(error, "wait_s", None):
        response["Retry-After"] = str(error.wait_s)  # type: ignore[attr-defined]
    return response


def _in_words_of_the_framework(error: Exception) -> Exception:
    """Django's own refusals as those of its REST framework; any other error as it is."""
    match error:
        case Http404():
            return exceptions.NotFound()
        case PermissionDenied():
            return exceptions.PermissionDenied()
        case BadValue():
            return exceptions.ValidationError(error.messages)
        case RequestDataTooBig():
            return exceptions.ParseError(TOO_LARGE)
        case SuspiciousOperation() | UnreadablePostError():
            return exceptions.ParseError(_("The server could not read this request."))
    return error


def answer(code: str, detail: str, status: int | None = None) -> Response:
    return Response({"code": code, "detail": detail}, status or STATUS_OF.get(code, HTTPStatus.CONFLICT))


def _of_framework(error: exceptions.APIException) -> Response:
    code = CODE_OF.get(HTTPStatus(error.status_code), error.default_code)
    response = answer(code, _words(error), error.status_code)
    if getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined]
    if getattr(error, "wait", None):
        response["Retry-After"] = str(int(error.wait) + 1)  # type: ignore[attr-defined]
    return response


def _words(error: exceptions.APIException) -> str:
    match error:
        case exceptions.ValidationError():
            return " ".join(_sentences(error.detail))
        case exceptions.NotFound() if isinstance(error.detail, str) and error.detail == error.default_detail:
            return _("There is nothing at this address.")
        case exceptions.NotAuthenticated():
            return _("Sign in first.")
    return str(error.detail)


def _sentences(detail: Any, field: str = "") -> Iterator[str]:
    """The messages of a ValidationError, each with the field that it is about."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _sentences(inner, "" if name == "non_field_errors" else str(name))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _sentences(inner, field)
    else:
        yield f"{field}: {detail}" if field else str(detail)
