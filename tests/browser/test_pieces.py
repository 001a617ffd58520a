"""The pieces can be told apart at small sizes, in one bit, and with any kind of colour vision.

The measure is the root mean square difference of luminance (0 to 1) between two drawings on a square of the
board, the smallest over all 120 pairs.
"""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from games import pieces

pytestmark = pytest.mark.browser

TOKENS = Path(__file__).resolve().parents[2] / "quarto_site/static/site/tokens.css"
THEMES = ("light", "dark")

# Linear RGB as seen without one kind of cone: Machado, Oliveira and Fernandes (2009), severity 1.
VISION = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

DRAW = """async ([documents, background, size]) => {
  const pixels = [];
  for (const source of documents) {
    const image = new Image();
    image.src = 'data:image/svg+xml,' + encodeURIComponent(source);
    await image.decode();
    const canvas = new OffscreenCanvas(size, size);
    const context = canvas.getContext('2d');
    context.fillStyle = background;
    context.fillRect(0, 0, size, size);
    context.drawImage(image, 0, 0, size, size);
    pixels.push(Array.from(context.getImageData(0, 0, size, size).data));
  }
  return JSON.stringify(pixels);
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    page.set_content(f"<style>{TOKENS.read_text()}</style><p>")
    yield page
    page.close()


def drawings(page: Page, theme: str, size: int) -> list[list[tuple[int, int, int]]]:
    """The pixels of the sixteen pieces on the theme's square."""
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    background = page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--square').trim()"
    )
    documents = [pieces.piece_document(piece) for piece in range(16)]
    flat = json.loads(page.evaluate(DRAW, [documents, background, size]))
    return [list(zip(one[0::4], one[1::4], one[2::4], strict=True)) for one in flat]


def linear(channel: float) -> float:
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


LINEAR = [linear(channel) for channel in range(256)]


def shown(value: float) -> float:
    value = min(1.0, max(0.0, value))
    return value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def luminance(pixel: tuple[int, int, int], vision: str) -> float:
    rgb = [LINEAR[channel] for channel in pixel]
    red, green, blue = (
        shown(sum(weight * part for weight, part in zip(row, rgb, strict=True))) for row in VISION[vision]
    )
    return 0.299 * red + 0.587 * green + 0.114 * blue


def smallest_difference(greys: list[list[float]]) -> float:
    """Root mean square difference of the two drawings that are most alike."""
    return min(
        (sum((x - y) ** 2 for x, y in zip(one, other, strict=True)) / len(one)) ** 0.5
        for one, other in combinations(greys, 2)
    )


@pytest.mark.parametrize(("size", "least"), [(16, 0.08), (24, 0.12)])
@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", THEMES)
def test_pieces_differ_enough(page: Page, theme: str, vision: str, size: int, least: float) -> None:
    greys = [[luminance(pixel, vision) for pixel in one] for one in drawings(page, theme, size)]
    assert smallest_difference(greys) >= least


@pytest.mark.parametrize("size", [16, 24])
@pytest.mark.parametrize("theme", THEMES)
def test_pieces_differ_enough_in_one_bit(page: Page, theme: str, size: int) -> None:
    bits = [[float(luminance(pixel, "full") >= 0.5) for pixel in one] for one in drawings(page, theme, size)]
    assert smallest_difference(bits) >= 0.12
