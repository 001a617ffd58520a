"""Reading accounts and tokens."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest
from knox.models import AuthToken
from rest_framework.request import Request

from quarto_site.models import Ban, EndedAccess
from quarto_site.names import key, same
from ratings.models import Player


def user_named(name: str) -> str | None:
    """The user name of the account with this name in whatever case; look-alikes are not it."""
    usernames = Player.objects.filter(name_key=key(name), user__isnull=False)
    username = usernames.values_list("user__username", flat=True).first()
    return username if username is not None and same(username, name) else None


def person_of(request: HttpRequest | Request) -> User:
    """Who is signed in, behind a guard that lets nobody else through."""
    assert isinstance(request.user, User)
    return request.user


def tokens_of(user: User) -> QuerySet[AuthToken]:
    """The newest first; `token_key` is the beginning of each, by which its owner knows it."""
    return AuthToken.objects.filter(user=user).order_by("-created", "token_key")


def account_named(name: str) -> User | None:
    """The account with its ban, if there is one."""
    users = User.objects.select_related("ban__by")
    return users.filter(username=user_named(name) or name).first()


def reason_of_ban(user: User) -> str:
    """Empty where none was given."""
    return Ban.objects.filter(user=user).values_list("reason", flat=True).first() or ""


def rooms_ended(within: timedelta) -> list[str]:
    """Where access has ended within this time, by the database's clock."""
    ended = EndedAccess.objects.filter(at__gt=Now() - within)
    return list(ended.values_list("room", flat=True).distinct())
