"""Who opened a socket: the user of a session cookie, of a bearer token, or nobody."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from knox.auth import TokenAuthentication
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed

from ratings.models import Player


class NotSignedIn(Exception):
    """The token is unknown or was revoked."""


@dataclass(frozen=True, slots=True)
class Identity:
    """`player_id` is None for a watcher, `user_id` for a stranger; `is_staff` of the site."""

    player_id: int | None = None
    user_id: int | None = None
    is_staff: bool = False


NOBODY = Identity()


def credential_rooms(headers: dict[bytes, bytes]) -> list[str]:
    """The address whose closing ends what stands on this credential: its sign-out, its revocation.

    Needs no database, so that a socket can listen before the credential is looked up.
    """
    token, key = _token(headers), _session_key(headers)
    if token is not None:
        return [f"token:{token[: CONSTANTS.TOKEN_KEY_LENGTH]}"]
    return [f"session:{key}"] if key else []


def identify(headers: dict[bytes, bytes]) -> Identity:
    """Reads the database. Raises NotSignedIn for a token that is not valid."""
    token, key = _token(headers), _session_key(headers)
    if token is not None:
        return _by_token(token)
    return _by_session(key) if key else NOBODY


def _token(headers: dict[bytes, bytes]) -> str | None:
    """The bearer token; empty for an authorization of another kind, None where there is none at all."""
    authorization = headers.get(b"authorization")
    if authorization is None:
        return None
    scheme, _space, token = authorization.decode("latin1").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _by_token(token: str) -> Identity:
    try:
        user, _stored = TokenAuthentication().authenticate_credentials(token.encode())
    except AuthenticationFailed as error:
        raise NotSignedIn from error
    return _identity(user)


def _by_session(key: str) -> Identity:
    request = HttpRequest()
    request.session = _session_store()(key)
    user = get_user(request)
    return _identity(user) if user.is_authenticated and user.is_active else NOBODY


def _identity(user: Any) -> Identity:
    player_id = Player.objects.filter(user_id=user.pk).values_list("pk", flat=True).first()
    return Identity(player_id=player_id, user_id=user.pk, is_staff=user.is_staff)


def _session_store() -> Any:
    return import_module(settings.SESSION_ENGINE).SessionStore


def _session_key(headers: dict[bytes, bytes]) -> str | None:
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    return cookies.get(settings.SESSION_COOKIE_NAME) or None
