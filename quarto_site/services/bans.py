"""Bans: an account closed to its owner, and opened again.

What was played stays, ratings and all. Running games go on by their clocks: whoever is banned loses
those in which it is his turn, unless an arbiter decides otherwise.
"""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from games.queries.games import open_games_of
from games.services.challenges import withdraw_all
from quarto_site.accounts.queries import user_named
from quarto_site.accounts.services import AccountError
from quarto_site.models import Ban
from quarto_site.services.endings import end_access
from ratings.models import Player

REASON_LONGEST = 200


class NoSuchAccount(AccountError):
    code = "not_found"
    field = "username"
    message = _("There is no account of this name.")


class NotAllowed(AccountError):
    code = "forbidden"
    message = _("Staff of the site can be banned on its command line only.")


class BannedAlready(AccountError):
    code = "state"
    message = _("This account is banned already.")


class NotBanned(AccountError):
    code = "state"
    message = _("This account is not banned.")


class BadReason(AccountError):
    field = "reason"
    message = _("The reason must have at most 200 printable characters.")


@dataclass(frozen=True, slots=True)
class Banned:
    """What a ban met: games that go on by their clocks, challenges that were withdrawn."""

    username: str
    running_games: int
    challenges: int


def ban(*, username: str, reason: str = "", by: User | None = None) -> Banned:
    """Closes an account: no sign-in, no session, no token, no socket, no open challenge.

    `by` is the member of staff who does it, None for the command line, which may ban staff as well.
    Raises NoSuchAccount, NotAllowed, BannedAlready, BadReason.
    """
    reason = " ".join(reason.split())
    if len(reason) > REASON_LONGEST or not reason.isprintable():
        raise BadReason
    with transaction.atomic():
        user = _locked(username)
        if by is not None and user.is_staff:
            raise NotAllowed
        if Ban.objects.filter(user=user).exists():
            raise BannedAlready
        Ban.objects.create(user=user, reason=reason, by=by)
        met = _closed(user)
    # Worth nothing by now. To find them all sessions are read, and no game may wait for that.
    Session.objects.filter(pk__in=_sessions_of(user)).delete()
    return met


def _closed(user: User) -> Banned:
    _let_in(user, is_active=False)
    AuthToken.objects.filter(user=user).delete()
    end_access(f"user:{user.pk}")
    player = Player.objects.filter(user=user).first()
    if player is None:
        return Banned(user.username, 0, 0)
    withdrawn = withdraw_all(player=player)
    return Banned(user.username, len(open_games_of(player)), withdrawn)


def unban(*, username: str) -> str:
    """Opens an account again, with its old password; returns its name. Raises NoSuchAccount, NotBanned."""
    with transaction.atomic():
        user = _locked(username)
        deleted, _rows = Ban.objects.filter(user=user).delete()
        if not deleted:
            raise NotBanned
        _let_in(user, is_active=True)
    return user.username


def _locked(username: str) -> User:
    name = user_named(username) or username
    user = User.objects.select_for_update().filter(username=name).first()
    if user is None:
        raise NoSuchAccount
    return user


def _let_in(user: User, *, is_active: bool) -> None:
    user.is_active = is_active
    user.save(update_fields=["is_active"])


def _sessions_of(user: User) -> list[str]:
    """A session says only inside whose it is."""
    sessions = Session.objects.filter(expire_date__gt=Now()).iterator()
    return [one.pk for one in sessions if one.get_decoded().get("_auth_user_id") == str(user.pk)]
