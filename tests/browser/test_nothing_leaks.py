"""Nothing on any page tells that there is a line before somebody has called it.

Two games are played that differ in one piece; in one of them a line stands. Every element of the pages of
both players and of a watcher must have the same name, attributes, text and computed style in both, once the
pieces are masked. The cells of the tray, where other pieces lie, are compared without their order. What is
folded away is left out: browsers lay it out when they have the time.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from games.pieces import NAMES
from tests.browser.players import Player, play
from tests.browser.visitor import Visitor
from tests.positions import DARK_ROW, NO_LINE

pytestmark = [pytest.mark.browser, pytest.mark.server]

TERMS = {"rules": "L:F", "claims": "lose", "control": "turn=3000", "rated": False}

PROPERTIES = (
    "animation", "background", "border-bottom", "border-left", "border-radius", "border-right", "border-top",
    "box-shadow", "clip-path", "color", "content", "cursor", "display", "fill", "filter", "font", "height", "inset",
    "margin", "mask", "opacity", "order", "outline", "padding", "pointer-events", "position", "stroke",
    "stroke-dasharray", "text-decoration", "text-shadow", "transform", "transition", "visibility", "width", "z-index",
)  # fmt: skip
"""What an eye could see; all of them as they are computed."""

SEE = """(properties) => {
  const digest = (text) => {
    let sum = 0;
    for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
    return sum;
  };
  const look = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    return digest(properties.map((name) => style.getPropertyValue(name)).join(';'));
  };
  const seen = (element) => [
    element.tagName,
    ...Array.from(element.attributes, (one) => `${one.name}="${one.value}"`),
    ...Array.from(element.childNodes).filter((node) => node.nodeType === 3).map((node) => node.data.trim()),
    look(element), look(element, '::before'), look(element, '::after'),
  ].join(' ');
  const all = (root) => Array.from(root.querySelectorAll('*'), seen).join('\\n');
  const cells = Array.from(document.querySelectorAll('.dent'), (cell) => `${seen(cell)}\\n${all(cell)}`);
  const others = Array.from(document.querySelectorAll('body, body *'))
    .filter((element) => !element.closest('script, .symbols, .dent, details > :not(summary)')).map(seen);
  return [document.title, ...others, ...cells];
}"""

MASKS = [
    (r'data-(digit|piece)="[0-9A-F]"', r'data-\1="P"'),
    (r"#piece-[0-9A-F]\b", "#piece-P"),
    ("|".join(sorted(map(str, NAMES), key=len, reverse=True)), "PIECE"),
    (r"\b\d\d:\d\d\b", "TIME"),
    (r"(X-CSRFToken|csrfmiddlewaretoken)\S* \S+", "FORM TOKEN"),
]


def look_of(page: Page, game_id: str) -> tuple[list[str], list[str]]:
    """What is seen of a page: everything in order, and the cells of the tray."""
    seen = []
    for text in page.evaluate(SEE, PROPERTIES):
        masked = text.replace(game_id, "GAME")
        for pattern, word in MASKS:
            masked = re.sub(pattern, word, masked)
        seen.append(masked)
    return seen[:-16], sorted(seen[-16:])


class Twin:
    """One of the two games, open in everybody's window."""

    def __init__(self, game_id: str, one: Visitor, two: Visitor, watcher: Visitor) -> None:
        self.id, self.windows = game_id, (one, two, watcher)
        self.one, self.two = Player(one), Player(two)
        for visitor in self.windows:
            visitor.page.goto(f"/games/{game_id}/")
            expect(visitor.page.locator("net-status")).to_have_text("Online")
        for visitor in self.windows:
            expect(visitor.page.locator("#watchers")).to_have_text("Watching: 1")
            expect(visitor.page.locator(".presence[data-here]")).to_have_count(2)

    def looks(self, items: int) -> list[tuple[list[str], list[str]]]:
        """Everybody's page, once it has got this far."""
        for visitor in self.windows:
            expect(visitor.page.locator("#log .move")).to_have_count(items)
        return [look_of(visitor.page, self.id) for visitor in self.windows]

    def stages(self, script: str) -> dict[str, list[tuple[list[str], list[str]]]]:
        """Plays, and looks at each page where a line could be called."""
        seen = {}
        play(self.one, self.two, script)
        seen["the window of the placer"] = self.looks(8)
        self.one.gives("0")
        seen["the window of the opponent"] = self.looks(9)
        self.two.presses_quarto()
        seen["Quarto is pressed"] = self.looks(9)
        self.two.points_at("a1", "d1")
        seen["the line is pointed at"] = self.looks(9)
        return seen


def test_pages_look_the_same_with_and_without_a_line(visit, club):
    one, two, watcher = visit("ann"), visit("ben"), visit()
    games = club.seat("ann", "ben", TERMS, TERMS)
    stages = []
    for game_id, script, ending in zip(
        games, (DARK_ROW, NO_LINE), ("You win", "You lose: ann wins"), strict=True
    ):
        twin = Twin(game_id, one, two, watcher)
        stages.append(twin.stages(script))
        button = two.page.locator("#actions").screenshot(caret="initial")
        stages[-1]["the button"] = [([str(hash(button))], [])]
        twin.two.confirms("a1-d1")
        twin.two.asked(ending)
    with_line, without_line = stages
    for stage, windows in with_line.items():
        for number, (ordered, tray) in enumerate(windows):
            assert ordered == without_line[stage][number][0], (stage, number)
            assert tray == without_line[stage][number][1], (stage, number)
