"""How often a password may be tried, and who is not kept out by it."""

import threading
from typing import ClassVar

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.signing import dumps
from django.db import connections
from django.test import Client

from quarto_site.accounts import devices
from quarto_site.accounts.services import TooManyTries, WrongCredentials, user_of
from quarto_site.models import Tries
from quarto_site.services import tries
from quarto_site.services.tries import Bucket, give_back, take
from tests.quarto_site.conftest import PASSWORD

HERE = "192.0.2.1"
THREE = Bucket("three", tries=3, step_ms=1_000)


@pytest.fixture
def at(monkeypatch):
    """Sets the moment of every try."""

    def set_now(ms: int) -> None:
        monkeypatch.setattr(tries, "now_ms", lambda: 1_000_000_000_000 + ms)

    set_now(0)
    return set_now


class CountingHasher(MD5PasswordHasher):
    hashed: ClassVar[list[str]] = []

    def encode(self, password, salt):
        self.hashed.append(password)
        return super().encode(password, salt)


@pytest.fixture
def hashes(ann, settings):
    """The passwords that were hashed since ann has an account."""
    settings.PASSWORD_HASHERS = [f"{__name__}.{CountingHasher.__name__}"]
    CountingHasher.hashed.clear()
    return CountingHasher.hashed


def attempt(password="wrong", name="ann", address=HERE, device=""):
    user_of(username=name, password=password, address=address, device=device)


def use_up(**source):
    for _try in range(tries.BY_SOURCE.tries):
        with pytest.raises(WrongCredentials):
            attempt(**source)


@pytest.mark.django_db
def test_a_bucket_gives_its_tries_and_says_when_there_is_another(at):
    assert [take(THREE, "ann") for _try in range(5)] == [0, 0, 0, 1, 1]
    at(999)
    assert take(THREE, "ann") == 1
    at(1_000)
    assert [take(THREE, "ann") for _try in range(2)] == [0, 1]
    at(60_000)
    assert [take(THREE, "ann") for _try in range(4)] == [0, 0, 0, 1]


@pytest.mark.django_db
def test_buckets_are_apart_by_name_and_by_whose_they_are(at):
    for whose in (("ann", "x"), ("annx",), ("ann", "y")):
        assert [take(THREE, *whose) for _try in range(4)] == [0, 0, 0, 1]
    assert take(Bucket("other", tries=3, step_ms=1_000), "ann", "x") == 0


@pytest.mark.django_db
def test_what_is_given_back_can_be_taken_again(at):
    for _try in range(10):
        assert take(THREE, "ann") == 0
        give_back(THREE, "ann")


@pytest.mark.django_db
def test_a_clock_that_was_set_back_keeps_nobody_out(at):
    for _try in range(3):
        take(THREE, "ann")
    at(-3_600_000)
    assert [take(THREE, "ann") for _try in range(4)] == [0, 0, 0, 1]


@pytest.mark.django_db
def test_full_buckets_are_swept_and_say_nothing_of_whose_they_were(at):
    for number in range(5):
        take(THREE, f"ann{number}")
    at(2_000)
    take(THREE, "ben")
    assert Tries.objects.count() == 1
    assert "ben" not in Tries.objects.get().pk


@pytest.mark.django_db(transaction=True)
def test_rivals_at_once_get_no_try_more_than_there_are():
    barrier, taken = threading.Barrier(8), []

    def rival():
        barrier.wait()
        try:
            taken.extend(take(tries.BY_SOURCE, "ann") == 0 for _try in range(5))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=rival) for _number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(taken), sum(taken)) == (40, tries.BY_SOURCE.tries)


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_a_name_is_tried_so_often_whoever_has_it_and_the_rest_costs_no_hash(ann, hashes, name):
    use_up(name=name)
    for password in ("wrong", PASSWORD):
        with pytest.raises(TooManyTries) as refused:
            attempt(password, name)
    assert len(hashes) == tries.BY_SOURCE.tries
    assert 0 < refused.value.wait_s <= 30
    assert str(refused.value.wait_s) in str(refused.value)


def test_other_spellings_of_a_name_are_the_same_account(ann, hashes):
    use_up(name="aNN")
    with pytest.raises(TooManyTries):
        attempt(PASSWORD, "Ann")


def test_signing_in_costs_no_try(ann):
    for _time in range(2 * tries.BY_SOURCE.tries):
        attempt(PASSWORD)


def test_who_guesses_from_elsewhere_keeps_nobody_out(ann):
    use_up(address="198.51.100.1")
    attempt(PASSWORD, address=HERE)


def test_who_guesses_from_everywhere_is_stopped_but_not_the_owners_browser(ann, monkeypatch):
    monkeypatch.setattr(tries, "FROM_ANYWHERE", Bucket("anywhere", tries=20, step_ms=30_000))
    for network in (1, 2):
        use_up(address=f"198.51.100.{network}")
    with pytest.raises(TooManyTries):
        attempt(PASSWORD, address=HERE)
    attempt(PASSWORD, address=HERE, device="hers")


def test_who_guesses_beside_the_owner_does_not_use_up_the_tries_of_her_browser(ann):
    client = Client()
    signed_in = client.post("/accounts/sign-in/", {"username": "ann", "password": PASSWORD})
    mark = signed_in.cookies[devices.COOKIE]
    assert (mark["httponly"], mark["samesite"], mark["path"]) == (True, "Lax", "/accounts/")
    client.post("/accounts/sign-out/")
    use_up(address="127.0.0.1")
    stranger = Client().post("/accounts/sign-in/", {"username": "ann", "password": PASSWORD})
    assert stranger.status_code == 429
    assert client.post("/accounts/sign-in/", {"username": "ann", "password": PASSWORD}).status_code == 302


@pytest.mark.parametrize(
    ("content", "salt"),
    [
        (["ann", "1"], "other"),
        ("ann", devices.SALT),
        (["ben", "1"], devices.SALT),
        ([], devices.SALT),
        (None, None),
    ],
)
def test_a_mark_that_is_none_of_this_account_counts_for_nothing(rf, content, salt):
    request = rf.get("/")
    request.COOKIES[devices.COOKIE] = dumps(content, salt=salt) if salt else "x"
    assert devices.device_of(request, "ann") == ""


def test_a_form_and_a_program_are_told_when_to_try_again(client, ann):
    use_up(address="127.0.0.1")
    page = client.post("/accounts/sign-in/", {"username": "ann", "password": PASSWORD})
    body = {"username": "ann", "password": PASSWORD}
    program = client.post("/api/tokens/", body, content_type="application/json")
    for answer in (page, program):
        assert answer.status_code == 429
        assert 0 < int(answer["Retry-After"]) <= 30
    assert b"Too many tries. Please wait" in page.content
    assert program.json()["code"] == "rate_limited"


def test_the_present_password_is_guessed_so_often(client, ann):
    client.force_login(ann)
    fields = {"old_password": "wrong", "new_password": f"{PASSWORD} again"}
    for _try in range(tries.BY_SOURCE.tries):
        assert client.post("/accounts/password/", fields).status_code == 200
    fields["old_password"] = PASSWORD
    assert client.post("/accounts/password/", fields).status_code == 429
    assert client.get("/accounts/").status_code == 200
