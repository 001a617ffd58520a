import pytest
from django.test import Client

from games.models import Game
from games.services.maintenance import begin, end
from tests.tournaments.evening import (
    actor,
    enter_players,
    open_tournament,
    pair_and_start,
    person,
    play_round,
    resign,
)
from tournaments.models import Board, Round
from tournaments.services import entries, tournaments


@pytest.fixture
def cup(ann):
    tournament = open_tournament(ann, name="Cup", rounds=3)
    enter_players(tournament, ann, 5)
    return tournament


def test_pairing_makes_a_draft_and_a_second_click_returns_it(sent, cup, ann):
    status, first = sent(ann, "post", "cup/rounds/")
    assert status == 201
    assert (first["number"], first["status"], first["waiting_for"]) == (1, "draft", [])
    assert [board["board"] for board in first["boards"]] == [1, 2]
    assert [bye["kind"] for bye in first["byes"]] == ["pairing_bye"]
    assert sent(ann, "post", "cup/rounds/") == (200, first)


def test_a_draft_is_seen_by_those_who_run_the_tournament(sent, cup, ann, ben, cleo):
    sent(ann, "post", "cup/rounds/")
    tournaments.appoint(actor=actor(ann), slug="cup", username="cleo", role="arbiter")
    for reader, status, count in ((ann, 200, 1), (cleo, 200, 1), (ben, 404, 0), (None, 404, 0)):
        assert sent(reader, "get", "cup/rounds/1/")[0] == status
        assert sent(reader, "get", "cup/rounds/")[1]["count"] == count


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("post", "cup/rounds/"),
        ("post", "cup/rounds/1/start/"),
        ("delete", "cup/rounds/1/"),
        ("put", "cup/rounds/1/boards/1/result/"),
    ],
)
def test_others_and_strangers_run_nothing(sent, cup, ann, ben, method, path):
    sent(ann, "post", "cup/rounds/")
    body = {"result": "1-0"}
    assert sent(ben, method, path, body)[0] == 403
    assert sent(None, method, path, body)[0] == 401
    assert Round.objects.get().status == Round.Status.DRAFT


def test_start_publishes_and_is_idempotent(sent, cup, ann):
    sent(ann, "post", "cup/rounds/")
    status, first = sent(ann, "post", "cup/rounds/1/start/")
    assert (status, first["status"], first["waiting_for"]) == (200, "running", [1, 2])
    assert sent(ann, "post", "cup/rounds/1/start/") == (200, first)
    assert sent(None, "get", "cup/rounds/1/") == (200, first)
    assert sent(ann, "post", "cup/rounds/2/start/")[0] == 404


def test_a_running_round_refuses_the_next_and_names_its_boards(sent, cup, ann):
    pair_and_start(cup, ann)
    status, body = sent(ann, "post", "cup/rounds/")
    assert (status, body["code"]) == (409, "round_unfinished")
    assert "Round 1 waits for boards 1 (G" in body["detail"]


def test_a_draft_is_discarded_and_a_running_round_is_not(sent, cup, ann):
    sent(ann, "post", "cup/rounds/")
    assert sent(ann, "delete", "cup/rounds/1/") == (204, None)
    pair_and_start(cup, ann)
    assert sent(ann, "delete", "cup/rounds/1/")[1]["code"] == "round_begun"


def test_a_live_round_has_games_and_closes_itself(sent, ann):
    tournament = open_tournament(ann, name="Live", over_the_board=False, rounds=1)
    for name in ("Ben", "Cleo"):
        entries.enter(actor=actor(person(name)), slug="live")
    pair_and_start(tournament, ann)
    board = sent(None, "get", "live/rounds/1/")[1]["boards"][0]
    game = Game.objects.select_related("seat1", "seat2").get(pk=board["game"])
    assert (board["starter"]["player"], board["second"]["player"]) == (
        game.seat1.username,
        game.seat2.username,
    )
    resign(game, game.seat1)
    assert sent(None, "get", "live/rounds/1/")[1]["boards"][0]["result"] == "0-1"
    record = sent_text(sent, "live/records/")
    assert '[Event "Live"]' in record
    assert record.rstrip().endswith("0-1")


def sent_text(sent, path):

    response = Client().get(f"/api/tournaments/{path}", headers={"accept": "text/plain"})
    assert response.status_code == 200
    content = response.getvalue() if response.streaming else response.content
    return content.decode()


