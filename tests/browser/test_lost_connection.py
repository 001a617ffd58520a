"""What becomes of an action that is under way when the connection or the page goes away."""

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.players import Player

pytestmark = [pytest.mark.browser, pytest.mark.server]


class Line:
    """The wire between a page and the server's game socket; it can be cut on the way there or on the way back."""

    def __init__(self, player: Player) -> None:
        self.cut = ""
        self.sent: list[dict[str, object]] = []
        player.page.route_web_socket(re.compile("/ws/games/"), self._lay)

    def _lay(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def there(text: str | bytes) -> None:
            frame = json.loads(text)
            if "seq" in frame:
                self.sent.append(frame)
            if self.cut != "there":
                server.send(text)

        def back(text: str | bytes) -> None:
            if self.cut != "back":
                socket.send(text)

        socket.on_message(there)
        server.on_message(back)


@pytest.fixture
def table(visit, accounts):
    """The players of a new game by seat, at its board."""
    players = [Player(visit("ann")), Player(visit("ben"))]
    game = accounts["ann"].challenge(accounts["ben"], control="turn=600")
    for player in players:
        player.page.goto(f"/games/{game}/")
        player.sits_down()
    one, two = sorted(players, key=lambda player: player.seat)
    yield one, two
    two.resigns()


@pytest.mark.parametrize("cut", ["there", "back"])
def test_an_action_under_way_at_a_reload_is_delivered_once(table, cut):
    one, two = table
    line = Line(one)
    one.page.reload()
    one.sits_down()
    line.cut = cut
    one.gives("5")
    one.asked("Sending…")
    if cut == "back":
        two.asked("Place this piece")
    line.cut = ""
    one.page.reload()
    one.sits_down()
    one.asked(f"{two.name} places the piece")
    two.asked("Place this piece")
    expect(one.page.locator("#log .move")).to_have_count(1)
    assert len(line.sent) == 2
    assert line.sent[0] == line.sent[1]
    two.places("b2")
    two.gives("9")
    one.asked("Place this piece, or call Quarto first")


def test_an_action_made_offline_is_delivered_when_the_network_is_back(table):
    one, two = table
    one.visitor.context.set_offline(True)
    expect(one.page.locator("net-status")).to_have_text("Offline")
    one.gives("5")
    one.asked("Sending…")
    two.asked(f"Waiting for {one.name} to choose the first piece")
    one.visitor.context.set_offline(False)
    two.asked("Place this piece")
    one.asked(f"{two.name} places the piece")
    expect(one.page.locator("net-status")).to_have_text("Online")
    expect(two.page.locator("#log .move")).to_have_count(1)


def test_a_reload_shows_the_game_as_it_stands(table):
    one, two = table
    one.gives("5")
    two.places("b2")
    two.presses_quarto()
    for player in table:
        player.page.reload()
        player.sits_down()
        expect(player.square("b2")).to_have_attribute("aria-label", "b2, short dark square, solid")
        expect(player.square("b2")).to_have_attribute("data-last", "")
    two.asked(f"Choose a piece for {one.name}, or call Quarto")
    one.asked(f"{two.name} chooses a piece")
