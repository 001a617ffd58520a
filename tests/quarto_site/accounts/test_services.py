import threading

import pytest
from django.contrib.auth.models import User
from django.db import connections
from knox.models import AuthToken

from quarto_site.accounts import services
from quarto_site.accounts.services import (
    AccountClosed,
    BadPassword,
    BadUsername,
    NameTaken,
    NoSuchToken,
    TooManyTokens,
    TooManyTries,
    WrongCredentials,
    make_token,
    open_account,
    revoke_token,
    user_of,
)
from ratings.models import Player
from tests.quarto_site.conftest import PASSWORD

HERE = "192.0.2.1"


@pytest.mark.django_db
def test_an_account_has_a_user_and_a_player_of_its_name():
    player = open_account(username=" Ａnn ", password=PASSWORD, address=HERE)
    assert (player.username, player.name, player.name_key) == ("Ann", "Ann", "ann")
    assert player.user.username == "Ann"
    assert player.user.check_password(PASSWORD)
    assert not player.is_guest


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", "ａｎｎ"])
def test_a_name_is_taken_in_whatever_case(ann, name):
    with pytest.raises(NameTaken):
        open_account(username=name, password=PASSWORD, address=HERE)
    assert User.objects.count() == Player.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "second"),
    [("copa", "сора"), ("Olga", "0lga"), ("lan", "Ian"), ("mona", "rnona"), ("Оля", "OΛЯ")],
)
def test_a_name_that_reads_like_another_is_refused(first, second):
    open_account(username=first, password=PASSWORD, address=HERE)
    with pytest.raises((NameTaken, BadUsername)):
        open_account(username=second, password=PASSWORD, address=HERE)
    assert Player.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("short", "at least 8"),
        ("password", "too common"),
        ("Annemarie", "must not be the name"),
        ("x" * 129, "at most 128"),
    ],
)
def test_a_weak_password_is_refused_in_words(password, words):
    with pytest.raises(BadPassword, match=words):
        open_account(username="Annemarie", password=password, address=HERE)
    assert not User.objects.exists()


@pytest.mark.django_db
def test_a_bad_name_is_refused_in_words_and_with_its_field():
    with pytest.raises(BadUsername, match="at least 2 characters") as refused:
        open_account(username="a", password=PASSWORD, address=HERE)
    assert (refused.value.code, refused.value.field) == ("bad_request", "username")


@pytest.mark.django_db
def test_an_address_may_sign_up_so_often(settings):
    settings.SIGNUPS_PER_HOUR = 2
    address = "198.51.100.7"
    for name in ("ann", "ben"):
        open_account(username=name, password=PASSWORD, address=address)
    with pytest.raises(TooManyTries):
        open_account(username="cleo", password=PASSWORD, address=address)
    open_account(username="cleo", password=PASSWORD, address="198.51.100.8")


@pytest.mark.django_db
def test_refused_sign_ups_cost_nothing(settings, ann):
    settings.SIGNUPS_PER_HOUR = 1
    address = "198.51.100.9"
    with pytest.raises(NameTaken):
        open_account(username="ann", password=PASSWORD, address=address)
    open_account(username="ben", password=PASSWORD, address=address)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_a_name_at_once_one_gets_it():
    barrier, outcomes = threading.Barrier(2), []

    def sign_up(name):
        barrier.wait()
        try:
            outcomes.append(open_account(username=name, password=PASSWORD, address=HERE).username)
        except NameTaken as refused:
            outcomes.append(refused.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=sign_up, args=(name,)) for name in ("ann", "Ann")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "name_taken" in outcomes
    assert User.objects.count() == Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_name_taken_between_look_and_write_is_refused_alike(monkeypatch):
    """The look before the write spares a hash; the constraint decides."""
    make_password = services.make_password

    def slow(password):
        monkeypatch.setattr(services, "make_password", make_password)
        open_account(username="ANN", password=PASSWORD, address=HERE)
        return make_password(password)

    monkeypatch.setattr(services, "make_password", slow)
    with pytest.raises(NameTaken):
        open_account(username="ann", password=PASSWORD, address=HERE)
    assert [player.username for player in Player.objects.all()] == ["ANN"]
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN"])
def test_who_signs_in_is_known_by_name_in_whatever_case(ann, name):
    assert user_of(username=name, password=PASSWORD, address=HERE) == ann


@pytest.mark.parametrize(
    ("name", "password"),
    [("Ann", "wrong"), ("Ann", ""), ("Ann", "x" * 10_000), ("nobody", PASSWORD), ("", PASSWORD), ("а" * 10_000, "x"),
     ("аnn", PASSWORD)],
)  # fmt: skip
def test_wrong_credentials_are_refused_alike(ann, name, password):
    with pytest.raises(WrongCredentials, match="do not fit"):
        user_of(username=name, password=password, address=HERE)


def test_a_look_alike_of_a_name_does_not_sign_in(db):
    open_account(username="Olga", password=PASSWORD, address=HERE)
    with pytest.raises(WrongCredentials):
        user_of(username="0lga", password=PASSWORD, address=HERE)


def test_a_closed_account_does_not_sign_in_and_only_its_password_tells(ann):
    User.objects.update(is_active=False)
    with pytest.raises(AccountClosed):
        user_of(username="Ann", password=PASSWORD, address=HERE)
    with pytest.raises(WrongCredentials):
        user_of(username="Ann", password="wrong", address=HERE)


def test_an_address_may_try_so_often(ann, settings):
    settings.SIGN_INS_PER_MINUTE = 2
    address = "198.51.100.10"
    for _try in range(2):
        with pytest.raises(WrongCredentials):
            user_of(username="ann", password="wrong", address=address)
    with pytest.raises(TooManyTries):
        user_of(username="ann", password=PASSWORD, address=address)


def test_tokens_are_several_and_kept_as_hashes(ann):
    tokens = {make_token(user=ann) for _number in range(3)}
    rows = AuthToken.objects.filter(user=ann)
    assert len(tokens) == rows.count() == 3
    assert {row.token_key for row in rows} == {token[:15] for token in tokens}
    assert not tokens & {row.digest for row in rows}
    assert all(row.expiry is None for row in rows)


def test_a_person_has_so_many_tokens(ann, monkeypatch):
    monkeypatch.setattr(services, "TOKENS_AT_MOST", 1)
    make_token(user=ann)
    with pytest.raises(TooManyTokens):
        make_token(user=ann)


def test_a_revoked_token_closes_its_sockets(ann, ears, django_capture_on_commit_callbacks):
    key = make_token(user=ann)[:15]
    other = make_token(user=ann)[:15]
    ear, other_ear = ears.to(f"token:{key}"), ears.to(f"token:{other}")
    with django_capture_on_commit_callbacks(execute=True):
        revoke_token(user=ann, token_key=key)
    assert ear.hear().closed == [4001]
    assert other_ear.closed == []
    assert list(AuthToken.objects.values_list("token_key", flat=True)) == [other]


def test_nobody_revokes_anothers_token(ann, ben):
    key = make_token(user=ann)[:15]
    with pytest.raises(NoSuchToken):
        revoke_token(user=ben, token_key=key)
    assert AuthToken.objects.count() == 1
