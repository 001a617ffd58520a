import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from games.judge import Action
from games.models import Game
from games.referee import Command, judge_batch
from games.servertime import now_ms
from games.services.games import Terms, new_game, pause, start_games
from ratings.models import Player, Rating, RatingChange
from tests.server import manage

pytestmark = pytest.mark.django_db

WON = "1:give 1, 2:place a1, 2:give 3, 1:place b1, 1:give 5, 2:place c1, 2:give 9, 1:place d1, 1:claim a1-d1"
OPPONENT_WON = WON.replace("1:claim a1-d1", "1:give 0, 2:claim a1-d1")
FALSELY_CLAIMED = "1:give 1, 2:place a1, 2:claim a1-d1"
DRAWN = "1:give 1, 2:offer_draw, 1:decline_draw, 2:place a1, 2:offer_draw, 1:accept_draw"
RESIGNED = "1:give 1, 2:place a1, 1:resign"
RESIGNED_AT_ONCE = "1:resign"
BEGUN = "1:give 1, 2:place a1, 2:give 7, 1:place c3"


def person(name):
    return Player.objects.create(username=name, name=name.title(), name_key=name)


def play(starter, second, script, **terms):
    """A game in which the script was played: `1:give 5` is seat 1 giving piece 5."""
    game = new_game(
        seat1=starter, seat2=second, terms=Terms(**({"rated": True, "draws_allowed": True} | terms))
    )
    start_games([game])
    for seq, line in enumerate(script.split(", ") if script else []):
        seat, do, argument = re.fullmatch(r"([12]):(\w+) ?(.*)", line).groups()
        named = {"give": "piece", "place": "square", "claim": "line"}.get(do)
        action = Action(do, **({named: argument} if named else {}))
        player = starter if seat == "1" else second
        rulings, _updates = judge_batch([Command(game.pk, player.pk, action, seq, now_ms(), print)])
        assert rulings[0].ok, (line, rulings)
    game.refresh_from_db()
    return game


def verify():
    """What the command prints, a list of lines, and whether it was content."""
    printed = StringIO()
    content = True
    try:
        call_command("verify", stdout=printed)
    except CommandError as error:
        content = error.returncode != 1
    return printed.getvalue().splitlines(), content


def differences():
    lines, content = verify()
    found = lines[: next(place for place, line in enumerate(lines) if re.fullmatch(r"[a-z ]+: \d+", line))]
    assert content is not bool(found)
    assert lines[-1] == f"differences: {len(found)}"
    return found


@pytest.fixture
def people():
    return person("ann"), person("ben"), person("cleo")


@pytest.fixture
def game(people):
    """Won by ann, who started."""
    return play(*people[:2], WON)


def test_an_empty_site_agrees():
    assert verify() == (["differences: 0"], True)


def test_games_of_every_kind_agree(people):
    ann, ben, cleo = people
    scripts = (WON, OPPONENT_WON, FALSELY_CLAIMED, DRAWN, RESIGNED, RESIGNED_AT_ONCE, BEGUN, "")
    for number, script in enumerate(scripts):
        play(*((ann, ben) if number % 2 else (ben, cleo)), script, claims="lose")
    play(cleo, ann, FALSELY_CLAIMED + ", 2:give 4", claims="void", rules="LS:F")
    play(cleo, ann, WON, rules="LS:F")
    play(cleo, ann, RESIGNED, rules="L:3", rated=False)
    play(cleo, ann, WON, rated=False, control="turn=30 bank=120 inc=2")
    pause(game_ids=[play(ben, ann, BEGUN).pk], reason="a broken chair")
    assert verify() == (
        ["games: 13", "rating changes: 12", "ratings: 5", "rated games: 6", "differences: 0"],
        True,
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"position": "..../..../..../135. 9 1 P c1 - L:F"},
            r"position is \S+ 9 1 P c1 - L:F, by its record \S+/1359 - - X d1 - L:F",
        ),
        ({"seq": 10}, "seq is 10, by its record 9"),
        ({"bank1_ms": 5}, r"banks is \(5, 0\), by its record \(0, 0\)"),
        ({"spent_ms": 123_456}, r"spent_ms is 123456, by its record \d+"),
        ({"result": "0-1"}, "result is 0-1, by its record 1-0"),
        ({"result": None}, "result is None, by its record 1-0"),
        ({"termination": "time"}, "ended by quarto-placer, not by time"),
        ({"win_lines": "a1-a4"}, r"win_lines is \('a1-a4',\), by its record \('a1-d1',\)"),
        ({"acted2": False}, r"acted is \(True, False\), by its record \(True, True\)"),
        ({"false_claims1": 1}, r"false_claims is \(1, 0\), by its record \(0, 0\)"),
        ({"offer": 2}, "offer is 2, by its record None"),
        ({"rules": "LS:F"}, "position is .* L:F, by its record .* LS:F"),
        ({"record": ""}, "The game ended by None"),
        ({"record": "1.@1{1.000} a5"}, "cannot be understood"),
        ({"record": "1.@1{1.000} a1{1.000} Q1(a1-d1)!{1.000}"}, "token 3"),
        ({"position": "nonsense"}, "seven fields"),
        ({"claims": "shrug"}, "lose"),
    ],
)
def test_a_changed_game_is_told(game, changed, said):
    Game.objects.filter(pk=game.pk).update(**changed)
    found = differences()
    assert any(line.startswith(f"game {game.pk}: ") and re.search(said, line) for line in found), found


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"status": "paused", "deadline_ms": None, "paused_ms": 5}, "status is paused, by its record live"),
        ({"deadline_ms": 1}, "deadline_ms is 1, by its clock [0-9]+"),
    ],
)
def test_a_changed_running_game_is_told(people, changed, said):
    game = play(*people[:2], BEGUN)
    Game.objects.filter(pk=game.pk).update(**changed)
    assert [bool(re.search(said, line)) for line in differences()] == [True]


