import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation, ValidationError
from django.db import OperationalError
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from games.errors import GameError, NoSuchGame, Unavailable
from games.services.challenges import NotYours
from games.services.games import BadTerms
from quarto_site.accounts.services import make_token
from quarto_site.rest import Pages, refusal


@pytest.mark.parametrize(
    ("error", "status", "code", "detail"),
    [
        (Http404("No Row matches"), 404, "not_found", "There is nothing at this address."),
        (exceptions.NotFound("Invalid page."), 404, "not_found", "Invalid page."),
        (exceptions.ParseError("What?"), 400, "bad_request", "What?"),
        (exceptions.ValidationError({"name": ["Too long.", "Odd."]}), 400, "bad_request", "name: Too long. name: Odd."),
        (exceptions.ValidationError({"a": {"b": ["No."]}}), 400, "bad_request", "b: No."),
        (exceptions.ValidationError(["No."]), 400, "bad_request", "No."),
        (ValidationError("No."), 400, "bad_request", "No."),
        (exceptions.NotAuthenticated(), 401, "not_signed_in", "Sign in first."),
        (exceptions.AuthenticationFailed("Bad token."), 401, "not_signed_in", "Bad token."),
        (PermissionDenied("inner words"), 403, "forbidden", "You do not have permission to perform this action."),
        (exceptions.PermissionDenied("Not yours."), 403, "forbidden", "Not yours."),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed", 'Method "PUT" not allowed.'),
        (exceptions.UnsupportedMediaType("x/y"), 415, "unsupported_media_type",
         'Unsupported media type "x/y" in request.'),
        (exceptions.Throttled(), 429, "rate_limited", "Request was throttled."),
        (RequestDataTooBig("inner words"), 400, "bad_request", "The body is too large: at most 64 KiB."),
        (SuspiciousOperation("inner words"), 400, "bad_request", "The server could not read this request."),
        (UnreadablePostError("inner words"), 400, "bad_request", "The server could not read this request."),
        (NoSuchGame(), 404, "not_found", "There is no such game."),
        (Unavailable(), 503, "unavailable",
         "The server cannot judge at the moment. Nothing is lost; please try again."),
        (BadTerms("rules", "No such rules."), 400, "bad_request", "No such rules."),
        (NotYours(), 403, "forbidden", "This challenge is not yours to answer."),
        (GameError("No."), 409, "refused", "No."),
        (OperationalError("disk I/O error"), 503, "unavailable",
         "The server cannot reach its database. Nothing is lost; please try again."),
    ],
)  # fmt: skip
def test_every_error_has_a_status_a_code_and_words(error, status, code, detail):
    response = refusal(error, {})
    assert (response.status_code, response.data) == (status, {"code": code, "detail": detail})


def test_a_fault_of_the_server_is_not_a_refusal():
    assert refusal(ZeroDivisionError(), {}) is None
    assert refusal(KeyError("x"), {}) is None


@pytest.mark.parametrize(
    "path", ["/api/", "/api/nothing/", "/api/nothing", "/api/games", "/api/%00/", "/api/../x"]
)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_an_unknown_address_is_not_found_in_json(client, path, method):
    response = getattr(client, method)(path)
    assert response.status_code == 404
    assert response.json() == {"code": "not_found", "detail": "There is nothing at this address."}


@pytest.mark.django_db
def test_a_method_that_is_not_there_is_said_in_json(client, ann):
    client.force_login(ann)
    response = client.put("/api/challenges/")
    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")


def test_a_list_is_paged(client, ann):
    client.force_login(ann)
    keys = [make_token(user=ann)[:15] for _number in range(3)][::-1]
    first = client.get("/api/tokens/?page_size=2").json()
    assert (first["count"], first["previous"]) == (3, None)
    assert [row["token_key"] for row in first["results"]] == keys[:2]
    second = client.get(first["next"]).json()
    assert (second["next"], [row["token_key"] for row in second["results"]]) == (None, keys[2:])


@pytest.mark.parametrize(
    ("asked", "given"), [("", 50), ("3", 3), ("200", 200), ("9999", 200), ("x", 50), ("0", 50), ("-1", 50)]
)
def test_a_page_has_at_most_200_rows(asked, given):
    request = Request(APIRequestFactory().get("/", {"page_size": asked}))
    assert Pages().get_page_size(request) == given


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["0", "2", "-1", "x", "99999999999999999999"])
def test_a_page_that_is_not_there_is_not_found(client, page):
    response = client.get(f"/api/games/?page={page}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["tournaments/", "challenges/", "tokens/", "games/", "ratings/"])
def test_asking_for_options_is_refused_in_words(client, django_user_model, path):
    """The framework's own answer asks for serializers that the views do not have."""
    client.force_login(django_user_model.objects.create(username="ann"))
    answer = client.options(f"/api/{path}")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
