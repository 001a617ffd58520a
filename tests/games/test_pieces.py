"""Drawings and names of the pieces."""

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.template import Context, Template

from games import pieces

POSITION = "8F.6/405A/B9.7/2.3. C 2 P a4 - L:F"


def test_every_piece_has_a_name_of_its_own() -> None:
    assert len({str(name) for name in pieces.NAMES}) == 16


@pytest.mark.parametrize(
    ("bit", "present", "absent"),
    [(1, "dark", "light"), (2, "tall", "short"), (4, "square", "round"), (8, "hollow", "solid")],
)
def test_a_name_says_what_the_bits_say(bit: int, present: str, absent: str) -> None:
    for piece, name in enumerate(pieces.NAMES):
        words = re.findall(r"\w+", str(name))
        assert (present in words, absent in words) == (bool(piece & bit), not piece & bit)


@pytest.mark.parametrize("piece", range(16))
def test_a_piece_document_is_well_formed_and_needs_no_other_file(piece: int) -> None:
    document = pieces.piece_document(piece)
    root = ElementTree.fromstring(document)
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert set(re.findall(r"url\(#([\w-]+)\)", document)) <= ids
    assert "style" not in document
    assert "http" not in document.replace("http://www.w3.org/2000/svg", "")


def test_the_mark_of_the_site_is_the_tall_dark_square_hollow_piece() -> None:
    mark = Path(__file__).resolve().parents[2] / "quarto_site/static/site/mark.svg"
    assert mark.read_text() == pieces.piece_document(15) + "\n"


def test_no_two_pieces_are_drawn_alike() -> None:
    drawings = [pieces.piece_document(piece) for piece in range(16)]
    assert all(one != other for one, other in combinations(drawings, 2))


def test_symbols_hold_each_piece_once_and_no_inline_style() -> None:
    sheet = pieces.symbols()
    assert re.findall(r'id="piece-([0-9A-F])"', sheet) == list(pieces.DIGITS)
    assert "style=" not in sheet


def test_a_position_is_drawn_with_its_pieces_in_place() -> None:
    drawn = pieces.position_svg(POSITION)
    assert drawn.count("<rect") == 16
    assert '<use href="#piece-8" x="6" y="6"' in drawn
    assert '<use href="#piece-3" x="86" y="126"' in drawn
    assert drawn.count("<use") == 12
    assert "pieces placed: 12" in drawn


def test_a_position_table_reads_every_square() -> None:
    page = Template("{% load pieces %}{% position_table position %}").render(Context({"position": POSITION}))
    assert "a4, short light round, hollow" in page
    assert "c4, empty" in page
    assert page.count("<td>") == 17


def test_the_hand_of_a_position_is_a_piece_or_none() -> None:
    template = Template("{% load pieces %}{{ position|hand_of }}")
    assert template.render(Context({"position": POSITION})) == "12"
    assert template.render(Context({"position": "..../..../..../.... - 1 G - - L:F"})) == "None"
