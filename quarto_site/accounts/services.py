"""The one writer of accounts, sessions and tokens.

Who signs out, changes the password or revokes a token closes the sockets that stood on it.
"""

import threading
from functools import partial

from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from games.live import close
from games.sockets import SIGNED_OUT
from quarto_site import limits
from quarto_site.accounts.queries import person_of, user_named
from quarto_site.names import LONGEST, SHORTEST, BadName, Fault, clean, key
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


class TooManyTries(AccountError):
    code = "rate_limited"
    message = _("Too many tries from your address. Please wait a little.")


class TooManyTokens(AccountError):
    code = "state"
    message = _("You have as many tokens as one may have. Revoke one first.")


class NoSuchToken(AccountError):
    code = "not_found"
    message = _("You have no such token.")


def sign_up(*, request: HttpRequest, username: str, password: str, address: str) -> None:
    """Opens an account and signs its person in. Raises what `open_account` raises."""
    login(request, open_account(username=username, password=password, address=address).user)


def open_account(*, username: str, password: str, address: str) -> Player:
    """A new account with its player, for somebody at this network address.

    Raises BadUsername, BadPassword, NameTaken, TooManyTries.
    """
    name = checked_name(username)
    check_password(password, name)
    name_key = key(name)
    if Player.objects.filter(name_key=name_key).exists():
        raise NameTaken
    if not limits.may_sign_up(address):
        raise TooManyTries
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


def user_of(*, username: str, password: str, address: str) -> User:
    """The account with this name, in whatever case, and password. Raises WrongCredentials, TooManyTries."""
    if not limits.may_sign_in(address):
        raise TooManyTries
    if len(password) > PASSWORD_LONGEST or len(username) > 4 * LONGEST:
        raise WrongCredentials
    name = user_named(username) or username
    with HASHES_AT_ONCE:
        user = authenticate(username=name, password=password)
    if not isinstance(user, User):
        raise WrongCredentials
    return user


def sign_in(*, request: HttpRequest, username: str, password: str, address: str) -> None:
    """Raises WrongCredentials, TooManyTries."""
    login(request, user_of(username=username, password=password, address=address))


def sign_out(*, request: HttpRequest) -> None:
    session_key = request.session.session_key
    logout(request)
    if session_key:
        transaction.on_commit(partial(close, f"session:{session_key}", SIGNED_OUT))


def change_password(*, request: HttpRequest, old_password: str, new_password: str, address: str) -> None:
    """Ends every other session; this one goes on. Raises WrongPassword, BadPassword, TooManyTries."""
    user = person_of(request)
    if not limits.may_sign_in(address):
        raise TooManyTries
    with HASHES_AT_ONCE:
        is_right = len(old_password) <= PASSWORD_LONGEST and user.check_password(old_password)
    if not is_right:
        raise WrongPassword
    check_password(new_password, user.username, field="new_password")
    with HASHES_AT_ONCE:
        user.set_password(new_password)
    with transaction.atomic():
        user.save(update_fields=["password"])
        update_session_auth_hash(request, user)
        # Rooms are not known by session here: this page's own sockets come back by themselves.
        transaction.on_commit(partial(close, f"user:{user.pk}", SIGNED_OUT))


def sign_in_program(*, username: str, password: str, address: str) -> str:
    """A new token for this account. Raises WrongCredentials, TooManyTries, TooManyTokens."""
    return make_token(user=user_of(username=username, password=password, address=address))


def make_token(*, user: User) -> str:
    """A new token; only its hash is kept, so this is the only time it can be seen. Raises TooManyTokens."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if AuthToken.objects.filter(user=user).count() >= TOKENS_AT_MOST:
            raise TooManyTokens
        return AuthToken.objects.create(user=user)[1]


def revoke_token(*, user: User, token_key: str) -> None:
    """Raises NoSuchToken."""
    with transaction.atomic():
        revoked, _rows = AuthToken.objects.filter(user=user, token_key=token_key).delete()
        if not revoked:
            raise NoSuchToken
        transaction.on_commit(partial(close, f"token:{token_key}", SIGNED_OUT))
