import pytest

from tests.tournaments.evening import actor, enter_players, open_tournament, play_round
from tournaments.models import AuditEvent, Staff, Tournament
from tournaments.services import tournaments

THURSDAY = {
    "name": "Thursday 12",
    "format": "swiss",
    "rounds": 3,
    "rules": "L:F",
    "claims": "lose",
    "control": "turn=60",
}


def test_whoever_makes_a_tournament_is_its_organiser(sent, ann):
    status, body = sent(ann, "post", "", THURSDAY | {"rated": True})
    assert status == 201
    assert {name: body[name] for name in THURSDAY} == THURSDAY
    assert (body["slug"], body["status"], body["rated"], body["players"]) == (
        "thursday-12",
        "published",
        True,
        0,
    )
    assert body["tiebreaks"] == ["BH-C1", "BH", "SB", "DE", "WIN"]
    assert Staff.objects.get().player == ann
    assert AuditEvent.objects.get().verb == "created"


def test_strangers_make_none(sent, db):
    assert sent(None, "post", "", THURSDAY)[0] == 401
    assert not Tournament.objects.exists()


def test_equal_names_get_addresses_of_their_own(sent, ann):
    slugs = [
        sent(ann, "post", "", {"name": name})[1]["slug"] for name in ("Cup", "Cup", "Кубок", "New", "cup 2")
    ]
    assert slugs == ["cup", "cup-2", "tournament-2", "new-2", "cup-2-2"]


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"name": 5}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": "a\u202eb"}, "printable"),
        ({"name": "a\x00b"}, "name"),
        ({"name": ["Cup"]}, "name"),
        ({"format": "chess"}, "no such format"),
        ({"format": "knockout"}, "not offered yet"),
        ({"format": "arena"}, "not offered yet"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": -1}, "rounds"),
        ({"rounds": 10**9}, "rounds"),
        ({"rounds": "3"}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"rounds": 2.5}, "rounds"),
        ({"rules": "L:0"}, "rules"),
        ({"rules": "X:F"}, "rules"),
        ({"claims": "strikes=0"}, "claim"),
        ({"control": "turn=0"}, "time"),
        ({"control": "never"}, "time"),
        ({"rated": True, "rules": "L:7"}, "four attributes"),
        ({"rated": True, "over_the_board": True}, "over the board"),
        ({"rated": "yes"}, "rated"),
        ({"grace_ms": 2001}, "grace_ms"),
        ({"no_show_s": 0}, "no_show_s"),
        ({"tiebreaks": ["BH", "BH"]}, "twice"),
        ({"tiebreaks": ["XX"]}, "no tie-break"),
        ({"tiebreaks": ["BH"], "format": "round_robin"}, "no tie-break"),
        ({"tiebreaks": "BH"}, "tiebreaks"),
        ({"bye_points": "3"}, "bye_points"),
        ({"description": "x" * 4001}, "description"),
        ({"club": "nowhere"}, "no such club"),
        ({"status": "running"}, "status"),
    ],
)
def test_bad_regulations_are_refused_with_the_field_in_words(sent, ann, fields, word):
    status, body = sent(ann, "post", "", THURSDAY | fields)
    assert (status, body["code"]) == (400, "bad_request")
    assert word in body["detail"]
    assert not Tournament.objects.exists()


def test_what_cannot_be_rated_is_not_unless_asked_for(sent, ann):
    assert sent(ann, "post", "", {"name": "Beginners", "rules": "L:3"})[1]["rated"] is False
    assert sent(ann, "post", "", {"name": "Hall", "over_the_board": True})[1]["rated"] is False


def test_points_for_byes_are_decimal_strings(sent, ann):
    body = sent(ann, "post", "", {"name": "Cup", "bye_points": "0.5", "late_points": 0.5})[1]
    assert (body["bye_points"], body["late_points"]) == ("0.5", "0.5")


