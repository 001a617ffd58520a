"""Every page of a club in full swing, on a phone and on a desktop, with scripts and without."""

import pytest
from playwright.sync_api import expect

from quarto_site.demo.people import PASSWORD
from tests.browser.visitor import Visitor
from tests.clients import http_client
from tests.server import manage, serving

pytestmark = [pytest.mark.browser, pytest.mark.server]

NARROW = {"viewport": {"width": 320, "height": 640}}
WIDE = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def club(empty_database, tmp_path_factory):
    """A server with the demo club."""
    folder = tmp_path_factory.mktemp("demo")
    database = folder / "demo.sqlite3"
    database.write_bytes(empty_database.read_bytes())
    made = manage(database, "demo")
    assert made.returncode == 0, made.stderr
    (folder / "served").mkdir()
    with serving(folder / "served", database) as server:
        yield server


@pytest.fixture(scope="module")
def addresses(club):
    """Pages for everybody, for players and for organisers."""
    with http_client(club) as http:
        games = http.get("/api/games/").json()["results"]
        slugs = [one["slug"] for one in http.get("/api/tournaments/").json()["results"]]
    by_status = {game["state"]["status"]: game["id"] for game in games}
    public = [
        "/",
        "/tournaments/",
        "/ratings/",
        "/ratings/?pool=LS",
        "/rules/",
        "/about/",
        "/api/docs/",
        "/players/Ann/",
    ]
    public += ["/accounts/sign-in/", "/accounts/sign-up/"]
    public += [f"/games/{by_status[status]}/" for status in ("live", "over")]
    public += [
        f"/tournaments/{slug}/{page}" for slug in slugs for page in ("", "standings/", "boards/", "screen/")
    ]
    public += ["/tournaments/slow-evening/rounds/1/", "/tournaments/slow-evening/rounds/3/"]
    own = ["/", "/accounts/", "/accounts/password/", "/challenges/", "/players/Olivia/", "/tournaments/"]
    own += ["/tournaments/new/", "/tournaments/slow-evening/"]
    desks = [f"/tournaments/{slug}/manage/" for slug in slugs]
    desks += ["/tournaments/club-night/manage/by-hand/", "/tournaments/slow-evening/manage/regulations/"]
    return {"public": public, "own": own + desks}


def sign_in(visitor: Visitor, name: str) -> None:
    visitor.page.goto("/accounts/sign-in/")
    visitor.write("Name", name)
    visitor.write("Password", PASSWORD)
    visitor.page.locator("main").get_by_role("button", name="Sign in").click()
    expect(visitor.page.get_by_role("button", name="Sign out")).to_be_visible()


def fits(visitor: Visitor) -> bool:
    """Whether the page does not scroll sideways, in either window."""
    overflows = []
    for window in (WIDE, NARROW):
        visitor.page.set_viewport_size(window["viewport"])
        overflows.append(visitor.overflow())
    return max(overflows) <= 0


def look_at(visitor: Visitor, addresses: list[str]) -> None:
    """Each page answers 200, has one heading, and fits."""
    for address in addresses:
        answer = visitor.page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        assert fits(visitor), address
        if address != "/api/docs/":
            expect(visitor.page.locator("h1"), address).to_have_count(1)


def test_public_pages(visit, addresses):
    look_at(visit(), addresses["public"])


def test_pages_of_an_organiser(visit, addresses):
    olivia = visit()
    sign_in(olivia, "Olivia")
    look_at(olivia, addresses["own"])


@pytest.mark.parametrize("window", [NARROW, WIDE], ids=["narrow", "wide"])
def test_a_player_finds_the_board(visit, window):
    ann = visit(**window)
    sign_in(ann, "Ann")
    ann.link("To the board").first.click()
    expect(ann.page.locator("net-status")).to_have_text("Online")
    expect(ann.page.locator("#quarto")).to_be_visible()
    assert fits(ann)


def test_the_colours_follow_the_device_or_the_button(visit):
    visitor = visit(color_scheme="dark", **WIDE)
    visitor.page.goto("/")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = visitor.page.evaluate(paper)
    visitor.page.get_by_role("button", name="Colours: as the device").click()
    light = visitor.page.evaluate(paper)
    assert dark != light
    visitor.page.goto("/rules/")
    assert visitor.page.evaluate(paper) == light
    visitor.page.get_by_role("button", name="Colours: light").click()
    assert visitor.page.evaluate(paper) == dark


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_wrong_with_a_field_stands_out_beside_it(visit, scheme):
    visitor = visit(color_scheme=scheme, **NARROW)
    visitor.page.goto("/accounts/sign-up/")
    visitor.write("Name", "Ann")
    visitor.write("Password", PASSWORD)
    visitor.click(visitor.button("Sign up"))
    field = visitor.page.locator(".field", has_text="Name").first
    colour = "element => getComputedStyle(element).color"
    wrong, label = (field.locator(part).evaluate(colour) for part in (".error", "label"))
    assert wrong != label
    assert fits(visitor)


READABLE = {
    "/": ["Looking for a game", "Boards in play", "Slow Evening"],
    "/tournaments/": ["Slow Evening", "Open for entries", "Autumn Swiss"],
    "/tournaments/slow-evening/": ["Round 3", "Standings after round 2", "12 entries"],
    "/tournaments/slow-evening/rounds/3/": ["Pairings of round 3", "Watch"],
    "/tournaments/autumn-swiss/standings/": ["Final standings", "Cross table", "Noor"],
    "/tournaments/slow-evening/boards/": ["Round 3", "playing"],
    "/tournaments/slow-evening/screen/": ["Pairings", "Standings after round 2"],
    "/ratings/": ["Noor", "Rank"],
    "/players/Ann/": ["Rating history", "Games"],
}


def test_without_scripts_everything_can_be_read(visit, addresses):
    reader = visit(java_script_enabled=False, **NARROW)
    for address, words in READABLE.items():
        reader.page.goto(address)
        for word in words:
            expect(reader.page.locator("main"), address).to_contain_text(word)
    for address in (one for one in addresses["public"] if one.startswith("/games/")):
        reader.page.goto(address)
        expect(reader.page.locator(".board-table svg").first).to_be_visible()
        expect(reader.page.locator("pre")).to_contain_text("1.@")


def test_a_seek_is_accepted_without_scripts(visit):
    reader = visit(java_script_enabled=False, **NARROW)
    sign_in(reader, "Zoë")
    reader.page.locator("#seeks li", has_text="Jiří").get_by_role("button", name="Play").click()
    expect(reader.page.locator("h1")).to_contain_text("Zoë")


def test_what_is_not_there_is_said_in_words(visit):
    visitor = visit()
    for address in ("/nothing/", "/games/nothing/", "/tournaments/nothing/", "/players/nobody/"):
        answer = visitor.page.goto(address)
        assert answer is not None
        assert answer.status == 404
        expect(visitor.page.locator("h1")).to_have_text("Nothing stands on this square")
    assert len(visitor.troubles) == 2 * 4
    visitor.troubles.clear()
