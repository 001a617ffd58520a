"""People with a browser window each, at a real server."""

from contextlib import closing
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, Response

from tests.clients import PASSWORD, Person
from tests.server import Server

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Visitor:
    """One window. `clicks` counts what its owner had to touch; `troubles` is what must not happen in any page."""

    def __init__(self, context: BrowserContext, server: Server, name: str = "") -> None:
        self.context, self.server, self.name = context, server, name
        self.page: Page = context.new_page()
        self.clicks = 0
        self.troubles: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.troubles.append(f"script error: {error}"))
        self.page.on("request", self._see_request)
        self.page.on("response", self._see_response)

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def write(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)
        self.clicks += 1

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name, exact=True)

    def sign_up(self) -> None:
        """From any page that leads to the form."""
        self.click(self.link("Sign up").first)
        self.write("Name", self.name)
        self.write("Password", PASSWORD)
        self.click(self.button("Sign up"))

    def overflow(self) -> int:
        """How many pixels the page is wider than its window."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.type}: {message.text} ({self.page.url})")

    def _see_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.server.url}/", "data:")):
            self.troubles.append(f"foreign request: {request.url}")

    def _see_response(self, response: Response) -> None:
        is_page = response.request.is_navigation_request() and response.status < 300
        if response.status >= 400:
            self.troubles.append(f"{response.status}: {response.url}")
        elif is_page and "default-src 'none'" not in response.headers.get("content-security-policy", ""):
            self.troubles.append(f"no content security policy: {response.url}")


class Door:
    """Lets people in: each call opens a window; whoever is named has an account and is signed in."""

    def __init__(self, chromium: Browser, server: Server, accounts: dict[str, Person]) -> None:
        self.chromium, self.server, self.accounts = chromium, server, accounts
        self.visitors: list[Visitor] = []

    def __call__(self, name: str = "", **window: Any) -> Visitor:
        visitor = Visitor(self._context(**window), self.server, name)
        if name:
            visitor.context.add_cookies(self._session_of(name))
        self.visitors.append(visitor)
        return visitor

    def stranger(self, name: str, **window: Any) -> Visitor:
        """Somebody who has no account yet and will call himself so."""
        visitor = self(**window)
        visitor.name = name
        return visitor

    def close(self) -> list[str]:
        """Closes all windows; returns what went wrong in any of them."""
        for visitor in self.visitors:
            visitor.context.close()
        return [trouble for visitor in self.visitors for trouble in visitor.troubles]

    def _context(self, **window: Any) -> BrowserContext:
        return self.chromium.new_context(
            base_url=self.server.url, reduced_motion="reduce", **(window or DESKTOP)
        )

    def _session_of(self, name: str) -> list[Any]:
        if name not in self.accounts:
            self.accounts[name] = Person(self.server, name)
        with closing(self.accounts[name].browser()) as browser:
            return [
                {"name": cookie.name, "value": cookie.value, "url": self.server.url}
                for cookie in browser.cookies.jar
            ]
