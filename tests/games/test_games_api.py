import pytest
from rest_framework.test import APIClient

from tests.games.played import LINE
from tests.games.tables import EVENT, command, fresh, rule, start


@pytest.fixture
def stranger(db):
    return APIClient()


def client_of(player):
    client = APIClient()
    client.force_authenticate(player.user)
    return client


def test_a_game_is_shown_to_everybody_and_tells_each_his_seat(ann, ben, cleo, stranger):
    game = start(ann, ben, "5", event=EVENT)
    clients = [client_of(ann), client_of(ben), client_of(cleo), stranger]
    shown = [client.get(f"/api/games/{game.pk}/").json() for client in clients]
    assert [one["you"] for one in shown] == [1, 2, None, None]
    assert shown[0]["tournament"] == EVENT
    assert shown[0]["state"]["position"] == "..../..../..../.... 5 2 P - - L:F"


def test_games_are_listed_by_status(ann, ben, stranger):
    waiting, live, over = start(ann, ben), start(ann, ben, "5"), start(ann, ben, "5")
    rule(command(over, ann, "resign"))
    listed = {
        query: {game["id"] for game in stranger.get(f"/api/games/?{query}").json()["results"]}
        for query in ("", "status=live", "status=waiting", "status=paused", "status=over")
    }
    assert listed == {
        "": {waiting.pk, live.pk, over.pk},
        "status=live": {waiting.pk, live.pk},
        "status=waiting": {waiting.pk},
        "status=paused": set(),
        "status=over": {over.pk},
    }


def test_a_list_comes_in_pages(ann, ben, stranger):
    games = [start(ann, ben) for _board in range(3)]
    first = stranger.get("/api/games/?page_size=2").json()
    second = stranger.get(first["next"]).json()
    assert (first["count"], first["previous"], second["next"]) == (3, None, None)
    assert {game["id"] for game in [*first["results"], *second["results"]]} == {game.pk for game in games}


def test_an_action_is_judged_at_once_where_no_server_runs(ann, ben):
    game = start(ann, ben)
    answer = client_of(ann).post(
        f"/api/games/{game.pk}/actions/", {"do": "give", "piece": "5", "seq": 0, "id": "x"}, format="json"
    )
    assert (answer.status_code, answer.json()) == (200, {"type": "reply", "id": "x", "ok": True, "seq": 1})
    assert fresh(game).seq == 1


@pytest.mark.parametrize(
    ("who", "body", "status", "code"),
    [
        ("ann", {"do": "give", "piece": "G", "seq": 0}, 400, "bad_request"),
        ("ann", {"do": "give"}, 400, "bad_request"),
        ("cleo", {"do": "resign", "seq": 0}, 403, "not_a_player"),
        ("ben", {"do": "give", "piece": "5", "seq": 0}, 409, "not_your_turn"),
        ("ann", {"do": "give", "piece": "5", "seq": 3}, 409, "stale"),
    ],
)
def test_a_refusal_has_the_status_of_its_code(ann, ben, cleo, who, body, status, code):
    game = start(ann, ben)
    client = client_of({"ann": ann, "ben": ben, "cleo": cleo}[who])
    answer = client.post(f"/api/games/{game.pk}/actions/", body, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["state"]["seq"]) == (status, code, 0)
    assert fresh(game).seq == 0


def test_an_action_is_nobodys_without_signing_in(ann, ben, stranger):
    game = start(ann, ben)
    answer = stranger.post(f"/api/games/{game.pk}/actions/", {"do": "resign", "seq": 0}, format="json")
    assert (answer.status_code, set(answer.json())) == (401, {"code", "detail"})


def test_a_session_needs_its_form_token(ann, ben):
    game = start(ann, ben)
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(ann.user)
    answer = client.post(f"/api/games/{game.pk}/actions/", {"do": "resign", "seq": 0}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert fresh(game).seq == 0


def test_the_record_names_event_players_and_conditions(ann, ben, stranger):
    game = start(ann, ben, LINE, event=EVENT, claims="strikes=2", control="bank=180 inc=5", rules="LS:F")
    rule(command(game, ann, "claim", line="a1-d1"))
    answer = stranger.get(f"/api/games/{game.pk}/record/")
    assert answer["content-type"] == "text/plain; charset=utf-8"
    for header in (
        '[Event "Thursday 12"]', '[Round "1"]', '[Board "1"]', '[Player1 "Ann"]', '[Player2 "Ben"]', '[Elo1 "1500"]',
        '[Rules "LS:F"]', '[Claims "strikes=2"]', '[TimeControl "bank=180 inc=5"]', '[Lot "server"]', '[Result "1-0"]',
        '[Termination "quarto-placer"]',
    ):  # fmt: skip
        assert header in answer.text


def test_a_hostile_name_cannot_break_the_record(ann, ben, stranger):
    ann.name = 'An"n\\"] [Result "1-0"]\r\n1.@1'
    ann.save()
    game = start(ann, ben, "5")
    lines = stranger.get(f"/api/games/{game.pk}/record/").text.splitlines()
    assert sum(line.startswith("[Result ") for line in lines) == 1
    assert sum("@" in line and not line.startswith("[") for line in lines) == 1
