import pytest

from games.models import Game
from tests.tournaments.evening import (
    actor,
    enter_players,
    enter_results,
    open_tournament,
    pair_and_start,
    person,
    play_round,
)
from tournaments.models import Absence, Board, Entry, Round, Staff, Tournament
from tournaments.services import entries, pairings, rounds

NEW = {
    "name": "Thursday 12", "format": "swiss", "rounds": "3", "time": "turn=60", "lines": "L",
    "attributes": ["1", "2", "4", "8"], "claims": "lose", "no_show_s": "120", "bye": "2", "late": "0", "publish": "1",
}  # fmt: skip


@pytest.fixture
def cup(ann):
    tournament = open_tournament(ann, name="Cup", rounds=3)
    enter_players(tournament, ann, 5)
    return tournament


@pytest.fixture
def desk(client, ann):
    """Posts to the desk as the organiser and returns the page that follows."""
    client.force_login(ann.user)
    return lambda path, **fields: client.post(f"/tournaments/cup/manage/{path}", fields, follow=True)


def test_making_a_tournament_by_the_form(client, ann):
    client.force_login(ann.user)
    page = client.post("/tournaments/new/", NEW, follow=True)
    assert page.redirect_chain == [("/tournaments/thursday-12/manage/", 302)]
    made = Tournament.objects.get()
    assert (made.name, made.rounds, made.rules, made.control, made.rated) == (
        "Thursday 12",
        3,
        "L:F",
        "turn=60",
        True,
    )
    assert (made.status, made.no_show_s, made.bye_half_points) == ("published", 120, 2)


def test_a_draft_is_kept_in_words_and_takes_entries_of_its_organiser(client, ann):
    client.force_login(ann.user)
    fields = {name: value for name, value in NEW.items() if name != "publish"}
    page = client.post("/tournaments/new/", fields, follow=True)
    assert "Nobody else sees it yet." in page.text
    assert "Now the players can enter." not in page.text
    page = client.post("/tournaments/thursday-12/manage/entries/", {"names": "Maria"}, follow=True)
    assert "1 player is in." in page.text


def test_strangers_are_asked_to_sign_in(client, db):
    assert client.get("/tournaments/new/").url.startswith("/accounts/")
    assert client.post("/tournaments/new/", NEW).status_code == 302
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"rounds": "many"}, "rounds"),
        ({"rounds": "0"}, "rounds"),
        ({"format": "knockout"}, "format"),
        ({"time": "other", "other_time": ""}, "other_time"),
        ({"time": "other", "other_time": "soon"}, "other_time"),
        ({"attributes": []}, "attributes"),
        ({"tiebreaks": "BH XX"}, "tiebreaks"),
        ({"no_show_s": "-1"}, "no_show_s"),
        ({"description": "x" * 4001}, "description"),
    ],
)
def test_mistakes_are_shown_by_field_and_what_was_typed_stays(client, ann, fields, field):
    client.force_login(ann.user)
    page = client.post("/tournaments/new/", NEW | {"description": "Bring a board."} | fields)
    assert page.status_code == 200
    assert list(page.context["form"].errors) == [field]
    if field != "description":
        assert "Bring a board." in page.text
    assert not Tournament.objects.exists()


def test_the_form_proposes_what_fits_the_evening(client, ann):
    client.force_login(ann.user)
    page = client.get("/tournaments/new/?players=6&minutes=120")
    assert page.context["form"]["format"].value() == "round_robin"
    page = client.get("/tournaments/new/?players=24&minutes=60")
    assert (page.context["form"]["format"].value(), page.context["form"]["rounds"].value()) == ("swiss", 5)
    assert client.get("/tournaments/new/?players=x&minutes=-1").status_code == 200


def test_the_other_time_comes_with_the_proposal(client, ann):
    """The page swaps what is proposed: a time "other" without its text would be refused."""
    client.force_login(ann.user)
    page = client.get("/tournaments/new/", {"players": 4, "minutes": 30}).text
    proposed = page.split('id="proposed"')[1].split("<details")[0]
    assert 'name="other_time"' in proposed


