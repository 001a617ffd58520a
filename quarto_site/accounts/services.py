"""The one writer of accounts, sessions and tokens.

Who signs out, changes the password or revokes a token closes the sockets that stood on it.
"""

import threading

from django.conf import settings
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from knox.models import AuthToken

from quarto_site import limits
from quarto_site.accounts.queries import person_of, reason_of_ban, user_named
from quarto_site.names import LONGEST, SHORTEST, BadName, Fault, clean, key
from quarto_site.services import tries
from quarto_site.services.endings import end_access
from ratings.models import Player
from ratings.services import player_for

# A hash takes 100 MB and all processors for a moment: a crowd that signs up must not take them all.
HASHES_AT_ONCE = threading.BoundedSemaphore(2)
PASSWORD_LONGEST = 128
TOKENS_AT_MOST = 1000

WORDS_OF = {
    Fault.TOO_SHORT: _("A name has at least %(shortest)d characters."),
    Fault.TOO_LONG: _("A name has at most %(longest)d characters."),
    Fault.LETTERS: _("A name is made of letters, digits and . _ - only, without spaces."),
    Fault.SCRIPTS: _("The letters of a name come from one alphabet: this one mixes several."),
    Fault.EDGES: _("A name begins and ends with a letter or a digit."),
    Fault.DIGITS: _("A name has at least one letter."),
    Fault.RESERVED: _("This name is reserved."),
}


class AccountError(Exception):
    """Refused; `code` is for programs, the message for people, `field` for the form."""

    code = "bad_request"
    field: str | None = None
    message = _("This cannot be done.")

    def __str__(self) -> str:
        return str(self.args[0] if self.args else self.message)


class BadUsername(AccountError):
    field = "username"


class NameTaken(AccountError):
    code = "name_taken"
    field = "username"
    message = _("This name is taken, or looks too much like one that is.")


class BadPassword(AccountError):
    field = "password"


class WrongCredentials(AccountError):
    code = "wrong_credentials"
    message = _("Name and password do not fit together.")


class WrongPassword(AccountError):
    field = "old_password"
    message = _("This is not your present password.")


class AccountClosed(AccountError):
    """Said only to those who know the password."""

    code = "forbidden"
    message = _("This account is closed.")

    def __init__(self, reason: str = "") -> None:
        super().__init__(*([_("This account is closed: %(reason)s") % {"reason": reason}] if reason else []))


class TooManyTries(AccountError):
    """`wait_s`: after how many seconds another try is possible."""

    code = "rate_limited"

    def __init__(self, wait_s: int) -> None:
        words = ngettext(
            "Too many tries. Please wait %(seconds)d second and try again.",
            "Too many tries. Please wait %(seconds)d seconds and try again.",
            wait_s,
        )
        super().__init__(words % {"seconds": wait_s})
        self.wait_s = wait_s


class TooManyTokens(AccountError):
    code = "state"
    message = _("You have as many tokens as one may have. Revoke one first.")


class NoSuchToken(AccountError):
    code = "not_found"
    message = _("You have no such token.")


def sign_up(*, request: HttpRequest, username: str, password: str, address: str) -> None:
    """Opens an account and signs its person in. Raises what `open_account` raises."""
    opened = open_account(username=username, password=password, address=address)
    login(request, opened.user, backend=settings.AUTHENTICATION_BACKENDS[0])


def open_account(*, username: str, password: str, address: str) -> Player:
    """A new account with its player, for somebody at this network address.

    Raises BadUsername, BadPassword, NameTaken, TooManyTries.
    """
    name = checked_name(username)
    check_password(password, name)
    name_key = key(name)
    if Player.objects.filter(name_key=name_key).exists():
        raise NameTaken
    if wait_s := limits.sign_up_wait(address):
        raise TooManyTries(wait_s)
    with HASHES_AT_ONCE:
        digest = make_password(password)  # slow on purpose, so outside the transaction
    try:
        with transaction.atomic():
            user = User.objects.create(username=name, password=digest)
            return player_for(user=user, name=name, name_key=name_key)
    except IntegrityError as error:  # somebody else was faster
        raise NameTaken from error


def checked_name(text: str) -> str:
    """The name as it will be kept; raises BadUsername with the reason in words."""
    try:
        return clean(text)
    except BadName as error:
        raise BadUsername(WORDS_OF[error.fault] % {"shortest": SHORTEST, "longest": LONGEST}) from error


