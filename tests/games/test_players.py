import re
from datetime import UTC, datetime

import pytest

from games.queries.players import player_page
from games.services.games import Terms, new_game, start_games
from ratings.models import Player
from ratings.services import guest_player, rate_game

pytestmark = pytest.mark.django_db

AT = datetime(2026, 3, 5, 19, 30, tzinfo=UTC)
AT_MS = 1_772_739_000_000


def person(name):
    return Player.objects.create(username=name, name=name.title(), name_key=name)


def game_between(starter, second, result=None, termination="resign", *, at_ms=AT_MS, **terms):
    """A game as a row; over where a result or a termination without one is given."""
    game = new_game(seat1=starter, seat2=second, terms=Terms(**terms))
    game.created_ms = at_ms
    if result or termination == "aborted":
        game.status, game.deadline_ms, game.ended_ms = "over", None, at_ms
        game.result, game.termination = result, termination
    start_games([game])
    return game


def rate(game, half_points):
    return rate_game(
        game_id=game.pk,
        pool=game.rules.partition(":")[0],
        starter_id=game.seat1_id,
        second_id=game.seat2_id,
        half_points=half_points,
        rated_at=AT,
    )


@pytest.fixture
def ann():
    return person("ann")


@pytest.fixture
def ben():
    return person("ben")


def words(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_games_are_told_from_the_players_side(ann, ben):
    games = [
        game_between(ann, ben, "1-0", at_ms=AT_MS + 6),
        game_between(ben, ann, "1-0", at_ms=AT_MS + 5),
        game_between(ann, ben, "1/2-1/2", "agreement", at_ms=AT_MS + 4),
        game_between(ben, ann, "0-1", at_ms=AT_MS + 3),
        game_between(ann, ben, None, "aborted", at_ms=AT_MS + 2),
        game_between(ann, ben, at_ms=AT_MS + 1),
    ]
    rate(games[0], 2)
    shown = player_page("ann").games
    assert [(one.game.pk, one.seat, one.outcome, one.gain_text) for one in shown] == [
        (games[0].pk, 1, "won", "+20"),
        (games[1].pk, 2, "lost", ""),
        (games[2].pk, 1, "drawn", ""),
        (games[3].pk, 2, "won", ""),
        (games[4].pk, 1, "void", ""),
        (games[5].pk, 1, "open", ""),
    ]
    assert {one.opponent for one in shown} == {ben}
    assert shown[0].began_at.isoformat() == "2026-03-05T19:30:00.006000+00:00"
    assert player_page("ben").games[0].gain_text == "\N{MINUS SIGN}20"


def test_the_opponents_rating_is_that_of_the_games_beginning(ann, ben):
    rate(game_between(ann, ben, "1-0"), 2)
    game_between(ann, ben, at_ms=AT_MS + 1)
    later, first = player_page("ann").games
    assert (first.opponent_rating.rating, later.opponent_rating.rating) == (1500, 1480)


def test_the_history_is_of_the_pool_with_most_games_or_the_chosen_one(ann, ben):
    for rules in ("LS:F", "L:F", "LS:F"):
        rate(game_between(ann, ben, "1-0", rules=rules), 2)
    assert [step.after for step in player_page("ann").history.steps] == [1520, 1538]
    assert [step.after for step in player_page("ann", pool="L").history.steps] == [1520]
    assert player_page("ann", pool="OS").history == player_page("ann").history
    assert player_page("ann", pool="nonsense").history == player_page("ann").history


def test_a_long_history_is_thinned_with_its_plot(ann, ben):
    for _game in range(250):
        rate(game_between(ann, ben, "1-0"), 2)
    history = player_page("ann").history
    assert (len(history.steps), len(history.plot.points)) == (240, 241)
    assert (history.first.before, history.rating.now.games) == (1500, 250)
    assert history.last.after == history.rating.now.rating


def test_the_page_shows_ratings_plot_table_and_games(client, ann, ben):
    rate(game_between(ann, ben, "1-0", "quarto-placer"), 2)
    response = client.get("/players/ann/")
    assert response.status_code == 200
    page = response.content.decode()
    text = words(response)
    assert "Ann" in text and "Lines 1520? 1 rated game" in text
    assert '<polyline class="plot-line" points="66,264 628,14">' in page
    assert "Rating after each of 1 rated games: from 1500 to 1520" in page
    assert "The same as a table Date Before After Game 05/03/2026 7:30 p.m. 1500 1520" in text
    assert "Ben 1500? won Quarto, called by the player who placed +20 L:F – 05/03/2026 7:30 p.m. Look" in text
    assert " style=" not in page.partition("<main")[2].partition("</main>")[0]


def test_the_page_of_somebody_who_has_not_played(client, ann):
    text = words(client.get("/players/ann/"))
    assert "No rated game yet" in text and "No game yet." in text


def test_a_guest_is_marked(client):
    guest = guest_player("Zoë <b>")
    page = client.get(f"/players/{guest.username}/").content.decode()
    assert "Zoë &lt;b&gt;" in page and '<span class="badge">guest</span>' in page


def test_a_game_of_an_event_names_it(client, ann, ben):
    event = {"slug": "thursday-12", "name": "Thursday <12>", "round": 2, "board": 1}
    game = new_game(seat1=ann, seat2=ben, terms=Terms(), event=event)
    start_games([game])
    assert (
        '<a href="/tournaments/thursday-12/">Thursday &lt;12&gt;</a>'
        in client.get("/players/ann/").content.decode()
    )


@pytest.mark.parametrize("username", ["nobody", "Ann", "a%00", "a" * 300])
def test_nobody_is_not_found(client, ann, username):
    assert client.get(f"/players/{username}/").status_code == 404


@pytest.mark.parametrize("page", ["x", "0", "99"])
def test_a_page_out_of_range_is_the_nearest(client, ann, ben, page):
    game_between(ann, ben)
    assert "in play" in words(client.get(f"/players/ann/?page={page}"))


def test_games_are_paged(client, ann, ben):
    for number in range(26):
        game_between(ann, ben, at_ms=AT_MS + number)
    assert len(player_page("ann").games) == 25
    (oldest,) = player_page("ann", number="2").games
    assert oldest.game.created_ms == AT_MS