def test_from_sign_up_to_round_one_through_the_pages(client, db):
    """Every request is at most two clicks: fewer than the 25 that are allowed."""
    organiser = person("Ann")
    client.force_login(organiser.user)
    client.post("/tournaments/new/", NEW | {"name": "Cup", "over_the_board": "on"})
    client.post("/tournaments/cup/manage/entries/", {"names": "Maria\nIvan\nJan\nOlga"})
    client.post("/tournaments/cup/manage/pair/")
    page = client.post("/tournaments/cup/manage/rounds/1/start/", follow=True)
    assert "Round 1 is running" in page.text
    assert Board.objects.count() == 2


def test_a_whole_evening_at_the_desk(cup, desk):
    for number in (1, 2, 3):
        assert f"Round {number} is paired." in desk("pair/").text
        assert f"Round {number} has begun." in desk(f"rounds/{number}/start/").text
        for board in (1, 2):
            page = desk(f"rounds/{number}/boards/{board}/", result="1-0")
            assert f"Board {board}: 1–0." in page.text
    assert "The tournament is over" in page.text
    cup.refresh_from_db()
    assert cup.status == "complete"


def test_refusals_are_said_in_words(cup, desk):
    desk("pair/")
    desk("rounds/1/start/")
    assert "Round 1 waits for boards 1 (" in desk("pair/").text
    assert "The result must be" in desk("rounds/1/boards/1/", result="9-9").text
    assert "This round has begun." in desk("rounds/1/discard/").text


def test_drafts_are_shown_discarded_and_published(cup, desk, client):
    assert "Round 1 is paired" in desk("pair/").text
    assert "Round 1 was paired already." in desk("pair/").text
    assert "Everybody can see the pairings" in desk("rounds/1/show/").text
    assert "is discarded" in desk("rounds/1/discard/").text
    assert not Round.objects.exists()


def test_players_are_entered_as_a_list_and_a_mistake_keeps_it(cup, desk, ben):
    assert "3 players are in." in desk("entries/", names="ben\nMaria\nIvan").text
    page = desk("entries/", names="Olga\nben")
    assert "Line 2 (ben): This player has entered already." in page.text
    assert "Olga\nben</textarea>" in page.text
    assert Entry.objects.count() == 8


def test_withdrawing_absences_and_coming_back(cup, desk, ann):
    entry = Entry.objects.order_by("pk").first()
    assert "The bye is noted for round 1." in desk(f"entries/{entry.pk}/absence/1/", kind="half").text
    assert "round 1: half-point bye" in desk("publish/").text
    assert "The bye is taken back." in desk(f"entries/{entry.pk}/absence/1/", kind="none").text
    for number in (201, 2**63, 10**30):
        assert "There is no such round." in desk(f"entries/{entry.pk}/absence/{number}/", kind="zero").text
    assert not Absence.objects.exists()
    play_round(cup, ann)
    assert "G01 will not be paired any more." in desk(f"entries/{entry.pk}/withdraw/").text
    assert "G01 plays again from the next pairing on." in desk(f"entries/{entry.pk}/reinstate/").text


def test_games_are_paused_and_go_on(client, desk, ann, ben):
    tournament = open_tournament(ann, name="Cup", over_the_board=False, rounds=1)
    for player in (ben, person("Dora")):
        entries.enter(actor=actor(player), slug="cup")
    pair_and_start(tournament, ann)
    for reason in ("x" * 201, "a\x00b", "a\u202eb"):
        assert "at most 200 printable characters" in desk("pause/", reason=reason).text
    assert "1 game is paused." in desk("pause/", reason=" fire\n").text
    assert Game.objects.get().pause_reason == "fire"
    assert "1 game goes on." in desk("resume/").text
    assert "No game is in that state." in desk("resume/").text
    assert "Board 1: 1–0." in desk("rounds/1/boards/1/", result="1-0", reason="ill").text


def test_a_complete_round_is_announced_on_a_page_that_was_loaded_before(cup, client, ann):
    client.force_login(ann.user)
    round_ = pair_and_start(cup, ann)
    assert "?was=running" in client.get("/tournaments/cup/manage/").text
    enter_results(cup, ann, round_)
    announced = "Round 1 is complete."
    assert announced in client.get("/tournaments/cup/manage/", {"was": "running"}).text
    assert announced not in client.get("/tournaments/cup/manage/").text


