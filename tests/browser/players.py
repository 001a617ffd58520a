"""How a game is played in a window: with the mouse, with fingers, or with the keyboard alone."""

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor

WHAT_IS_SAID = "#ask"


class Player:
    """Somebody at a board, with a mouse. `seat` is known once the board is open."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page, self.name = visitor, visitor.page, visitor.name

    @property
    def seat(self) -> int:
        return int(self.page.locator(".table").get_attribute("data-you") or 0)

    def sits_down(self) -> None:
        """Waits for the board and its connection."""
        self.page.wait_for_url("**/games/*/")
        expect(self.page.locator("net-status")).to_have_text("Online")

    def asked(self, words: str) -> None:
        """Waits until the page says this."""
        expect(self.page.locator(WHAT_IS_SAID)).to_have_text(words)

    def gives(self, piece: str) -> None:
        expect(self.page.locator("quarto-tray")).to_have_attribute("data-asks", "")
        self.choose(self.page.locator(f"quarto-tray [data-digit='{piece}']"))
        self.confirm_where_asked()

    def places(self, square: str) -> None:
        expect(self.page.locator("quarto-board")).to_have_attribute("data-asks", "")
        self.choose(self.square(square))
        self.confirm_where_asked()

    def presses_quarto(self) -> None:
        self.press(self.visitor.button("Quarto!"))

    def points_at(self, *ends: str) -> None:
        for end in ends:
            self.choose(self.square(end))

    def confirms(self, line: str) -> None:
        self.press(self.visitor.button(f"Call Quarto on {line}"))

    def resigns(self) -> None:
        self.press(self.visitor.button("Resign…"))
        self.press(self.visitor.button("Yes, resign"))
        expect(self.page.locator("#why")).to_have_text(f"{self.name} resigned.")

    def square(self, name: str) -> Locator:
        return self.page.locator(f"quarto-board [data-square='{name}']")

    def choose(self, cell: Locator) -> None:
        cell.click()

    def press(self, button: Locator) -> None:
        button.click()

    def confirm_where_asked(self) -> None:
        """A desktop does not ask before a piece is placed or given."""


class PhonePlayer(Player):
    """Phones ask before anything is placed or given."""

    def choose(self, cell: Locator) -> None:
        cell.tap()

    def press(self, button: Locator) -> None:
        button.tap()

    def confirm_where_asked(self) -> None:
        self.press(self.page.locator("#confirm"))


class KeyboardPlayer(Player):
    """Reaches every cell with Home and the arrows from the one tab stop of its grid."""

    def choose(self, cell: Locator) -> None:
        grid = cell.locator("xpath=ancestor::*[@role='grid']")
        columns = grid.locator("[role=row]").first.locator("[role=gridcell]").count()
        place = cell.evaluate(
            "cell => [...cell.closest('[role=grid]').querySelectorAll('[role=gridcell]')].indexOf(cell)"
        )
        grid.locator("[role=gridcell][tabindex='0']").focus()
        keys = ["Control+Home", *["ArrowDown"] * (place // columns), *["ArrowRight"] * (place % columns)]
        for key in keys:
            self.page.keyboard.press(key)
        expect(cell).to_be_focused()
        self.page.keyboard.press("Enter")

    def press(self, button: Locator) -> None:
        button.focus()
        self.page.keyboard.press("Enter")


def play(one: Player, two: Player, script: str) -> None:
    """Plays `@5` (given) and `a1` (placed) in turn, from the first piece on, which seat 1 gives."""
    actor, other = one, two
    for token in script.split():
        if token.startswith("@"):
            actor.gives(token[1:])
            actor, other = other, actor
        else:
            actor.places(token)
