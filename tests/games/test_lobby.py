import pytest

from games.models import Challenge, Game
from games.queries.inbox import inbox
from games.services.challenges import accept, rematch
from ratings.services import guest_player
from tests.games.seats import challenge, finished, seek

OFFER = {
    "opponent": "",
    "time": "turn=60",
    "lines": "L",
    "attributes": ["1", "2", "4", "8"],
    "draws_allowed": "on",
}


@pytest.fixture
def as_ann(client, ann):
    client.force_login(ann.user)
    return client


def test_a_form_opens_a_seek(as_ann, ann):
    response = as_ann.post("/challenges/", OFFER, follow=True)
    assert b"Your seek is open" in response.content
    made = Challenge.objects.get()
    assert (made.challenger, made.opponent, made.rules, made.claims, made.control, made.rated, made.draws_allowed) == (
        ann, None, "L:F", "void", "turn=60", False, True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"rated": "on"}, {"rated": True, "claims": "lose"}),
        ({"rated": "on", "claims": "void"}, {"rated": True, "claims": "void"}),
        ({"lines": "OS", "attributes": ["1", "8"]}, {"rules": "OS:9"}),
        ({"time": "bank=180 inc=5"}, {"control": "bank=180 inc=5"}),
        ({"time": "other", "other_time": "turn=7"}, {"control": "turn=7"}),
        ({"time": "turn=30", "other_time": "nonsense"}, {"control": "turn=30"}),
        ({"claims": "strikes=2"}, {"claims": "strikes=2"}),
        ({"draws_allowed": ""}, {"draws_allowed": False}),
    ],
)
def test_a_form_says_all_the_terms(as_ann, changes, kept):
    assert as_ann.post("/challenges/", OFFER | changes)["Location"] == "/"
    made = Challenge.objects.get()
    assert {name: getattr(made, name) for name in kept} == kept


def test_a_form_challenges_a_player(as_ann, ben):
    response = as_ann.post("/challenges/", OFFER | {"opponent": "Ben"}, follow=True)
    assert b"Ben is being asked" in response.content
    assert Challenge.objects.get().opponent == ben


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"opponent": "nobody"}, "opponent", "no player of this name"),
        ({"opponent": "ann"}, "opponent", "against himself"),
        ({"opponent": "x" * 500}, "opponent", "at most 32"),
        ({"opponent": "b\x00"}, "opponent", "Null characters"),
        ({"attributes": []}, "attributes", "At least one"),
        ({"attributes": ["16"]}, "attributes", "not one of the available choices"),
        ({"attributes": ["1"], "rated": "on"}, "rated", "all four attributes"),
        ({"lines": "X"}, "lines", "not one of the available choices"),
        ({"lines": ""}, "lines", "required"),
        ({"time": "turn=1"}, "time", "not one of the available choices"),
        ({"time": "other"}, "other_time", "Which one?"),
        ({"time": "other", "other_time": "soon"}, "other_time", "The time must be like"),
        ({"time": "other", "other_time": "1" * 500}, "other_time", "at most 40"),
        ({"claims": "never"}, "claims", "not one of the available choices"),
    ],
)
def test_an_offer_that_cannot_be_says_so_beside_the_field(as_ann, changes, field, words):
    response = as_ann.post("/challenges/", OFFER | changes)
    assert response.status_code == 200
    assert any(words in error for error in response.context["form"].errors[field])
    assert not Challenge.objects.exists()


def test_the_eleventh_offer_is_refused_in_words(as_ann):
    for _number in range(10):
        as_ann.post("/challenges/", OFFER)
    response = as_ann.post("/challenges/", OFFER)
    assert response.context["form"].non_field_errors() == ["You have ten open challenges. Cancel one first."]


def test_a_guest_on_the_list_cannot_be_challenged(as_ann):
    guest = guest_player("Dora")
    response = as_ann.post("/challenges/", OFFER | {"opponent": guest.username})
    assert "opponent" in response.context["form"].errors


def test_the_form_knows_whom_one_came_from(as_ann, ben):
    assert b'value="ben"' in as_ann.get("/challenges/?opponent=ben").content
    assert b"<script>" not in as_ann.get("/challenges/?opponent=<script>").content


def test_accepting_leads_to_the_board(as_ann, ben):
    made = seek(ben)
    response = as_ann.post(f"/challenges/{made.pk}/accept/")
    assert response["Location"] == f"/games/{Game.objects.get().pk}/"