def test_a_draw_offer_where_none_is_allowed_is_told(people):
    game = play(*people[:2], DRAWN)
    Game.objects.filter(pk=game.pk).update(draws_allowed=False)
    assert differences() == [f"game {game.pk}: a draw was offered where offers are off"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"change": 19}, "K 40, change +19.00, recomputed 1500.00 against 1500.00"),
        ({"k": 20}, "expected 0.50000, K 20, change +20.00, recomputed 1500.00"),
        ({"expected": 0}, "expected 0.00000, K 40, change +20.00, recomputed 1500.00"),
        ({"before": 1490}, "1490.00 against 1500.00"),
        ({"opponent_before": 1490}, "1500.00 against 1490.00"),
    ],
)
def test_a_changed_rating_change_is_told_alone(people, changed, said):
    ann, ben, _cleo = people
    first, _second = play(ann, ben, WON), play(ben, ann, WON)
    RatingChange.objects.filter(game_id=first.pk, player=ann).update(**changed)
    found = differences()
    assert len(found) == 1
    assert found[0].startswith(f"game {first.pk}, player {ann.pk}: ") and said in found[0]


@pytest.mark.parametrize("changed", [{"half_points": 1}, {"pool": "LS"}])
def test_changes_that_do_not_belong_together_are_told(game, people, changed):
    RatingChange.objects.filter(player=people[0]).update(**changed)
    found = differences()
    assert f"game {game.pk}: its two rating changes do not belong together" in found
    assert f"game {game.pk}: its rating changes are of another result, pool or player" in found


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rating": 1521}, "rating 1521.00 after 1 games, recomputed 1520.00 after 1 games"),
        ({"games": 2}, "rating 1520.00 after 2 games, recomputed 1520.00 after 1 games"),
        (
            {"reached_2400": True},
            "rating 1520.00 after 1 games (2400 reached), recomputed 1520.00 after 1 games",
        ),
    ],
)
def test_a_changed_rating_is_told(game, people, changed, said):
    ann = people[0]
    Rating.objects.filter(player=ann).update(**changed)
    assert differences() == [f"player {ann.pk}, pool L: {said}"]


def test_a_missing_and_an_unearned_rating_are_told(game, people):
    ann, _ben, cleo = people
    Rating.objects.filter(player=ann).delete()
    Rating.objects.create(player=cleo, pool="OS", rating=1600, games=3)
    assert differences() == [
        f"player {cleo.pk}, pool OS: rating 1600.00 after 3 games, recomputed 1500.00 after 0 games",
        f"player {ann.pk}, pool L: the rating is missing",
    ]


def test_a_missing_change_is_told(game, people):
    RatingChange.objects.filter(player=people[1]).delete()
    assert f"game {game.pk}: it changed the rating of one player only" in differences()


def test_a_game_that_counts_and_changed_nothing_is_told(game):
    RatingChange.objects.all().delete()
    Rating.objects.all().delete()
    assert differences() == [f"game {game.pk}: it counts and changed no rating"]


def test_a_game_that_does_not_count_and_changed_ratings_is_told(game):
    Game.objects.update(rated=False)
    assert differences() == [f"game {game.pk}: it does not count and changed ratings"]


def test_ratings_swapped_between_the_players_are_told(game, people):
    Game.objects.update(seat1=people[1], seat2=people[0])
    assert differences() == [f"game {game.pk}: its rating changes are of another result, pool or player"]


def test_a_change_without_its_game_is_told(people):
    ann, ben, _cleo = people
    for player, opponent, half_points, gain in ((ann, ben, 2, 20), (ben, ann, 0, -20)):
        RatingChange.objects.create(
            game_id="gone", pool="L", player=player, opponent=opponent, half_points=half_points, before=1500,
            opponent_before=1500, expected=0.5, k=40, change=gain, rated_at=now(),
        )  # fmt: skip
        Rating.objects.create(player=player, pool="L", rating=1500 + gain, games=1)
    assert differences() == ["game gone: it changed ratings and is no finished game"]


@pytest.mark.django_db(transaction=True)
def test_it_reads_one_moment_and_leaves_nothing_open(people):
    play(*people[:2], WON)
    assert differences() == []
    play(*people[:2], WON)
    assert differences() == []


def test_it_costs_as_many_queries_for_many_games(people, django_assert_num_queries):
    ann, ben, cleo = people
    play(ann, ben, WON)
    with django_assert_num_queries(10):
        verify()
    for _round in range(5):
        play(ben, cleo, RESIGNED)
    with django_assert_num_queries(10):
        verify()


def test_it_refuses_a_database_that_lacks_migrations(tmp_path):
    (tmp_path / "new.sqlite3").touch()
    run = manage(tmp_path / "new.sqlite3", "verify")
    assert run.returncode != 0
    assert "lacks migrations" in run.stderr
    assert "Traceback" not in run.stderr
