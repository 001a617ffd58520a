"""A game of two people in two windows, watched from a third, at a real server."""

import pytest
from playwright.sync_api import expect

from tests.browser.players import KeyboardPlayer, PhonePlayer, Player, play
from tests.browser.visitor import PHONE, Visitor
from tests.clients import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.server]

FIRST_ROW = "@1 a1 @3 b1 @5 c1 @9 d1"
"""Four dark pieces; seat 1 places the last of them."""


def seated(one: Player, two: Player) -> tuple[Player, Player]:
    """Both by seat, once they sit."""
    one.sits_down()
    two.sits_down()
    return (one, two) if one.seat == 1 else (two, one)


def offer(visitor: Visitor, *, rated: bool = False) -> None:
    visitor.page.goto("/")
    if rated:
        visitor.page.get_by_label("Rated").check()
    visitor.button("Offer the game").click()
    expect(visitor.page.get_by_text("Your seek is open.")).to_be_visible()


def accept(visitor: Visitor, name: str) -> None:
    """From the lobby, which shows the seek by itself."""
    visitor.page.locator("#seeks li", has_text=name).get_by_role("button", name="Play").click()


def start(one: Player, two: Player, *, rated: bool = False) -> tuple[Player, Player]:
    """A game found in the lobby; the players by seat."""
    two.page.goto("/")
    offer(one.visitor, rated=rated)
    accept(two.visitor, one.name)
    return seated(one, two)


def log_of(visitor: Visitor):
    return expect(visitor.page.get_by_role("log"))


def test_a_missed_line_is_called_by_the_opponent(visit, club):
    cleo = visit()
    cleo.page.goto("/")
    one, two = start(Player(visit("ann")), KeyboardPlayer(visit("ben")), rated=True)
    everybody = (one.visitor, two.visitor, cleo)
    game = one.page.url.rsplit("/", 2)[1]

    cleo.page.goto("/")
    cleo.link(f"{one.name} – {two.name}").click()
    watcher = Player(cleo)
    watcher.sits_down()
    for visitor in everybody:
        expect(visitor.page.locator("#watchers")).to_have_text("Watching: 1")

    one.asked(f"Choose the first piece for {two.name}")
    for person in (two, watcher):
        person.asked(f"Waiting for {one.name} to choose the first piece")
    play(one, two, "@1")
    two.asked("Place this piece")
    for person in (one, watcher):
        person.asked(f"{two.name} places the piece")
    for visitor in everybody:
        expect(visitor.page.locator("#hand")).to_have_attribute(
            "aria-label", "Piece to place: short dark round, solid"
        )
    two.places("a1")
    two.asked(f"Choose a piece for {one.name}, or call Quarto")
    for person in (one, watcher):
        person.asked(f"{two.name} chooses a piece")
    play(two, one, "@3 b1 @5 c1 @9 d1")

    one.asked(f"Choose a piece for {two.name}, or call Quarto")
    one.gives("0")
    two.asked("Place this piece, or call Quarto first")
    for visitor in everybody:
        log_of(visitor).to_contain_text(f"{one.name} places it on d1")
        log_of(visitor).to_contain_text(f"{one.name} gives: short light round, solid")
        expect(visitor.page.locator("#result")).to_be_hidden()

    two.presses_quarto()
    two.asked("Point at the line: choose one end")
    expect(two.page.locator("#cost")).to_have_text("If it is not a line of four alike, you lose the game.")
    two.points_at("a1")
    two.asked("Now choose the other end")
    two.points_at("d1")
    two.asked("Your line: a1-d1")
    for person in (one, watcher):
        person.asked(f"{two.name} places the piece")
    two.confirms("a1-d1")

    two.asked("You win")
    one.asked(f"You lose: {two.name} wins")
    watcher.asked(f"{two.name} wins")
    why = f"Quarto: {one.name} overlooked the line, {two.name} called it."
    for visitor in everybody:
        expect(visitor.page.get_by_role("alert")).to_contain_text(why)
        expect(visitor.page.locator("#why")).to_have_text(why)
        expect(visitor.page.locator("#won-lines")).to_have_text("a1-d1: all dark")
        expect(visitor.page.locator(".strokes line")).to_have_count(1)
        expect(visitor.page.locator("quarto-board [data-selected]")).to_have_count(4)
        log_of(visitor).to_contain_text(f"{two.name} calls Quarto on a1-d1: right")
        changes = expect(visitor.page.locator(".changes li"))
        changes.to_have_text([f"{one.name} 1500 → 1480 (-20)", f"{two.name} 1500 → 1520 (+20)"])
    assert club.rows("SELECT count(*) FROM ratings_ratingchange WHERE game_id = ?", game) == [(2,)]

    cleo.page.goto("/ratings/")
    row = expect(cleo.page.get_by_role("row", name=two.name))
    row.to_contain_text("1520?")


