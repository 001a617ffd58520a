"""Names in many scripts, and such as are none: everywhere as they are written, and nowhere more than text.

Accounts and guests cannot take the worst of these; what shows them must not rely on it.
"""

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from django.utils.html import escape

from games.encoding import encode
from games.models import Game
from games.notation import read_record
from games.queries.games import as_object, record_text
from games.services.games import Terms, new_game, start_games
from ratings.models import Player
from tests.hostile.raw import connected
from tests.tournaments.evening import actor, enter_results, open_tournament, pair_and_start, person
from tournaments.models import Tournament
from tournaments.queries.exports import as_csv, as_json, as_trf
from tournaments.services import entries
from tournaments.trf import Dialect, read_trf

PLAIN = [
    "Ann",
    "Şerban Țîru",
    "Ольга Щ",
    "Ιωάννα",
    "آنا قمر",
    "安倍 晴",
    "แอนน์",
    "Nguyễn Thị",
    "e\u0301" * 10,
]
WORST = [
    "<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "{{ 7*7 }}{% debug %}", "</title><b>",
    "--><svg onload=alert(1)>", "&lt;b&gt;", "=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1",
    'a,"b";c', "x\r\n001    9      Eve", 'x"] [Result "1-0"]', "\u202eevil\u202c", "\u2066iso", "\u200bzero",
    "👩\u200d👧", "Z\u0351\u036b\u0343\u036a\u0302" * 6, "W" * 64,
]  # fmt: skip
NAMES = [*PLAIN, *WORST]
PAGES = ["", "rounds/1/", "standings/", "boards/", "screen/", "manage/"]


@pytest.fixture
def cup(db) -> Tournament:
    """A round of guests with all these names, and with a name of the same kind."""
    ann = person("ann")
    tournament = open_tournament(ann, name="Cup", rounds=1)
    for number, name in enumerate(NAMES):
        guest = entries.add(actor=actor(ann), slug="cup", name=f"Guest {number}").player
        Player.objects.filter(pk=guest.pk).update(name=name)
    round_ = pair_and_start(tournament, ann)
    enter_results(tournament, ann, round_)
    Tournament.objects.update(name=f"{WORST[0]} {WORST[1]}")
    tournament.refresh_from_db()
    return tournament


class Tags(HTMLParser):
    """The elements of a page and their attributes' names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(f"@{name}" for name, _value in attrs)}


@pytest.mark.parametrize("path", PAGES)
def test_pages_show_names_as_they_are_and_as_nothing_more(client, cup, path):
    client.force_login(Player.objects.get(username="ann").user)
    page = client.get(f"/tournaments/cup/{path}").text
    assert not {"img", "@onerror", "@onload"} & Tags(page).found
    assert "<script>alert" not in page and "<svg onload" not in page and "</title><b>" not in page
    if path != "boards/":  # which shows those with a game
        assert [name for name in NAMES if escape(name) not in page] == []


def test_the_table_for_spreadsheets_holds_names_and_no_formula(cup):
    rows = list(csv.reader(io.StringIO(as_csv(cup), newline="")))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert {row[2].removeprefix("'") for row in rows[1:]} == set(NAMES)
    assert not [
        cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    ]


@pytest.mark.parametrize("dialect", Dialect)
def test_the_report_file_keeps_its_columns(cup, dialect):
    text = as_trf(cup, dialect)
    report = read_trf(text)
    assert len(report.players) == len(NAMES)
    assert report.rounds_played == 1
    assert len({len(line) for line in text.split("\r") if line.startswith("001")}) == 1


def test_exports_are_sent_under_plain_names(client, cup):
    for kind in ("csv", "trf"):
        answer = client.get(f"/api/tournaments/cup/export.{kind}")
        assert answer["Content-Disposition"] == f'attachment; filename="cup.{kind}"'
    whole = json.loads(json.dumps(as_json(cup)))
    assert {entry["name"] for entry in whole["entries"]} == set(NAMES)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_boards_and_records_carry_a_name_and_nothing_of_it_is_read_as_more(client, db, name):
    ann, ben = person("ann"), person("ben")
    Player.objects.filter(pk=ann.pk).update(name=name)
    ann.refresh_from_db()
    event = {"slug": "cup", "name": name, "round": 1, "board": 1}
    start_games([new_game(seat1=ann, seat2=ben, terms=Terms(), event=event)])
    game = Game.objects.select_related("seat1", "seat2").get()
    frame = json.loads(encode(as_object(game, None)))
    assert {player["name"] for player in frame["players"]} == {name, "ben"}
    assert frame["tournament"]["name"] == name
    record = read_record(record_text(game))
    assert (record.result, set(record.headers) & {"Result", "Termination"}) == (None, set())
    for path in (f"/games/{game.pk}/", "/players/ann/", "/"):
        page = client.get(path).text
        assert escape(name) in page
        assert not {"img", "@onerror", "@onload"} & Tags(page).found


@pytest.mark.parametrize("name", [name for name in WORST if not name.isprintable()], ids=ascii)
def test_what_cannot_be_seen_is_no_name_of_a_guest_or_of_a_tournament(client, db, name):
    ann = person("ann")
    open_tournament(ann, name="Cup", rounds=1)
    client.force_login(ann.user)
    inside = f"x{name}x"
    for path, body in (("cup/entries/", {"name": inside}), ("", {"name": inside})):
        answer = client.post(f"/api/tournaments/{path}", body, content_type="application/json")
        assert answer.status_code == 400 or inside.split() != [inside], answer.content
    assert not Player.objects.filter(name=inside).exists()


@pytest.mark.parametrize(
    "path", [b"/%0AERROR%20forged", b"/%0D%0AERROR%20forged", b"/x%E2%80%A8ERROR%20forged%1B[2J"]
)
def test_nobody_forges_a_line_of_the_log(field, path):
    for head in (b"POST %b HTTP/1.1\r\nHost: 127.0.0.1", b"GET %b HTTP/1.1\r\nHost: 127.0.0.1"):
        with connected(field.server) as raw, raw.makefile("rb") as stream:
            raw.sendall(head % path + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            assert stream.readline().split(b" ")[1] in (b"403", b"404")
    log = field.server.log()
    assert not re.search("^ERROR forged", log, re.MULTILINE)
    assert "\x1b" not in log and "\u2028" not in log
