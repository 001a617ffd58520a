"""One Chromium for all browser tests.

Playwright keeps an event loop running in this thread while it is open, in which Django would refuse its
database: so it is closed again before the tests of another folder.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.visitor import Door
from tests.clients import Person
from tests.server import PATIENCE_S, Server, serving

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None and not (os.environ.get("CI") or os.environ.get("QUARTO_TESTS_SKIP_NOTHING")):
        pytest.skip("Chromium is missing")
    expect.set_options(timeout=PATIENCE_S * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of its own; an error of a script fails the test."""
    errors: list[str] = []
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture(scope="module")
def club(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for a module's windows."""
    with serving(tmp_path_factory.mktemp("club"), empty_database) as server:
        yield server


@pytest.fixture(scope="module")
def accounts() -> Iterator[dict[str, Person]]:
    """Who has an account at the club, by name."""
    accounts: dict[str, Person] = {}
    yield accounts
    for person in accounts.values():
        person.http.close()


@pytest.fixture
def visit(chromium: Browser, club: Server, accounts: dict[str, Person]) -> Iterator[Door]:
    """Opens windows at the club; at the end nothing may have gone wrong in any of them."""
    door = Door(chromium, club, accounts)
    yield door
    assert door.close() == []
