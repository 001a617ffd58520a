import re

import pytest

from ratings.models import Player, Rating

pytestmark = pytest.mark.django_db


def person(name, rating=1500, games=3, pool="L"):
    player = Player.objects.create(username=name, name=name.title(), name_key=name)
    Rating.objects.create(player=player, pool=pool, rating=rating, games=games)
    return player


def rows(response):
    """The cells of the table's body as texts."""
    body = re.search(r"<tbody>(.*)</tbody>", response.content.decode(), re.DOTALL)
    return [
        re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body[1], re.DOTALL)
    ]


def test_the_list_shows_ranks_and_marks_provisional_ratings(client):
    person("ann", "1512.50", 30)
    person("ben", "1600", 2)
    response = client.get("/ratings/")
    assert response.status_code == 200
    assert rows(response) == [["1", "Ben", "1600?", "2"], ["2", "Ann", "1513", "30"]]
    assert 'href="/players/ben/"' in response.content.decode()


def test_pools_have_tabs(client):
    person("ann", pool="LS")
    response = client.get("/ratings/?pool=LS")
    assert rows(response) == [["1", "Ann", "1500?", "3"]]
    assert '<a href="?pool=LS" aria-current="page">Lines and squares</a>' in response.content.decode()


def test_a_search_finds_by_name(client):
    person("ann", 1600)
    person("ben")
    assert rows(client.get("/ratings/?name=BEN")) == [["2", "Ben", "1500?", "3"]]
    nobody = client.get("/ratings/?name=<b>").content.decode()
    assert "No rated player has such a name." in nobody
    assert 'value="&lt;b&gt;"' in nobody


def test_an_empty_pool_says_so(client):
    assert "No rated game has been played in this pool yet." in client.get("/ratings/").content.decode()


def test_the_list_is_paged(client):
    for number in range(51):
        person(f"ann{number:02}", 2000 - number)
    assert len(rows(client.get("/ratings/"))) == 50
    assert rows(client.get("/ratings/?page=2")) == [["51", "Ann50", "1950?", "3"]]
    assert "?page=2" in client.get("/ratings/").content.decode()


@pytest.mark.parametrize("query", ["pool=X", "pool=", "pool=%00"])
def test_an_unknown_pool_is_not_found(client, query):
    assert client.get(f"/ratings/?{query}").status_code == 404


@pytest.mark.parametrize("page", ["x", "-1", "0", "99999999999999999999"])
def test_a_page_out_of_range_is_the_nearest(client, page):
    person("ann")
    assert len(rows(client.get(f"/ratings/?page={page}"))) == 1