def test_arbiters_are_appointed_and_see_the_desk(cup, desk, client, ben):
    assert "Nobody has this user name." in desk("staff/", username="nobody", role="arbiter").text
    assert "Ben helps to run this tournament." in desk("staff/", username="ben", role="arbiter").text
    client.force_login(ben.user)
    assert client.get("/tournaments/cup/manage/").status_code == 200
    assert client.post("/tournaments/cup/manage/pair/").status_code == 403
    assert Staff.objects.count() == 2


def test_conditions_are_changed_until_a_round_is_paired(cup, desk, ann):
    fields = NEW | {"name": "Cup", "over_the_board": "on", "rounds": "4", "description": "Hall 2"}
    assert "The changes are in force." in desk("regulations/", **fields).text
    cup.refresh_from_db()
    assert (cup.rounds, cup.description) == (4, "Hall 2")
    pairings.pair_next(actor=actor(ann), slug="cup")
    page = desk("regulations/", **fields | {"lines": "LS", "description": "Hall 3"})
    assert "The changes are in force." in page.text
    cup.refresh_from_db()
    assert (cup.rules, cup.description) == ("L:F", "Hall 3")
    rounds.discard_draft(actor=actor(ann), slug="cup", number=1)
    assert list(desk("regulations/", **fields | {"rounds": "0"}).context["form"].errors) == ["rounds"]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "regulations/",
        "by-hand/",
        "finish/",
        "publish/",
        "entries/",
        "pair/",
        "rounds/1/show/",
        "rounds/1/discard/",
        "rounds/1/start/",
        "rounds/1/boards/1/",
        "pause/",
        "resume/",
        "staff/",
    ],
)
def test_the_desk_is_closed_to_others_and_strangers(client, cup, ann, ben, path):
    pairings.pair_next(actor=actor(ann), slug="cup")
    send = client.get if path in ("", "regulations/") else client.post
    body = {"names": "Eve", "username": "ben", "role": "organiser", "result": "1-0"}
    assert send(f"/tournaments/cup/manage/{path}", body).status_code == 302
    client.force_login(ben.user)
    assert send(f"/tournaments/cup/manage/{path}", body).status_code == 403
    assert Entry.objects.count() == 5
    assert Round.objects.get().status == Round.Status.DRAFT
    assert Staff.objects.count() == 1


def test_actions_are_posts(client, cup, ann):
    client.force_login(ann.user)
    for path in ("pair/", "publish/", "entries/", "staff/", "pause/"):
        assert client.get(f"/tournaments/cup/manage/{path}").status_code == 405


def test_a_round_is_paired_by_hand_and_a_draft_changed(cup, desk, client):
    desk("pair/")
    page = client.get("/tournaments/cup/manage/by-hand/")
    form = page.context["form"]
    drafted = {name: form[name].value() for name in form.fields}
    swapped = drafted | {"starter1": drafted["second1"], "second1": drafted["starter1"]}
    assert "Round 1 is paired." in desk("by-hand/", **swapped).text
    board = Board.objects.get(number=1)
    assert (str(board.starter_id), str(board.second_id)) == (drafted["second1"], drafted["starter1"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"second1": ""}, "A board needs two players."),
        ({"starter1": "999999"}, "not one of the available choices"),
        ({"starter1": "same"}, "Somebody is named twice."),
        ({"starter1": "", "second1": "", "starter2": "", "second2": ""}, "Name at least one board."),
    ],
)
def test_mistakes_in_pairing_by_hand_are_shown(cup, desk, client, changes, words):
    desk("pair/")
    form = client.get("/tournaments/cup/manage/by-hand/").context["form"]
    fields = {name: form[name].value() for name in form.fields}
    changes = {name: fields["second1"] if value == "same" else value for name, value in changes.items()}
    page = desk("by-hand/", **fields | changes)
    assert page.status_code == 200
    assert words in page.text
    assert Round.objects.get().status == Round.Status.DRAFT


def test_the_organiser_ends_a_tournament_between_two_rounds(cup, desk, ann):
    assert "between two rounds" in desk("finish/").text
    play_round(cup, ann)
    assert "End the tournament now" in desk("publish/").text
    pairings.pair_next(actor=actor(ann), slug="cup")
    assert "The tournament is over." in desk("finish/").text
    cup.refresh_from_db()
    assert (cup.status, cup.rounds, cup.round_set.count()) == ("complete", 1, 1)