def test_a_phone_asks_first_and_a_dead_line_counts_no_more(visit):
    one, two = start(PhonePlayer(visit("ann", **PHONE)), PhonePlayer(visit("ben", **PHONE)))
    play(one, two, f"{FIRST_ROW} @0 a2")
    two.presses_quarto()
    two.points_at("a1", "d1")
    expect(two.page.locator("#cost")).to_contain_text("you may not call again on this move")
    two.confirms("a1-d1")
    log_of(one.visitor).to_contain_text(f"{two.name} calls Quarto on a1-d1: wrong")
    expect(two.visitor.button("Quarto!")).to_be_disabled()
    two.asked(f"Choose a piece for {one.name}")
    one.resigns()
    two.asked("You win")
    expect(two.page.get_by_role("button", name="4. a1-d1: all dark")).to_be_visible()


def test_a_rematch_swaps_the_seats(visit):
    one, two = start(Player(visit("ann")), Player(visit("ben")))
    first = one.page.url
    one.resigns()
    one.visitor.button("Rematch").click()
    expect(one.page.get_by_text(f"Rematch offered: waiting for {two.name}")).to_be_visible()
    two.visitor.button("Rematch").click()
    for person in (one, two):
        person.page.wait_for_url(lambda url: "/games/" in url and url != first)
        person.sits_down()
    assert (one.seat, two.seat) == (2, 1)
    two.resigns()


def test_signing_out_in_one_window_ends_the_game_page_in_the_other(visit):
    one, two = start(Player(visit("ann")), Player(visit("ben")))
    lobby = one.page.context.new_page()
    lobby.goto("/")
    lobby.get_by_role("button", name="Sign out").click()
    expect(one.page.locator("#note")).to_have_text("You are signed out: load the page again to play.")
    two.resigns()


def test_signing_out_in_one_window_is_said_on_every_page(visit):
    ann = visit("ann")
    ann.page.goto("/ratings/?pool=LS")
    lobby = ann.page.context.new_page()
    lobby.goto("/")
    lobby.get_by_role("button", name="Sign out").click()
    banner = ann.page.locator("#banner")
    expect(banner).to_contain_text("You are signed out.")
    banner.get_by_role("link", name="Sign in").click()
    ann.write("Name", "ann")
    ann.write("Password", PASSWORD)
    ann.click(ann.button("Sign in"))
    expect(ann.page).to_have_url(f"{ann.server.url}/ratings/?pool=LS")


def test_maintenance_is_announced_on_an_open_page_and_taken_back(visit, club):
    visitor = visit()
    visitor.page.goto("/")
    notice = visitor.page.locator("#maintenance")
    expect(notice).to_be_hidden()
    club.change("INSERT INTO games_maintenance (id, since_ms, notice) VALUES (1, 1, 'Back at <nine>.')")
    expect(notice).to_be_visible()
    expect(notice).to_have_text("Back at <nine>.")
    club.change("DELETE FROM games_maintenance")
    expect(notice).to_be_hidden()
