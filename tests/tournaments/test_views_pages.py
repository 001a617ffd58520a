import pytest

from tests.tournaments.evening import (
    actor,
    enter_players,
    open_tournament,
    pair_and_start,
    person,
    play_round,
)
from tournaments.models import Entry, Tournament
from tournaments.services import entries, pairings, rounds

PAGES = ["", "rounds/1/", "standings/", "boards/", "screen/"]


@pytest.fixture
def cup(ann):
    tournament = open_tournament(ann, name="Cup", rounds=3)
    enter_players(tournament, ann, 5)
    play_round(tournament, ann)
    return tournament


@pytest.mark.parametrize("path", PAGES)
def test_everybody_reads_every_page(client, cup, path):
    response = client.get(f"/tournaments/cup/{path}")
    assert response.status_code == 200
    assert "G01" in response.text
    assert "style=" not in response.text


@pytest.mark.parametrize("path", [*PAGES, "manage/"])
def test_unknown_tournaments_and_drafts_are_not_found(client, ann, ben, path):
    open_tournament(ann, name="Secret", publish=False)
    client.force_login(ben.user)
    assert client.get(f"/tournaments/nowhere/{path}").status_code == 404
    assert client.get(f"/tournaments/secret/{path}").status_code == 404


def test_the_list_sorts_by_what_one_can_do(client, ann, cup):
    open_tournament(ann, name="Open evening")
    open_tournament(ann, name="Only a draft", publish=False)
    page = client.get("/tournaments/")
    assert [t.name for t in page.context["lists"].open] == ["Open evening"]
    assert [t.name for t in page.context["lists"].running] == ["Cup"]
    assert "Only a draft" not in page.text
    client.force_login(ann.user)
    assert "Only a draft" in client.get("/tournaments/").text


def test_the_round_page_names_the_boards_it_waits_for(client, cup, ann):
    pair_and_start(cup, ann)
    page = client.get("/tournaments/cup/rounds/2/")
    for board in page.context["page"].waiting_for:
        assert f"board {board.number} ({board.starter.player.name} – {board.second.player.name})" in page.text


def test_drafts_of_rounds_are_seen_by_the_staff_only(client, cup, ann, ben):
    pairings.pair_next(actor=actor(ann), slug="cup")
    assert client.get("/tournaments/cup/rounds/2/").status_code == 404
    client.force_login(ben.user)
    assert client.get("/tournaments/cup/rounds/2/").status_code == 404
    client.force_login(ann.user)
    assert client.get("/tournaments/cup/rounds/2/").status_code == 200
    rounds.publish_pairings(actor=actor(ann), slug="cup", number=2)
    client.force_login(ben.user)
    assert client.get("/tournaments/cup/rounds/2/").status_code == 200


@pytest.mark.parametrize(
    ("after", "status"), [("1", 200), ("0", 200), ("2", 404), ("x", 200), ("99999999999", 200)]
)
def test_standings_after_a_round(client, cup, after, status):
    assert client.get(f"/tournaments/cup/standings/?after={after}").status_code == status


def test_a_round_robin_shows_a_cross_table(client, ann):
    tournament = open_tournament(ann, name="All", format="round_robin")
    enter_players(tournament, ann, 5)
    play_round(tournament, ann)
    page = client.get("/tournaments/all/standings/")
    assert "Columns are start numbers" in page.text
    assert page.text.count("×") == 5


def test_a_player_enters_and_leaves(client, ann, ben):
    open_tournament(ann, name="Cup")
    assert "Sign in to enter" in client.get("/tournaments/cup/").text
    assert client.post("/tournaments/cup/enter/").status_code == 302
    assert not Entry.objects.exists()
    client.force_login(ben.user)
    page = client.post("/tournaments/cup/enter/", follow=True)
    assert "You are in. You can play from round 1 on." in page.text
    assert "This player has entered already." in client.post("/tournaments/cup/enter/", follow=True).text
    entry = Entry.objects.get()
    assert client.get(f"/tournaments/cup/leave/{entry.pk}/").status_code == 405
    assert (
        "You have left the tournament."
        in client.post(f"/tournaments/cup/leave/{entry.pk}/", follow=True).text
    )
    assert not Entry.objects.exists()


def test_nobody_leaves_for_another(client, ann, ben, cleo):
    open_tournament(ann, name="Cup")
    entry = entries.enter(actor=actor(ben), slug="cup")
    client.force_login(cleo.user)
    assert client.post(f"/tournaments/cup/leave/{entry.pk}/").status_code == 403
    assert Entry.objects.exists()


def test_a_player_finds_his_board(client, ann, ben):
    tournament = open_tournament(ann, name="Live", over_the_board=False, rounds=1)
    for player in (ben, person("Dora")):
        entries.enter(actor=actor(player), slug="live")
    round_ = pair_and_start(tournament, ann)
    client.force_login(ben.user)
    page = client.get("/tournaments/live/")
    assert "Round 1: you play on board 1." in page.text
    assert f"/games/{round_.boards.get().game_id}/" in page.text


def test_hostile_names_are_shown_as_text(client, ann):
    tournament = open_tournament(ann, name='<script>alert("x")</script>', description="<b>bold</b>", rounds=1)
    entries.add(actor=actor(ann), slug=tournament.slug, name="<img src=x onerror=alert(1)>")
    entries.add(actor=actor(ann), slug=tournament.slug, name='"><svg onload=alert(1)>')
    pair_and_start(tournament, ann)
    client.force_login(ann.user)
    for path in (*PAGES, "manage/"):
        text = client.get(f"/tournaments/{tournament.slug}/{path}").text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "<svg onload" not in text


def test_pages_of_a_draft_are_there_for_its_organiser(client, ann):
    open_tournament(ann, name="Secret", publish=False)
    client.force_login(ann.user)
    assert client.get("/tournaments/secret/").status_code == 200
    assert Tournament.objects.get().status == "draft"


def test_a_player_misses_a_round_and_changes_his_mind(client, ann, ben, cleo):
    open_tournament(ann, name="Cup", rounds=3)
    entry = entries.enter(actor=actor(ben), slug="cup")
    path = f"/tournaments/cup/away/{entry.pk}/1/"
    client.force_login(cleo.user)
    assert client.post(path).status_code == 403
    client.force_login(ben.user)
    assert "You miss round 1." in client.post(path, follow=True).text
    assert "I play after all" in client.get("/tournaments/cup/").text
    assert "You play in round 1." in client.post(path, {"back": "1"}, follow=True).text
    assert client.post(path, {"back": "1"}).status_code == 404