def check_password(password: str, name: str, *, field: str = "password") -> None:
    """Raises BadPassword with everything that is wrong with a new password."""
    problems = []
    if len(password) > PASSWORD_LONGEST:
        problems.append(
            str(_("A password has at most %(longest)d characters.") % {"longest": PASSWORD_LONGEST})
        )
    elif key(password) == key(name):
        problems.append(str(_("The password must not be the name.")))
    else:
        try:
            validate_password(password)
        except ValidationError as error:
            problems.extend(error.messages)
    if problems:
        refused = BadPassword(" ".join(problems))
        refused.field = field
        raise refused


def user_of(*, username: str, password: str, address: str, device: str = "") -> User:
    """The account with this name, in whatever case, and password.

    A name that nobody has costs the same work and is counted alike. Tries from a browser that is known
    to the account (`device`) are counted apart, and not among those from anywhere.

    Raises WrongCredentials, AccountClosed, TooManyTries.
    """
    if wait_s := limits.sign_in_wait(address):
        raise TooManyTries(wait_s)
    if len(password) > PASSWORD_LONGEST or len(username) > 4 * LONGEST:
        raise WrongCredentials
    account = key(username)
    source = ("device", device) if device else ("network", limits.network_of(address))
    _take(tries.BY_SOURCE, account, *source)
    if not device:
        _take(tries.FROM_ANYWHERE, account)
    user = User.objects.filter(username=user_named(username) or username).first()
    if not _fits(user, password):
        raise WrongCredentials
    assert user is not None
    tries.give_back(tries.BY_SOURCE, account, *source)
    if not device:
        tries.give_back(tries.FROM_ANYWHERE, account)
    if not user.is_active:
        raise AccountClosed(reason_of_ban(user))
    return user


def _take(bucket: tries.Bucket, *whose: str) -> None:
    """Before a password is looked at, which costs a processor's time. Raises TooManyTries."""
    if wait_s := tries.take(bucket, *whose):
        raise TooManyTries(wait_s)


def _fits(user: User | None, password: str) -> bool:
    """One hash, whether there is such a user or not."""
    with HASHES_AT_ONCE:
        if user is None:
            make_password(password)
            return False
        return user.check_password(password)


def sign_in(*, request: HttpRequest, username: str, password: str, address: str, device: str = "") -> None:
    """Raises WrongCredentials, AccountClosed, TooManyTries."""
    user = user_of(username=username, password=password, address=address, device=device)
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])


def sign_out(*, request: HttpRequest) -> None:
    """Nothing is written of somebody who is not signed in: his cookie may hold anything."""
    session_key = request.session.session_key if request.user.is_authenticated else None
    with transaction.atomic():
        logout(request)
        if session_key:
            end_access(f"session:{session_key}")


def change_password(*, request: HttpRequest, old_password: str, new_password: str, address: str) -> None:
    """Ends every other session; this one goes on. Raises WrongPassword, BadPassword, TooManyTries."""
    user = person_of(request)
    if wait_s := limits.sign_in_wait(address):
        raise TooManyTries(wait_s)
    _take(tries.BY_SOURCE, "password", str(user.pk))
    if len(old_password) > PASSWORD_LONGEST or not _fits(user, old_password):
        raise WrongPassword
    tries.give_back(tries.BY_SOURCE, "password", str(user.pk))
    check_password(new_password, user.username, field="new_password")
    with HASHES_AT_ONCE:
        user.set_password(new_password)
    with transaction.atomic():
        user.save(update_fields=["password"])
        update_session_auth_hash(request, user)
        # Rooms are not known by session here: this page's own sockets come back by themselves.
        end_access(f"user:{user.pk}")


def sign_in_program(*, username: str, password: str, address: str) -> str:
    """A new token for this account. Raises WrongCredentials, AccountClosed, TooManyTries, TooManyTokens."""
    return make_token(user=user_of(username=username, password=password, address=address))


def make_token(*, user: User) -> str:
    """A new token; only its hash is kept, so this is the only time it can be seen.

    Raises TooManyTokens, AccountClosed.
    """
    with transaction.atomic():
        if not User.objects.select_for_update().get(pk=user.pk).is_active:
            raise AccountClosed(reason_of_ban(user))  # since a moment ago
        if AuthToken.objects.filter(user=user).count() >= TOKENS_AT_MOST:
            raise TooManyTokens
        return AuthToken.objects.create(user=user)[1]


def revoke_token(*, user: User, token_key: str) -> None:
    """Raises NoSuchToken."""
    with transaction.atomic():
        token = AuthToken.objects.filter(user=user, token_key=token_key).first()
        if token is None:
            raise NoSuchToken
        token.delete()
        end_access(f"token:{token_key}")
