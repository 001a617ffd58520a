"""A site with something of every kind in every state, and somebody in every role, for requests at random."""

from dataclasses import dataclass, field
from typing import Any

from tests.clients import Person
from tests.server import Server

STAFF = """
from django.contrib.auth.models import User
User.objects.filter(username="staff-one").update(is_staff=True, is_superuser=True)
"""
ROLES = ("anonymous", "ann", "ann", "ben", "organiser-one", "organiser-one", "staff-one", "impostor")


@dataclass
class Site:
    """`known` are names of things that exist, by the parameter of an address that takes them."""

    server: Server
    tokens: dict[str, str | None] = field(default_factory=dict)
    known: dict[str, list[Any]] = field(default_factory=dict)
    people: list[Person] = field(default_factory=list)

    def headers(self, role: str) -> dict[str, str]:
        token = self.tokens[role]
        return {} if token is None else {"Authorization": f"Bearer {token}"}

    def close(self) -> None:
        for person in self.people:
            person.http.close()


def furnished(server: Server) -> Site:
    site = Site(server)
    ann, ben, organiser, staff = (
        Person(server, name) for name in ("ann", "ben", "organiser-one", "staff-one")
    )
    site.people = [ann, ben, organiser, staff]
    made = server.manage("shell", "-v0", "-c", STAFF)
    assert made.returncode == 0, made.stderr
    site.tokens = {person.name: person.token for person in site.people}
    site.tokens |= {"anonymous": None, "impostor": "f" * 64}
    live, over = ann.challenge(ben), ann.challenge(ben)
    assert ann.post_action(over, "resign", 0).status_code == 200
    slugs, entries, boards = _tournaments(organiser, ann, ben)
    site.known = {
        "game_id": [live, over],
        "challenge_id": _challenges(ann, ben),
        "slug": slugs,
        "entry_id": [*entries, 2**63],
        "number": [1, 1, 2, 2, 0, 2**31, 2**63, 10**30],
        "board": boards,
        "username": ["ann", "ben", "nobody-here"],
        "token_key": [ann.new_token()[:15]],
    }
    return site


def _challenges(ann: Person, ben: Person) -> list[str]:
    asked = [
        ann.http.post("/api/challenges/", json={"opponent": name}) for name in (None, "ben", None, "ben")
    ]
    back = ben.http.post("/api/challenges/", json={"opponent": "ann"})
    return [made.json()["id"] for made in (*asked, back)]


def _tournaments(organiser: Person, *players: Person) -> tuple[list[str], list[int], list[int]]:
    """A draft, an open one, one that runs, and one that is over: slugs, entries, numbers of boards."""
    slugs, entries = [], []
    for name, status in (
        ("Draft", "draft"),
        ("Open", "published"),
        ("Running", "published"),
        ("Over", "published"),
    ):
        terms = {
            "name": name,
            "status": status,
            "rounds": 1 if name == "Over" else 3,
            "over_the_board": name != "Open",
        }
        slug = _made(organiser, "/api/tournaments/", terms)["slug"]
        at = f"/api/tournaments/{slug}"
        guests = [_made(organiser, f"{at}/entries/", {"name": f"Guest {number}"}) for number in range(3)]
        entries += [guest["id"] for guest in guests]
        if status == "published":
            entries += [_made(player, f"{at}/entries/", {})["id"] for player in players]
        if name in ("Running", "Over"):
            _made(organiser, f"{at}/rounds/", {})
            assert organiser.http.post(f"{at}/rounds/1/start/").status_code == 200
        if name == "Over":
            for board in (1, 2):
                organiser.http.put(f"{at}/rounds/1/boards/{board}/result/", json={"result": "1-0"})
        slugs.append(slug)
    return slugs, entries, [1, 2, 3]


def _made(person: Person, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = person.http.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()