def test_who_comes_too_late_is_told(as_ann, ben, cleo):
    made = seek(ben)
    accept(challenge_id=made.pk, player=cleo)
    response = as_ann.post(f"/challenges/{made.pk}/accept/", follow=True)
    assert b"This challenge is not open any more." in response.content
    assert Game.objects.count() == 1


@pytest.mark.parametrize("answer", ["decline", "cancel"])
def test_saying_no_leads_back_to_the_lobby(as_ann, ann, ben, answer):
    made = challenge(ben, ann) if answer == "decline" else seek(ann)
    assert as_ann.post(f"/challenges/{made.pk}/{answer}/")["Location"] == "/"
    made.refresh_from_db()
    assert made.state == {"decline": "declined", "cancel": "cancelled"}[answer]


def test_a_rematch_works_without_a_script(as_ann, ann, ben):
    first = finished(ann, ben)
    assert as_ann.post(f"/games/{first.pk}/rematch/")["Location"] == "/"
    game = rematch(game_id=first.pk, player=ben).game
    assert as_ann.post(f"/games/{first.pk}/rematch/")["Location"] == f"/games/{game.pk}/"


@pytest.mark.parametrize(
    "path", ["/challenges/x/accept/", "/challenges/x/decline/", "/challenges/x/cancel/", "/games/x/rematch/"]
)
def test_nothing_is_done_by_a_link_or_by_a_stranger(client, ann, path):
    assert client.post(path)["Location"] == f"/accounts/sign-in/?next={path}"
    client.force_login(ann.user)
    assert client.get(path).status_code == 405
    assert client.post(path)["Location"] == "/"


def test_the_lobby_shows_a_player_what_concerns_him(as_ann, ann, ben, cleo):
    from_ben, to_me, from_me = seek(ben), challenge(cleo, ann), challenge(ann, cleo)
    playing = accept(challenge_id=seek(ann).pk, player=ben).game
    lobby = as_ann.get("/").context["lobby"]
    assert [offer.challenge for offer in lobby.seeks] == [from_ben]
    assert [offer.challenge for offer in lobby.incoming] == [to_me]
    assert lobby.outgoing == [from_me]
    assert lobby.games == lobby.live == [playing]


def test_the_lobby_shows_a_stranger_what_is_public(client, ann, ben):
    challenge(ann, ben)
    public = seek(ann, rules="LS:3", control="turn=45", claims="strikes=2")
    response = client.get("/")
    lobby = response.context["lobby"]
    assert ([offer.challenge for offer in lobby.seeks], lobby.incoming, lobby.outgoing, lobby.games) == (
        [public],
        [],
        [],
        [],
    )
    page = response.content.decode()
    assert "Rows, columns, diagonals and 2x2 squares; 2 attributes" in page
    assert "45 seconds a turn" in page
    assert "2 false calls lose" in page
    assert "Offer the game" not in page


def test_a_challenge_waits_for_who_comes_later(ann, ben):
    made = challenge(ann, ben)
    assert [(frame["type"], frame["you"], frame["challenge"]["id"]) for frame in inbox(ben.pk)] == [
        ("challenge", "opponent", made.pk)
    ]
    assert inbox(ann.pk) == []


def test_the_page_of_a_game_is_public(client, ann, ben):
    game = accept(challenge_id=seek(ann).pk, player=ben).game
    response = client.get(f"/games/{game.pk}/")
    assert response.status_code == 200
    assert (response.context["game"]["id"], response.context["game"]["you"]) == (game.pk, None)
    assert response.context["options"]["signed_in"] is False
    client.force_login(game.seat2.user)
    shown = client.get(f"/games/{game.pk}/").context
    assert (shown["game"]["you"], shown["options"]["signed_in"], shown["options"]["rematch"]) == (
        2,
        True,
        True,
    )


def test_a_game_that_does_not_exist_is_not_found_in_words(client, db):
    response = client.get("/games/nothing/")
    assert response.status_code == 404
    assert "games/game.html" not in [template.name for template in response.templates]


def test_the_page_of_a_tournament_game_offers_no_rematch(as_ann, ann, ben):
    game = finished(ann, ben, event={"slug": "x", "name": "X", "round": 1, "board": 1})
    assert as_ann.get(f"/games/{game.pk}/").context["options"]["rematch"] is False
