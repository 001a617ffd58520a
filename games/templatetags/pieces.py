"""Pieces and positions for templates."""

from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from games import pieces

register = template.Library()


@register.simple_tag
def piece_symbols() -> SafeString:
    """The drawings that all other pieces of the page refer to."""
    return pieces.symbols()


@register.simple_tag
def piece_svg(piece: int) -> SafeString:
    return pieces.piece_svg(int(piece))


@register.simple_tag
def piece_name(piece: int) -> Promise:
    return pieces.piece_name(int(piece))


@register.simple_tag
def position_svg(position: str) -> SafeString:
    return pieces.position_svg(position)


@register.inclusion_tag("games/_board.html")
def position_table(position: str) -> dict[str, Any]:
    """The position as a table that can be read without scripts."""
    return {"rows": [_row(row, ranks) for row, ranks in enumerate(pieces.board_of(position))]}


@register.filter
def hand_of(position: str) -> int | None:
    """The piece in hand, or None."""
    hand = position.split(" ")[1]
    return None if hand == "-" else int(hand, 16)


def _row(row: int, rank: tuple[int | None, ...]) -> dict[str, Any]:
    names = pieces.square_names(row)
    return {
        "rank": 4 - row,
        "squares": [
            {"name": name, "piece": piece, "label": pieces.square_label(name, piece)}
            for name, piece in zip(names, rank, strict=True)
        ],
    }