def test_results_are_entered_corrected_and_cleared(sent, cup, ann):
    pair_and_start(cup, ann)
    path = "cup/rounds/1/boards/1/result/"
    status, board = sent(ann, "put", path, {"result": "1-0F", "reason": "asleep"})
    assert status == 200
    assert (board["result"], board["reason"], board["by_arbiter"]) == ("1-0F", "asleep", True)
    assert sent(ann, "put", path, {"result": "*"})[1]["result"] is None
    assert sent(ann, "put", path, {"result": "1/2-1/2"})[1]["result"] == "1/2-1/2"
    assert sent(ann, "put", "cup/rounds/1/boards/2/result/", {"result": "0-1"})[0] == 200
    assert sent(None, "get", "cup/rounds/1/")[1]["status"] == "complete"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"result": "2-0"}, 400),
        ({"result": None}, 400),
        ({"result": ["1-0"]}, 400),
        ({"result": "1-0", "reason": 5}, 400),
        ({"result": "1-0", "reason": "x" * 201}, 400),
    ],
)
def test_bad_results_are_refused(sent, cup, ann, body, status):
    pair_and_start(cup, ann)
    assert sent(ann, "put", "cup/rounds/1/boards/1/result/", body)[0] == status
    assert Board.objects.filter(result=None).count() == 2


def test_unknown_boards_are_not_found(sent, cup, ann):
    pair_and_start(cup, ann)
    for path in (
        "cup/rounds/9/boards/1/result/",
        "cup/rounds/1/boards/9/result/",
        "cup/rounds/1/boards/99999999999999999999/result/",
    ):
        assert sent(ann, "put", path, {"result": "1-0"})[0] == 404


def test_pairing_by_hand(sent, cup, ann):
    ids = list(cup.entries.order_by("pk").values_list("pk", flat=True))
    boards = [{"starter": ids[4], "second": ids[0]}, {"starter": ids[1], "second": ids[2]}]
    status, body = sent(ann, "post", "cup/rounds/", {"boards": boards, "bye": ids[3]})
    assert status == 201
    assert [(b["starter"]["entry"], b["second"]["entry"]) for b in body["boards"]] == [
        (ids[4], ids[0]),
        (ids[1], ids[2]),
    ]
    assert [(bye["entry"], bye["kind"]) for bye in body["byes"]] == [(ids[3], "pairing_bye")]
    assert sent(ann, "post", "cup/rounds/", {"boards": [{"starter": ids[0], "second": ids[0]}]})[0] == 400
    assert sent(ann, "post", "cup/rounds/", {"boards": []})[0] == 400
    assert sent(ann, "post", "cup/rounds/", {"boards": [{"starter": "x"}]})[0] == 400
    assert sent(ann, "post", "cup/rounds/", {"bye": ids[3]})[0] == 400


def test_standings_list_everybody_with_points_as_strings(sent, cup, ann):
    assert [row["points"] for row in sent(None, "get", "cup/standings/")[1]] == ["0.0"] * 5
    play_round(cup, ann, ("1-0", "1/2-1/2"))
    rows = sent(None, "get", "cup/standings/")[1]
    assert [row["points"] for row in rows] == ["1.0", "1.0", "0.5", "0.5", "0.0"]
    assert list(rows[0]["tiebreaks"]) == ["BH-C1", "BH", "SB", "DE", "WIN"]
    assert rows[0].keys() >= {"rank", "entry", "player", "name", "points", "tiebreaks"}
    assert [row["points"] for row in sent(None, "get", "cup/standings/?after=0")[1]] == ["0.0"] * 5


@pytest.mark.parametrize(
    ("after", "status"), [("1", 404), ("-1", 400), ("x", 400), ("9999", 404), ("99999", 400), ("", 200)]
)
def test_standings_after_no_round_are_refused(sent, cup, after, status):
    assert sent(None, "get", f"cup/standings/?after={after}")[0] == status


def test_standings_of_a_running_round_count_what_is_there(sent, cup, ann):
    pair_and_start(cup, ann)
    sent(ann, "put", "cup/rounds/1/boards/1/result/", {"result": "1-0"})
    assert sorted(row["points"] for row in sent(None, "get", "cup/standings/?after=1")[1]) == [
        "0.0",
        "0.0",
        "0.0",
        "1.0",
        "1.0",
    ]
    assert sorted(row["points"] for row in sent(None, "get", "cup/standings/")[1]) == ["0.0"] * 5


def test_under_maintenance_no_round_starts_and_no_clock_is_set_going(client, sent, cup, ann):
    sent(ann, "post", "cup/rounds/")
    begin()
    status, body = sent(ann, "post", "cup/rounds/1/start/")
    assert (status, body["code"]) == (503, "unavailable")
    assert Round.objects.get().status == "draft" and not Game.objects.exists()
    for step in ("rounds/1/start/", "resume/"):
        page = client.post(f"/tournaments/cup/manage/{step}", follow=True).content.decode()
        assert "The site is under maintenance" in page, step
    end()
    assert sent(ann, "post", "cup/rounds/1/start/")[0] == 200