def test_a_draft_is_seen_by_its_organisers_only(sent, ann, ben):
    slug = sent(ann, "post", "", THURSDAY | {"status": "draft"})[1]["slug"]
    for reader, status, count in ((ann, 200, 1), (ben, 404, 0), (None, 404, 0)):
        assert sent(reader, "get", f"{slug}/")[0] == status
        assert sent(reader, "get", "")[1]["count"] == count
        assert sent(reader, "get", f"{slug}/export.json")[0] == status
    assert sent(ben, "patch", f"{slug}/", {"status": "published"})[0] == 404
    assert sent(ann, "patch", f"{slug}/", {"status": "published"})[1]["status"] == "published"
    assert sent(ben, "get", f"{slug}/")[0] == 200


def test_the_list_is_paged_filtered_and_newest_first(sent, ann):
    for name in ("One", "Two", "Three"):
        open_tournament(ann, name=name)
    assert [t["name"] for t in sent(None, "get", "")[1]["results"]] == ["Three", "Two", "One"]
    page = sent(None, "get", "?page_size=2")[1]
    assert (page["count"], len(page["results"]), page["previous"]) == (3, 2, None)
    assert sent(None, "get", "?status=running")[1]["count"] == 0
    assert sent(None, "get", "?status=wild")[0] == 400
    assert sent(None, "get", "?page=99")[0] == 404


def test_owner_other_player_and_stranger_change_a_tournament(sent, ann, ben):
    slug = open_tournament(ann).slug
    assert sent(ann, "patch", f"{slug}/", {"rounds": 5})[1]["rounds"] == 5
    assert sent(ben, "patch", f"{slug}/", {"rounds": 4})[0] == 403
    assert sent(None, "patch", f"{slug}/", {"rounds": 4})[0] == 401
    assert sent(ann, "patch", "nowhere/", {"rounds": 4})[0] == 404
    assert Tournament.objects.get().rounds == 5
    assert AuditEvent.objects.filter(verb="changed").get().detail == {"rounds": 5}


def test_a_new_format_brings_its_usual_tiebreaks(sent, ann):
    slug = open_tournament(ann).slug
    assert sent(ann, "patch", f"{slug}/", {"format": "round_robin"})[1]["tiebreaks"] == [
        "DE",
        "SB",
        "WIN",
        "KS",
    ]


def test_once_paired_only_some_things_change(sent, ann):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 6)
    play_round(tournament, ann)
    slug = tournament.slug
    assert sent(ann, "patch", f"{slug}/", {"rules": "LS:F"})[0] == 409
    assert sent(ann, "patch", f"{slug}/", {"rounds": 6})[0] == 409
    assert sent(ann, "patch", f"{slug}/", {"rounds": None})[0] == 409
    assert sent(ann, "patch", f"{slug}/", {"rounds": 4, "description": "Hall 2"})[0] == 200
    assert sent(ann, "patch", f"{slug}/", {"rounds": 1})[1]["status"] == "complete"
    assert sent(ann, "patch", f"{slug}/", {"rounds": 2})[0] == 409
    assert sent(ann, "patch", f"{slug}/", {"name": "Thursday 12"})[1]["name"] == "Thursday 12"


def test_a_club_lets_only_its_organisers_use_its_name(sent, ann, ben):
    club = tournaments.create_club(actor=actor(ann), name="Café")
    assert sent(ann, "post", "", {"name": "Cup", "club": "cafe"})[1]["club"] == {
        "slug": "cafe",
        "name": "Café",
    }
    assert sent(ben, "post", "", {"name": "Cup", "club": club.slug})[0] == 403


@pytest.mark.parametrize("body", ["", "[]", "{", '{"name": NaN}', '"x"', '{"name": "\\ud800"}'])
def test_bodies_that_are_no_object_are_refused(client, ann, body):
    client.force_login(ann.user)
    response = client.post("/api/tournaments/", body, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
