import pytest

from ratings.models import Player, Rating

pytestmark = pytest.mark.django_db


def person(name, **ratings):
    player = Player.objects.create(username=name, name=name.title(), name_key=name)
    for pool, (rating, games) in ratings.items():
        Rating.objects.create(player=player, pool=pool, rating=rating, games=games)
    return player


def test_a_player_and_his_ratings(client):
    ann = person("ann", L=("1512.50", 3), LS=("1700.00", 31))
    response = client.get("/api/players/ann/")
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response.json() == {
        "player": "ann",
        "name": "Ann",
        "guest": False,
        "joined": ann.joined_at.isoformat().replace("+00:00", "Z"),
        "ratings": [
            {"pool": "LS", "rating": 1700, "games": 31, "provisional": False},
            {"pool": "L", "rating": 1513, "games": 3, "provisional": True},
        ],
    }


def test_a_player_without_a_rated_game(client):
    person("ann")
    assert client.get("/api/players/ann/").json()["ratings"] == []


@pytest.mark.parametrize("username", ["nobody", "Ann", "%F0%9F%99%82", "a" * 300, "a%00"])
def test_nobody_is_not_found(client, username):
    person("ann")
    response = client.get(f"/api/players/{username}/")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_the_rating_list_is_paged_best_first(client):
    person("ann", L=("1500.00", 30))
    person("ben", L=("1512.50", 1), LS=("1300.00", 1))
    first = client.get("/api/ratings/?pool=L&page_size=1").json()
    assert (first["count"], first["previous"]) == (2, None)
    assert first["results"] == [
        {"rank": 1, "player": "ben", "name": "Ben", "rating": 1513, "games": 1, "provisional": True}
    ]
    second = client.get(first["next"]).json()
    assert second["next"] is None
    assert second["results"] == [
        {"rank": 2, "player": "ann", "name": "Ann", "rating": 1500, "games": 30, "provisional": False}
    ]


def test_the_rating_list_is_of_lines_unless_asked(client):
    person("ann", L=("1500.00", 30))
    assert client.get("/api/ratings/").json() == client.get("/api/ratings/?pool=L").json()


def test_the_rating_list_can_be_searched(client):
    person("ann", L=("1600.00", 30))
    person("ben", L=("1500.00", 30))
    results = client.get("/api/ratings/?pool=L&name=be%00").json()["results"]
    assert [(row["rank"], row["player"]) for row in results] == [(2, "ben")]


@pytest.mark.parametrize("pool", ["", "X", "l", "L:F", "%00"])
def test_an_unknown_pool_is_a_bad_request(client, pool):
    response = client.get(f"/api/ratings/?pool={pool}")
    assert response.status_code == 400
    assert response.json() == {
        "code": "bad_request",
        "detail": "There is no such rating pool: choose one of L, LS, OS.",
    }


@pytest.mark.parametrize("page", ["0", "99", "x"])
def test_a_page_that_is_not_there_is_not_found(client, page):
    response = client.get(f"/api/ratings/?page={page}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_nothing_can_be_written(client):
    person("ann")
    assert client.post("/api/players/ann/", {}, "application/json").status_code in (401, 403, 405)
    assert client.post("/api/ratings/", {}, "application/json").status_code in (401, 403, 405)
