import pytest

from tests.tournaments.evening import actor, enter_players, open_tournament, play_round
from tournaments.models import Absence, Entry
from tournaments.services import entries


@pytest.fixture
def cup(ann):
    return open_tournament(ann, name="Cup", rounds=3)


def test_a_player_enters_himself(sent, cup, ben):
    status, body = sent(ben, "post", "cup/entries/")
    assert status == 201
    assert body == {
        "id": Entry.objects.get().pk, "number": None, "player": "ben", "name": "Ben", "rating": 1500, "guest": False,
        "status": "active", "entered_round": 1, "withdrawn_after": None, "absences": [],
    }  # fmt: skip
    status, body = sent(ben, "post", "cup/entries/")
    assert (status, body["code"]) == (409, "already_entered")


def test_strangers_do_not_enter_and_players_enter_nobody_else(sent, cup, ben, cleo):
    assert sent(None, "post", "cup/entries/")[0] == 401
    assert sent(ben, "post", "cup/entries/", {"player": "cleo"})[0] == 403
    assert sent(ben, "post", "cup/entries/", {"name": "Maria"})[0] == 403
    assert sent(ben, "post", "nowhere/entries/")[0] == 404
    assert not Entry.objects.exists()


def test_the_organiser_enters_players_and_guests(sent, cup, ann, ben):
    assert sent(ann, "post", "cup/entries/", {"player": "ben"})[1]["name"] == "Ben"
    guest = sent(ann, "post", "cup/entries/", {"name": "Maria"})[1]
    assert guest["guest"]
    assert guest["player"].startswith("guest-")


@pytest.mark.parametrize(
    "body",
    [
        {"player": "nobody"},
        {"player": ""},
        {"player": None},
        {"name": "  "},
        {"name": 5},
        {"name": "x" * 65},
        {"name": "\x00"},
        {"name": "Maria", "player": "ben"},
        {"username": "ben"},
    ],
)
def test_bad_entrants_are_refused(sent, cup, ann, ben, body):
    status, answer = sent(ann, "post", "cup/entries/", body)
    assert (status, answer["code"]) == (400, "bad_request")
    assert not Entry.objects.exists()


def test_owner_organiser_other_and_stranger_withdraw(sent, cup, ann, ben, cleo):
    entry = entries.enter(actor=actor(ben), slug="cup")
    path = f"cup/entries/{entry.pk}/"
    assert sent(None, "delete", path)[0] == 401
    assert sent(cleo, "delete", path)[0] == 403
    assert sent(ben, "delete", path) == (204, None)
    assert sent(ben, "delete", path)[0] == 404
    again = entries.enter(actor=actor(ben), slug="cup")
    assert sent(ann, "delete", f"cup/entries/{again.pk}/")[0] == 204


def test_after_the_start_a_withdrawn_entry_stays_in_the_list(sent, cup, ann):
    made = enter_players(cup, ann, 4)
    play_round(cup, ann)
    path = f"cup/entries/{made[0].pk}/"
    assert sent(ann, "delete", path)[0] == 204
    assert sent(ann, "delete", path)[1]["code"] == "already_withdrawn"
    listed = sent(None, "get", "cup/entries/")[1]
    assert listed["count"] == 4
    assert [e["status"] for e in listed["results"] if e["id"] == made[0].pk] == ["withdrawn"]


def test_absences_are_asked_for_and_taken_back(sent, cup, ben, cleo):
    entry = entries.enter(actor=actor(ben), slug="cup")
    path = f"cup/entries/{entry.pk}/absence/"
    wish = {"round": 2, "kind": "zero"}
    assert sent(None, "post", path, wish)[0] == 401
    assert sent(cleo, "post", path, wish)[0] == 403
    assert sent(ben, "post", path, wish) == (201, wish)
    assert sent(ben, "post", path, wish | {"kind": "half"})[0] == 403
    assert sent(None, "get", "cup/entries/")[1]["results"][0]["absences"] == [wish]
    assert sent(ben, "delete", f"{path}2/")[0] == 204
    assert sent(ben, "delete", f"{path}2/")[0] == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"round": 0, "kind": "zero"},
        {"round": 4, "kind": "zero"},
        {"round": "2", "kind": "zero"},
        {"round": 2},
        {"round": 2, "kind": "x"},
    ],
)
def test_bad_absences_are_refused(sent, cup, ann, ben, body):
    entry = entries.enter(actor=actor(ben), slug="cup")
    assert sent(ann, "post", f"cup/entries/{entry.pk}/absence/", body)[0] == 400
    assert not Absence.objects.exists()
