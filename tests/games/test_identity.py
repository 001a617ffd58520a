from importlib import import_module

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from knox.models import AuthToken

from games.identity import NOBODY, Identity, NotSignedIn, credential_rooms, identify


def session_of(user):
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session.session_key


def cookie(text):
    return {b"cookie": text.encode("latin1")}


def bearer(token):
    return {b"authorization": f"Bearer {token}".encode("latin1")}


def test_without_a_credential_one_is_nobody(db):
    assert identify({}) == NOBODY
    assert credential_rooms({}) == []


def test_a_session_cookie_names_user_and_player(ann):
    key = session_of(ann.user)
    assert identify(cookie(f"sessionid={key}")) == Identity(ann.pk, ann.user_id)
    assert credential_rooms(cookie(f"sessionid={key}")) == [f"session:{key}"]


@pytest.mark.parametrize("before", ["a=1", 'prefs={"a": "b"}', "a b=c", "=", ";;", 'q="x; y', "\xe9=\xff"])
def test_cookies_that_are_none_hide_no_session(ann, before):
    assert identify(cookie(f"{before}; sessionid={session_of(ann.user)}")).player_id == ann.pk


@pytest.mark.parametrize("key", ["", "nope", "x" * 5_000, "'; --"])
def test_an_unknown_session_is_nobodys(db, key):
    assert identify(cookie(f"sessionid={key}")) == NOBODY


def test_a_session_from_before_a_new_password_is_nobodys(ann):
    key = session_of(ann.user)
    ann.user.set_password("four in a row")
    ann.user.save()
    assert identify(cookie(f"sessionid={key}")) == NOBODY


def test_an_account_that_was_closed_is_nobodys(ann):
    key = session_of(ann.user)
    User.objects.filter(pk=ann.user_id).update(is_active=False)
    assert identify(cookie(f"sessionid={key}")) == NOBODY


def test_a_token_names_user_and_player(ann):
    stored, token = AuthToken.objects.create(user=ann.user)
    assert identify(bearer(token)) == Identity(ann.pk, ann.user_id)
    assert credential_rooms(bearer(token)) == [f"token:{stored.token_key}"]


def test_a_token_counts_before_a_cookie(ann, ben):
    _stored, token = AuthToken.objects.create(user=ann.user)
    assert identify(bearer(token) | cookie(f"sessionid={session_of(ben.user)}")).player_id == ann.pk


@pytest.mark.parametrize(
    "authorization",
    ["Bearer nope", "Bearer", "Bearer ", "Basic YTpi", "", "Bearer \xff", "Bearer " + "f" * 5_000],
)
def test_a_token_that_is_none_is_refused_even_beside_a_session(ann, authorization):
    headers = cookie(f"sessionid={session_of(ann.user)}") | {b"authorization": authorization.encode("latin1")}
    with pytest.raises(NotSignedIn):
        identify(headers)


def test_a_user_without_a_player_watches(db):
    maintainer = User.objects.create(username="dora")
    assert identify(cookie(f"sessionid={session_of(maintainer)}")) == Identity(None, maintainer.pk)
