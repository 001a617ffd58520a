import pytest

from games.models import Challenge, Game
from tests.games.seats import challenge, finished, seek

JSON = "application/json"


@pytest.fixture
def sent(client):
    """Sends a request as a player (or a stranger, None) and returns status and body."""

    def send(player, method, path, body=None):
        client.logout()
        if player is not None:
            client.force_login(player.user)
        response = (
            getattr(client, method)(path, body, content_type=JSON) if method != "get" else client.get(path)
        )
        return response.status_code, response.json() if response.content else None

    return send


def test_a_seek_answers_the_whole_challenge(sent, ann):
    status, body = sent(ann, "post", "/api/challenges/", {"opponent": None})
    assert status == 201
    assert body == {
        "id": Challenge.objects.get().pk, "challenger": "ann", "opponent": None, "rules": "L:F", "claims": "void",
        "control": "turn=60", "rated": False, "draws_allowed": True, "rematch_of": None, "state": "open", "game": None,
    }  # fmt: skip


def test_a_challenge_keeps_its_terms(sent, ann, ben):
    terms = {
        "rules": "LS:F",
        "claims": "strikes=3",
        "control": "bank=180 inc=5",
        "rated": True,
        "draws_allowed": False,
    }
    status, body = sent(ann, "post", "/api/challenges/", {"opponent": "ben"} | terms)
    assert status == 201
    assert body["opponent"] == "ben"
    assert {name: body[name] for name in terms} == terms


def test_a_rated_game_usually_loses_by_a_false_claim(sent, ann):
    assert sent(ann, "post", "/api/challenges/", {"rated": True})[1]["claims"] == "lose"


@pytest.mark.parametrize(
    "body",
    [
        {"rated": True, "rules": "L:7"},
        {"rules": "X:F"},
        {"rules": 5},
        {"rules": None},
        {"rules": "L:F" * 500},
        {"claims": "never"},
        {"claims": []},
        {"control": "turn=-1"},
        {"control": "turn=99999999999999999999"},
        {"control": {"turn": 60}},
        {"rated": "perhaps"},
        {"rated": 1},
        {"rated": None},
        {"draws_allowed": "yes"},
        {"opponent": "ann"},
        {"opponent": "nobody"},
        {"opponent": 7},
        {"opponent": ""},
        {"opponent": "x" * 10_000},
        {"opponent": "b\x00n"},
        {"opponent": ["ben"]},
    ],
)
def test_a_challenge_that_cannot_be_is_a_bad_request_in_words(sent, ann, ben, body):
    status, answer = sent(ann, "post", "/api/challenges/", body)
    assert (status, answer["code"]) == (400, "bad_request")
    assert answer["detail"]
    assert not Challenge.objects.exists()


def test_the_eleventh_open_challenge_is_a_conflict(sent, ann):
    answers = [sent(ann, "post", "/api/challenges/", {}) for _number in range(11)]
    assert [status for status, _body in answers] == [201] * 10 + [409]
    assert answers[-1][1]["code"] == "state"


def test_accepting_answers_the_game(sent, ann, ben):
    made = seek(ann)
    status, body = sent(ben, "post", f"/api/challenges/{made.pk}/accept/")
    assert status == 200
    assert (body["game"], body["state"], body["opponent"]) == (Game.objects.get().pk, "accepted", "ben")


def test_who_comes_too_late_gets_a_conflict(sent, ann, ben, cleo):
    made = seek(ann)
    sent(ben, "post", f"/api/challenges/{made.pk}/accept/")
    status, body = sent(cleo, "post", f"/api/challenges/{made.pk}/accept/")
    assert (status, body["code"]) == (409, "state")
    assert Game.objects.count() == 1


@pytest.mark.parametrize("answer", ["accept", "decline", "cancel"])
@pytest.mark.parametrize(
    ("who", "allowed"), [("ann", {"cancel"}), ("ben", {"accept", "decline"}), ("cleo", set()), (None, set())]
)
def test_a_challenge_is_answered_by_those_whom_it_concerns(sent, ann, ben, cleo, who, allowed, answer):
    made = challenge(ann, ben)
    player = {"ann": ann, "ben": ben, "cleo": cleo, None: None}[who]
    status, body = sent(player, "post", f"/api/challenges/{made.pk}/{answer}/")
    if answer in allowed:
        assert status == 200
    else:
        refused = {"cleo": (404, "not_found"), None: (401, "not_signed_in")}
        assert (status, body["code"]) == refused.get(who, (403, "forbidden"))
    made.refresh_from_db()
    assert (made.state != "open") == (answer in allowed)


def test_ones_own_challenge_is_deleted(sent, ann, ben):
    made = challenge(ann, ben)
    assert sent(ben, "delete", f"/api/challenges/{made.pk}/")[0] == 403
    assert sent(ann, "delete", f"/api/challenges/{made.pk}/") == (204, None)
    status, body = sent(ann, "delete", f"/api/challenges/{made.pk}/")
    assert (status, body["code"]) == (409, "state")


def test_the_list_shows_seeks_and_what_concerns_me(sent, ann, ben, cleo):
    public, between = seek(cleo), challenge(ann, ben)
    for player, ids in (
        (ann, {public.pk, between.pk}),
        (ben, {public.pk, between.pk}),
        (cleo, {public.pk}),
        (None, {public.pk}),
    ):
        status, body = sent(player, "get", "/api/challenges/")
        assert status == 200
        assert {one["id"] for one in body["results"]} == ids


def test_one_challenge_is_shown_to_those_whom_it_concerns(sent, ann, ben, cleo):
    between = challenge(ann, ben)
    for player in (ann, ben):
        status, body = sent(player, "get", f"/api/challenges/{between.pk}/")
        assert (status, body["id"]) == (200, between.pk)
    for player in (cleo, None):
        status, body = sent(player, "get", f"/api/challenges/{between.pk}/")
        assert (status, body["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["nothing/", "nothing/accept/", "nothing/decline/", "nothing/cancel/"])
def test_an_unknown_challenge_is_not_found(sent, ann, path):
    method = "get" if path == "nothing/" else "post"
    status, body = sent(ann, method, f"/api/challenges/{path}")
    assert (status, body["code"]) == (404, "not_found")


def test_a_stranger_offers_nothing(sent, db):
    status, body = sent(None, "post", "/api/challenges/", {})
    assert (status, body["code"]) == (401, "not_signed_in")


def test_a_rematch_answers_the_offer_and_then_the_game(sent, ann, ben):
    first = finished(ann, ben)
    status, offer = sent(ann, "post", f"/api/games/{first.pk}/rematch/")
    assert (status, offer["game"], offer["challenge"], offer["rematch_of"]) == (
        200,
        None,
        offer["id"],
        first.pk,
    )
    status, answer = sent(ben, "post", f"/api/games/{first.pk}/rematch/")
    game = Game.objects.get(pk=answer["game"])
    assert (status, game.seat1, game.seat2) == (200, ben, ann)


def test_a_rematch_is_refused_with_a_code(sent, ann, ben, cleo):
    first, board = (
        finished(ann, ben),
        finished(ann, ben, event={"slug": "x", "name": "X", "round": 1, "board": 1}),
    )
    outcomes = [
        sent(player, "post", f"/api/games/{game_id}/rematch/")
        for player, game_id in ((None, first.pk), (cleo, first.pk), (ann, board.pk), (ann, "nothing"))
    ]
    assert [(status, body["code"]) for status, body in outcomes] == [
        (401, "not_signed_in"), (403, "not_a_player"), (409, "state"), (404, "not_found"),
    ]  # fmt: skip
