"""What watchers of a tournament hear: through the real publisher, and from a real server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.clients import Person, Wire
from tests.listening import listening
from tests.server import Server
from tests.tournaments.evening import actor, enter_players, open_tournament
from tournaments.models import Entry
from tournaments.services import entries, pairings, results, rounds


@pytest.fixture
def heard(django_capture_on_commit_callbacks) -> Iterator[Callable]:
    """Runs something to its commit and returns the frames that the tournament's watchers got."""
    with listening() as ears:
        ear = ears.to("event:cup")

        def hear(do: Callable[[], object]) -> list[dict]:
            before = len(ear.frames)
            with django_capture_on_commit_callbacks(execute=True):
                do()
            return ear.hear().frames[before:]

        yield hear


def test_watchers_hear_of_rounds_and_standings_after_the_commit(ann, heard):
    tournament = open_tournament(ann, name="Cup", rounds=1)
    enter_players(tournament, ann, 2)
    who = {"actor": actor(ann), "slug": "cup"}
    assert heard(lambda: pairings.pair_next(**who)) == []
    published = heard(lambda: rounds.publish_pairings(**who, number=1))
    assert published == [{"type": "round", "round": 1, "status": "published"}]
    assert heard(lambda: rounds.start(**who, number=1)) == [
        {"type": "round", "round": 1, "status": "running"}
    ]
    entered = heard(
        lambda: results.enter_result(**who, round_number=1, board_number=1, result="1-0", reason="")
    )
    assert {"type": "round", "round": 1, "status": "complete"} in entered
    assert {"type": "standings", "after": 1} in entered


def test_watchers_hear_of_everybody_who_enters_or_leaves(ann, ben, heard):
    open_tournament(ann, name="Cup")
    changed = [{"type": "standings", "after": 0}]
    who = {"actor": actor(ben), "slug": "cup"}
    assert heard(lambda: entries.enter(**who)) == changed
    assert heard(lambda: entries.add(actor=actor(ann), slug="cup", name="Maria")) == changed
    assert heard(lambda: entries.add_list(actor=actor(ann), slug="cup", names="Nora\nOlga")) == changed
    entry = Entry.objects.get(player=ben)
    assert heard(lambda: entries.withdraw(**who, entry_id=entry.pk)) == changed


@contextmanager
def evening(server: Server, name: str) -> Iterator[tuple[Person, Person, Person, str]]:
    """An organiser and two players in a running round of one board; the tournament's address."""
    with ExitStack() as stack:
        people = [Person(server, f"{name}{role}") for role in ("org", "one", "two")]
        for person in people:
            stack.callback(person.http.close)
        organiser, one, two = people
        made = organiser.http.post("/api/tournaments/", json={"name": f"Cup {name}", "rounds": 1})
        slug = made.json()["slug"]
        for person in (one, two):
            assert person.http.post(f"/api/tournaments/{slug}/entries/", json={}).status_code == 201
        yield organiser, one, two, slug


@pytest.mark.server
def test_the_socket_opens_with_the_round_its_boards_and_the_standings(server):
    with evening(server, "ka") as (organiser, _one, _two, slug):
        path = f"/api/tournaments/{slug}/rounds/"
        organiser.http.post(path, json={})
        started = organiser.http.post(f"{path}1/start/", json={}).json()
        wire = Wire(server, f"/ws/tournaments/{slug}/")
        frames = [wire.receive() for _frame in range(3)]
        assert [frame["type"] for frame in frames] == ["round", "board", "standings"]
        assert frames[0] == {"type": "round", "round": 1, "status": "running"}
        assert (frames[1]["game"], frames[1]["board"]) == (started["boards"][0]["game"], 1)
        wire.send("nonsense")
        assert wire.receive()["code"] == "bad_request"
        wire.close()


@pytest.mark.server
def test_the_end_of_the_last_game_closes_round_and_tournament_by_itself(server):
    with evening(server, "ko") as (organiser, one, _two, slug):
        path = f"/api/tournaments/{slug}/rounds/"
        organiser.http.post(path, json={})
        started = organiser.http.post(f"{path}1/start/", json={}).json()
        wire = Wire(server, f"/ws/tournaments/{slug}/")
        game = started["boards"][0]["game"]
        answer = one.http.post(f"/api/games/{game}/actions/", json={"do": "resign", "seq": 0})
        assert answer.status_code == 200
        while wire.receive_kind("round")["status"] != "complete":
            pass
        assert organiser.http.get(f"/api/tournaments/{slug}/").json()["status"] == "complete"
        wire.close()


@pytest.mark.server
def test_unknown_tournaments_and_drafts_close_the_socket(server):
    organiser = Person(server, "kuorg")
    draft = organiser.http.post("/api/tournaments/", json={"name": "Secret", "status": "draft"}).json()[
        "slug"
    ]
    for slug in ("nowhere", draft):
        wire = Wire(server, f"/ws/tournaments/{slug}/")
        assert wire.close_code() == 4004
        wire.close()
    organiser.http.close()
