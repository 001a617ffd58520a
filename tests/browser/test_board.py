"""The board of a game in Chromium: what a player does, what is sent, what is said."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from games.judge import GameState
from tests.browser.table import HOST, Table
from tests.games.played import FULL, LINE, played, started

pytestmark = pytest.mark.browser


def asked(page: Page):
    return expect(page.locator("#ask"))


def square(page: Page, name: str):
    return page.locator(f"[data-square={name}]")


def piece(page: Page, digit: str):
    return page.locator(f"[data-digit='{digit}']")


def table(
    page: Page, moves: str = "", *, you: int | None = 1, state: GameState | None = None, **options
) -> Table:
    laid = Table(page, played(moves, state), you, **options)
    laid.open()
    return laid


def test_pieces_are_given_and_placed_by_clicks(page):
    laid = table(page)
    asked(page).to_have_text("Choose the first piece for Ben")
    piece(page, "5").click()
    asked(page).to_have_text("Ben places the piece")
    laid.act(2, "place", square="b2")
    laid.act(2, "give", piece="9")
    asked(page).to_have_text("Place this piece, or call Quarto first")
    square(page, "c3").click()
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    assert [(frame["do"], frame["seq"]) for frame in laid.received] == [("give", 0), ("place", 3)]
    expect(square(page, "c3")).to_have_attribute("aria-label", "c3, short dark round, hollow")
    expect(square(page, "d4")).to_have_attribute("aria-label", "d4, empty")


def test_an_action_that_is_asked_about_can_be_undone_until_it_is_sent(page):
    page.add_init_script("localStorage.setItem('confirm', 'yes')")
    laid = table(page, "5 b2 9")
    square(page, "c3").click()
    expect(square(page, "c3")).to_have_attribute("aria-label", "c3, short dark round, hollow")
    page.get_by_role("button", name="Undo").click()
    expect(square(page, "c3")).to_have_attribute("aria-label", "c3, empty")
    square(page, "d4").click()
    assert laid.received == []
    page.get_by_role("button", name="Place it on d4").click()
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    assert [frame["square"] for frame in laid.received] == ["d4"]


def test_taken_squares_and_pieces_cannot_be_chosen(page):
    laid = table(page, "5 b2 9")
    square(page, "b2").click(force=True)
    piece(page, "7").click(force=True)
    expect(square(page, "b2")).to_have_attribute("aria-disabled", "true")
    asked(page).to_have_text("Place this piece, or call Quarto first")
    assert laid.received == []


def test_the_board_is_played_with_the_keyboard(page):
    laid = table(page, "5 b2 9")
    square(page, "a4").focus()
    for key in ("ArrowDown", "End", "ArrowLeft", "Home", "Control+End", "ArrowUp"):
        page.keyboard.press(key)
    expect(square(page, "d2")).to_be_focused()
    page.keyboard.press("Enter")
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    piece(page, "2").focus()
    page.keyboard.press("ArrowDown")
    expect(piece(page, "0")).to_be_focused()
    page.keyboard.press("Space")
    asked(page).to_have_text("Ben places the piece")
    assert [frame.get("square") or frame.get("piece") for frame in laid.received] == ["d2", "0"]


def test_the_command_box_obeys_words(page):
    laid = table(page, "5 b2 9")
    box = page.get_by_label("Command")
    box.fill("b2b2")
    box.press("Enter")
    expect(page.locator("#note")).to_contain_text("Not understood")
    box.fill("board")
    box.press("Enter")
    expect(page.locator("#note")).to_have_text(
        "b2, short dark square, solid. Piece to place: short dark round, hollow"
    )
    box.fill("C3")
    box.press("Enter")
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    box.fill("give a")
    box.press("Enter")
    asked(page).to_have_text("Ben places the piece")
    assert [(frame["do"], frame.get("piece")) for frame in laid.received] == [("place", None), ("give", "A")]


def test_resigning_by_command_is_typed_twice(page):
    laid = table(page, "5 b2 9")
    box = page.get_by_label("Command")
    for _time in range(2):
        assert laid.received == []
        box.fill("resign")
        box.press("Enter")
    asked(page).to_have_text("You lose: Ben wins")


def test_quarto_is_called_by_its_button_and_the_two_ends_of_the_line(page):
    laid = table(page, LINE)
    page.get_by_role("button", name="Quarto!").click()
    asked(page).to_have_text("Point at the line: choose one end")
    square(page, "d1").click()
    square(page, "a1").click()
    expect(page.locator("#cost")).to_have_text("If it is not a line of four alike, you lose the game.")
    page.get_by_role("button", name="Call Quarto on a1-d1").click()
    asked(page).to_have_text("You win")
    assert [(frame["do"], frame["line"]) for frame in laid.received] == [("claim", "a1-d1")]
    expect(page.locator("#why")).to_have_text("Quarto: Ann placed the piece and called it.")
    expect(page.locator("#won-lines")).to_have_text("a1-d1: all dark")
    expect(page.get_by_role("alert")).to_contain_text("You win")


def test_a_small_square_is_pointed_at_by_opposite_corners(page):
    table(page, "5 b2 9", state=started(rules="LS:F"))
    page.get_by_role("button", name="Quarto!").click()
    square(page, "c2").click()
    square(page, "b3").click()
    expect(page.get_by_role("button", name="Call Quarto on b2-c3")).to_be_visible()


def test_a_call_can_be_put_off(page):
    laid = table(page, LINE)
    page.get_by_role("button", name="Quarto!").click()
    square(page, "a1").click()
    page.keyboard.press("Escape")
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    assert laid.received == []


@pytest.mark.parametrize(("policy", "cost"), [("void", "may not call again"), ("strikes=3", "0 of 3 so far")])
def test_the_cost_of_a_false_call_stands_beside_the_button(page, policy, cost):
    table(page, LINE, claims=policy)
    page.get_by_role("button", name="Quarto!").click()
    expect(page.locator("#cost")).to_contain_text(cost)


def test_the_page_looks_the_same_with_and_without_a_line(page):
    looks = []
    for moves in ("1 a1 3 b1 5 c1 9 d1 0", "1 a1 3 b1 5 c1 A d1 0"):
        table(page, moves, you=2)
        expect(page.locator("net-status")).to_have_text("Online")
        button = page.get_by_role("button", name="Quarto!")
        expect(button).to_be_enabled()
        button.click()
        looks.append(
            (
                page.locator("#actions").evaluate("element => element.outerHTML"),
                page.locator("#asked").evaluate("element => element.outerHTML"),
                [
                    square(page, name).evaluate(
                        "cell => [...cell.attributes].map(a => a.name + a.value).slice(3)"
                    )
                    for name in ("a1", "b1", "c1", "a4", "d4")
                ],
                button.screenshot(),
            )
        )
    assert looks[0] == looks[1]


def test_the_end_windows_always_run_and_can_be_passed(page):
    table(page, FULL)
    asked(page).to_have_text("All pieces are placed: call Quarto, or pass")
    expect(page.get_by_role("button", name="Quarto!")).to_be_enabled()
    page.get_by_role("button", name="Pass").click()
    asked(page).to_have_text("All pieces are placed: Ben may still call Quarto")


def test_a_refusal_is_said_in_words(page):
    laid = table(page, "5 b2 9")
    expect(page.locator("net-status")).to_have_text("Online")
    laid.state = played("5 b2 9 c3 A d4")
    square(page, "a4").click()
    expect(page.locator("#note")).to_have_text("The game has moved on.")
    expect(square(page, "c3")).to_have_attribute("aria-label", "c3, short dark round, hollow")


def test_an_older_state_changes_nothing(page):
    laid = table(page, "5 b2 9")
    expect(page.locator("net-status")).to_have_text("Online")
    old = laid.frame
    laid.act(1, "place", square="c3")
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    laid.send(old)
    laid.send({"type": "presence", "seats": [True, False], "watchers": 7})
    expect(page.locator("#watchers")).to_have_text("Watching: 7")
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")


def test_an_action_is_sent_again_with_its_seq_after_a_lost_connection(page):
    laid = table(page, "5 b2 9")
    expect(page.locator("net-status")).to_have_text("Online")
    laid.deaf = True
    square(page, "c3").click()
    asked(page).to_have_text("Sending…")
    laid.hear(laid.received[0])
    laid.deaf = False
    laid.sockets[-1].close(code=4012)
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    assert len(laid.received) == 2
    assert laid.received[0] == laid.received[1]
    assert laid.state.record.count("c3") == 1


def test_an_action_under_way_survives_a_reload(page):
    laid = table(page, "5 b2 9")
    expect(page.locator("net-status")).to_have_text("Online")
    laid.deaf = True
    square(page, "c3").click()
    asked(page).to_have_text("Sending…")
    laid.deaf = False
    page.reload()
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    assert laid.received[0] == laid.received[1]


@pytest.mark.parametrize(
    ("code", "words"),
    [(4001, "You are signed out"), (4003, "not open to you"), (4004, "no such game")],
)
def test_a_connection_closed_for_good_says_why(page, code, words):
    laid = table(page, "5 b2 9")
    expect(page.locator("net-status")).to_have_text("Online")
    laid.sockets[-1].close(code=code)
    expect(page.locator("net-status")).to_have_text("Not connected")
    expect(page.locator("#note")).to_contain_text(words)
    assert len(laid.sockets) == 1


def test_where_sockets_cannot_be_opened_the_game_goes_on_by_requests(page):
    laid = Table(page, played("5 b2 9"), 1)
    laid.greet = lambda socket: socket.close(code=3000)

    def answer(route: Route, path: str) -> None:
        if path.endswith("/actions/"):
            route.fulfill(json=laid.hear(json.loads(route.request.post_data or "")))
        elif not path.endswith("/events/"):
            route.fulfill(status=404)
        elif f"since={laid.state.seq}&" not in route.request.url:
            route.fulfill(json=laid.frame)
        elif "wait=0" in route.request.url:
            route.fulfill(status=204)

    laid.answer = answer
    laid.open()
    square(page, "c3").click()
    asked(page).to_have_text("Choose a piece for Ben, or call Quarto")
    expect(page.locator("net-status")).to_have_text("Online, by slower means")
    assert laid.state.record.endswith("c3{0.000}")


def test_watchers_see_the_game_and_no_controls(page):
    table(page, "5 b2 9", you=None)
    asked(page).to_have_text("Ann places the piece")
    expect(page.get_by_role("button", name="Quarto!")).to_have_count(0)
    expect(page.locator("[role=log]")).to_contain_text("Ben places it on b2")


def test_a_draw_offer_is_seen_and_answered(page):
    laid = table(page, "5 b2 9", you=2)
    laid.act(1, "offer_draw")
    expect(page.locator("#offer-text")).to_have_text("Ann offers a draw")
    page.get_by_role("button", name="Accept the draw").click()
    asked(page).to_have_text("A draw")
    expect(page.locator("#why")).to_have_text("Agreed by both sides.")


def test_the_replay_shows_each_move_and_what_was_overlooked(page):
    laid = table(page, f"{LINE} E c3 8", you=2)
    expect(page.locator("#replay")).to_be_hidden()
    laid.act(1, "resign")
    asked(page).to_have_text("You win")
    page.get_by_role("button", name="4. a1-d1: all dark").click()
    expect(page.locator("#replay-missed")).to_have_text("Overlooked here: a1-d1: all dark")
    expect(square(page, "c3")).to_have_attribute("aria-label", "c3, empty")
    page.get_by_role("button", name="One move on").click()
    expect(page.locator("#replay-text")).to_have_text("Ann gives: tall light square, hollow")
    page.get_by_label("Replay").get_by_role("slider").press("Home")
    expect(page.locator("#replay-text")).to_have_text("The empty board")


@pytest.mark.parametrize(
    ("left_ms", "shown"),
    [
        (600_000, "10:00"), (599_200, "10:00"), (599_000, "9:59"), (60_000, "1:00"), (59_001, "1:00"),
        (10_000, "0:10"), (9_960, "0:10"), (9_900, "9.9"), (1, "0.1"), (0, "0.0"), (-50, "0.0"),
        (3_661_000, "1:01:01"),
    ],
)  # fmt: skip
def test_a_clock_rounds_the_whole_up_once(page, left_ms, shown):
    table(page)
    script = "async ms => (await import('/static/games/live-clock.js')).formatClock(ms)"
    assert page.evaluate(script, left_ms) == shown


def test_squares_and_pieces_are_large_enough_for_fingers_on_a_narrow_phone(chromium):
    context = chromium.new_context(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    page = context.new_page()
    table(page, "5 b2")
    assert square(page, "a1").bounding_box()["width"] >= 64
    assert piece(page, "1").bounding_box()["width"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    context.close()


def test_what_is_asked_and_what_confirms_can_be_seen_on_a_small_phone(chromium):
    context = chromium.new_context(
        viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    laid = table(page)
    expect(piece(page, "D")).to_be_in_viewport(ratio=1)
    piece(page, "5").tap()
    confirm = page.locator("#confirm")
    expect(confirm).to_be_in_viewport(ratio=1)
    confirm.tap()
    laid.act(2, "place", square="b2")
    laid.act(2, "give", piece="9")
    expect(square(page, "a4")).to_be_in_viewport(ratio=1)
    square(page, "a4").tap()
    expect(confirm).to_have_text("Place it on a4")
    expect(confirm).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Quarto!").tap()
    for corner in ("a1", "d4"):
        expect(square(page, corner)).to_be_in_viewport(ratio=1)
    context.close()


def test_the_page_asks_no_other_host(page):
    hosts = set()
    page.on("request", lambda request: hosts.add(request.url.split("/static")[0].split("/games")[0]))
    table(page, "5 b2 9")
    expect(page.locator("net-status")).to_have_text("Online")
    assert hosts == {HOST}
