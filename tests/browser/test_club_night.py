"""A club night through the pages: one organiser at a desk, four players with phones, three rounds."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.players import PhonePlayer, play
from tests.browser.visitor import PHONE, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.server]

CLICKS_AT_MOST = 25
NAMES = ("ann", "ben", "cleo", "dora")


class Desk:
    """The organiser, and what she does there."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page = visitor, visitor.page

    def opens_a_swiss(self, name: str, rounds: int) -> str:
        """From the front page on; returns the tournament's page."""
        self.page.goto("/")
        self.visitor.sign_up()
        self.visitor.click(self.visitor.link("Tournaments").first)
        self.visitor.click(self.visitor.link("Organise a tournament"))
        self.visitor.write("Name", name)
        self.page.get_by_role("spinbutton", name="Rounds").fill(str(rounds))
        self.visitor.clicks += 1
        self.visitor.click(self.visitor.button("Open for entries"))
        expect(self.page.get_by_text("Your tournament is there.")).to_be_visible()
        return self.page.url.removesuffix("manage/")

    def starts_round(self, number: int) -> None:
        self.visitor.click(self.visitor.button(f"Pair round {number}"))
        expect(self.page.get_by_text(f"Round {number} is paired.")).to_be_visible()
        self.visitor.click(self.page.locator("summary", has_text=f"Start round {number}"))
        self.visitor.click(self.visitor.button("Yes, start"))
        expect(self.page.get_by_text(f"Round {number} has begun.")).to_be_visible()

    def row_of(self, name: str) -> Locator:
        return self.page.get_by_role("table").get_by_role("row", name=name)

    def decides(self, name: str, result: str) -> None:
        """Ends the board of this player."""
        row = self.row_of(name)
        row.locator("summary", has_text="Decide").click()
        row.get_by_label("Result").select_option(result)
        row.get_by_role("button", name="Enter the result").click()

    def sees_complete(self, number: int) -> None:
        """The desk notices by itself."""
        expect(self.page.locator("#waits")).to_contain_text(f"Round {number} is complete.")
        self.page.reload()


def enters(visitor: Visitor, tournament: str) -> PhonePlayer:
    """From the tournament's page, by way of a new account, back to it and in."""
    visitor.page.goto(tournament)
    visitor.link("Sign in to enter").click()
    visitor.page.locator("main").get_by_role("link", name="Sign up").click()
    visitor.write("Name", visitor.name)
    visitor.write("Password", "four in a row")
    visitor.button("Sign up").click()
    visitor.button("Enter").click()
    expect(visitor.page.get_by_text("You are in.")).to_be_visible()
    assert visitor.overflow() <= 0
    return PhonePlayer(visitor)


def boards_of(players: list[PhonePlayer]) -> list[tuple[PhonePlayer, PhonePlayer]]:
    """Everybody is at a board, brought there by the page itself; the pairs by seat, in no order."""
    at: dict[str, list[PhonePlayer]] = {}
    for player in players:
        player.sits_down()
        expect(player.page.locator("#result")).to_be_hidden()
        at.setdefault(player.page.url, []).append(player)
    pairs = [tuple(sorted(pair, key=lambda player: player.seat)) for pair in at.values()]
    assert [(one.seat, two.seat) for one, two in pairs] == [(1, 2), (1, 2)]
    return pairs


def _a_pause_is_seen(desk: Page, projector: Page) -> None:
    """Nobody is told to hurry to a board whose clock stands."""
    label, hurry = (
        expect(projector.locator(".screen-table .badge").first),
        expect(projector.locator("live-clock")),
    )
    hurry.to_have_count(1)
    desk.get_by_text("Pause all games").click()
    desk.get_by_role("button", name="Yes, pause").click()
    label.to_have_text("paused")
    hurry.to_have_count(0)
    desk.get_by_text("Let all games go on").click()
    desk.get_by_role("button", name="Yes, go on").click()
    label.to_have_text("playing")
    hurry.to_have_count(1)


def test_an_organiser_runs_a_swiss_of_three_rounds(visit):
    desk = Desk(visit.stranger("olivia"))
    tournament = desk.opens_a_swiss("Thursday club night", rounds=3)
    players = [enters(visit.stranger(name, **PHONE), tournament) for name in NAMES]
    points = dict.fromkeys(NAMES, 0.0)
    projector = visit()
    projector.page.goto(f"{tournament}screen/")
    heading = expect(projector.page.locator(".screen-head p"))
    heading.to_have_text("open for entries")

    expect(desk.page.get_by_text("4 players are in.")).to_be_visible()
    desk.starts_round(1)
    heading.to_have_text("Round 1 · running")
    assert desk.visitor.clicks <= CLICKS_AT_MOST
    for _one, two in boards_of(players):
        two.resigns()
        points[_one.name] += 1
    desk.sees_complete(1)

    desk.starts_round(2)
    heading.to_have_text("Round 2 · running")
    _a_pause_is_seen(desk.page, projector.page)
    (one, two), (three, four) = boards_of(players)
    desk.decides(three.name, "1/2-1/2")
    for player in (three, four):
        player.asked("A draw")
        expect(player.page.locator("#why")).to_have_text("Decided by the arbiter.")
        points[player.name] += 0.5
    one.resigns()
    points[two.name] += 1
    desk.sees_complete(2)

    desk.starts_round(3)
    (one, two), (three, four) = boards_of(players)
    play(one, two, "@1 a1 @3 b1 @5 c1 @9 d1")
    one.presses_quarto()
    one.points_at("a1", "d1")
    one.confirms("a1-d1")
    two.asked(f"You lose: {one.name} wins")
    three.resigns()
    points[one.name] += 1
    points[four.name] += 1
    heading.to_have_text("finished")
    desk.page.reload()
    expect(desk.page.get_by_role("heading", name="The tournament is over")).to_be_visible()

    desk.page.goto(f"{tournament}standings/")
    expect(desk.page.get_by_role("heading", name="Final standings")).to_be_visible()
    rows = desk.page.get_by_role("region", name="Standings").locator("tbody tr")
    table = {row.locator("th").inner_text(): row.locator("td").nth(2).inner_text() for row in rows.all()}
    assert {name: float(shown) for name, shown in table.items()} == points
    assert list(table.values()) == sorted(table.values(), reverse=True)
    for player in players:
        player.page.goto(tournament)
        expect(player.page.get_by_role("link", name="Final standings")).to_be_visible()
        assert player.visitor.overflow() <= 0
    desk.page.goto(tournament)
    expect(desk.page.locator("h1")).to_have_text("Thursday club night finished")
