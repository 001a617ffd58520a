"""The sixteen pieces as people see and hear them: drawings and names.

A piece is seen from the front, all on one base line, and each attribute has a channel that needs no hue:
tall pieces have the full height and short ones half of it; square pieces have corners and round ones fully
round ends; dark bodies have a light edge and light bodies a dark one; hollow pieces have a hole in the
opposite tone. This module is the only place where a piece is drawn: pages carry `symbols()` once, and
everything on them, scripts included, refers to `#piece-0` ... `#piece-F`.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

DIGITS = "0123456789ABCDEF"
DARK, TALL, SQUARE, HOLLOW = 1, 2, 4, 8

NAMES: tuple[Promise, ...] = (
    _("short light round, solid"),
    _("short dark round, solid"),
    _("tall light round, solid"),
    _("tall dark round, solid"),
    _("short light square, solid"),
    _("short dark square, solid"),
    _("tall light square, solid"),
    _("tall dark square, solid"),
    _("short light round, hollow"),
    _("short dark round, hollow"),
    _("tall light round, hollow"),
    _("tall dark round, hollow"),
    _("short light square, hollow"),
    _("short dark square, hollow"),
    _("tall light square, hollow"),
    _("tall dark square, hollow"),
)

SIZE = 32
BASE_LINE = 30.0
LEFT, WIDTH = 3.0, 26.0
HEIGHTS = {False: 14.0, True: 28.0}
SQUARE_RADII = (0.8, 0.8, 0.8)
ROUND_RADII = {False: (13.0, 9.0, 5.0), True: (13.0, 13.0, 5.0)}


@dataclass(frozen=True, slots=True)
class Tone:
    """The colours of one of the two woods."""

    name: str
    core: str
    shade: str
    gleam: str
    rim: str
    rim_width: float
    edge: str
    edge_width: float
    hole: str
    hole_edge: str


LIGHT = Tone("light", "#f8e9c9", "#dcbd87", "#fffaf0", "#34200f", 0.7, "#34200f", 1.1, "#2c180c", "#8a6238")
DARKWOOD = Tone("dark", "#4a2b19", "#24130a", "#80553a", "#1c0e07", 1.6, "#f0d9b0", 2.0, "#fbefd6", "#1c0e07")


def piece_digit(piece: int) -> str:
    """The piece's hex digit.

    >>> piece_digit(13)
    'D'
    """
    return DIGITS[piece]


def piece_name(piece: int) -> Promise:
    """What the piece is called, one whole phrase: "tall dark square, hollow"."""
    return NAMES[piece]


def square_label(square: str, piece: int | None) -> str:
    """What a reader hears of a square: "b2, empty" or "b2, tall dark square, hollow"."""
    if piece is None:
        return gettext("{square}, empty").format(square=square)
    return gettext("{square}, {piece}").format(square=square, piece=NAMES[piece])


def board_of(position: str) -> tuple[tuple[int | None, ...], ...]:
    """The four ranks of a position string, rank 4 first, with pieces or None.

    >>> board_of("8F.6/405A/B9.7/2.3. C 2 P a4 - L:F")[0]
    (8, 15, None, 6)
    """
    ranks = position.split(" ", 1)[0].split("/")
    return tuple(tuple(None if mark == "." else int(mark, 16) for mark in rank) for rank in ranks)


def square_names(row: int) -> tuple[str, ...]:
    """The names of a drawn row's squares; row 0 is rank 4."""
    return tuple(f"{file}{4 - row}" for file in "abcd")


def symbols() -> SafeString:
    """All pieces as SVG symbols, with the gradients they share; to stand once in a page, before their use."""
    drawn = "".join(
        f'<symbol id="piece-{DIGITS[n]}" viewBox="0 0 32 32">{_drawing(n)}</symbol>' for n in range(16)
    )
    return mark_safe(  # noqa: S308 - built from this module's constants alone
        f'<svg class="symbols" width="0" height="0" aria-hidden="true" focusable="false">{_gradients()}{drawn}</svg>'
    )


def piece_document(piece: int) -> str:
    """The piece as an SVG file that stands alone."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}">'
        f"{_gradients()}{_drawing(piece)}</svg>"
    )


def piece_svg(piece: int) -> SafeString:
    """The piece for a page that carries the symbols; its name is read aloud."""
    return format_html(
        '<svg class="piece" viewBox="0 0 32 32" role="img" aria-label="{}"><use href="#piece-{}"></use></svg>',
        NAMES[piece],
        DIGITS[piece],
    )


def position_svg(position: str) -> SafeString:
    """A small board with the position's pieces, the same drawing that quarto-mini.js makes."""
    board = board_of(position)
    squares = [(column, row, board[row][column]) for row in range(4) for column in range(4)]
    wells = format_html_join(
        "",
        '<rect x="{}" y="{}" width="36" height="36" rx="9"></rect>',
        ((4 + 40 * column, 4 + 40 * row) for column, row, _piece in squares),
    )
    pieces = format_html_join(
        "",
        '<use href="#piece-{}" x="{}" y="{}" width="32" height="32"></use>',
        (
            (DIGITS[piece], 6 + 40 * column, 6 + 40 * row)
            for column, row, piece in squares
            if piece is not None
        ),
    )
    placed = sum(piece is not None for _column, _row, piece in squares)
    label = gettext("Board, pieces placed: {count}").format(count=placed)
    return format_html(
        '<svg class="mini" viewBox="0 0 164 164" role="img" aria-label="{}">{}{}</svg>', label, wells, pieces
    )


def _gradients() -> str:
    return "<defs>" + "".join(_tone_gradients(tone) for tone in (LIGHT, DARKWOOD)) + _SHADOW + "</defs>"


_SHADOW = (
    '<radialGradient id="piece-shadow"><stop offset=".3" stop-opacity=".45"/><stop offset="1" stop-opacity="0"/>'
    "</radialGradient>"
)


def _tone_gradients(tone: Tone) -> str:
    turned = (
        f'<linearGradient id="round-{tone.name}"><stop stop-color="{tone.shade}"/>'
        f'<stop offset=".3" stop-color="{tone.gleam}"/><stop offset=".5" stop-color="{tone.core}"/>'
        f'<stop offset="1" stop-color="{tone.shade}"/></linearGradient>'
    )
    planed = (
        f'<linearGradient id="square-{tone.name}" x1="0" y1="0" x2=".7" y2="1"><stop stop-color="{tone.gleam}"/>'
        f'<stop offset=".28" stop-color="{tone.core}"/><stop offset=".75" stop-color="{tone.core}"/>'
        f'<stop offset="1" stop-color="{tone.shade}"/></linearGradient>'
    )
    return turned + planed


def _drawing(piece: int) -> str:
    tone = DARKWOOD if piece & DARK else LIGHT
    height = HEIGHTS[bool(piece & TALL)]
    top = BASE_LINE - height
    shape = "square" if piece & SQUARE else "round"
    radii = SQUARE_RADII if piece & SQUARE else ROUND_RADII[bool(piece & TALL)]
    body = _outline(0, top, radii, f'fill="{tone.rim}"') + _outline(
        tone.rim_width,
        top,
        radii,
        f'fill="url(#{shape}-{tone.name})" stroke="{tone.edge}" stroke-width="{tone.edge_width:g}"',
    )
    hole = _hole(tone, top, height) if piece & HOLLOW else ""
    shadow = '<ellipse cx="16" cy="30.1" rx="14.5" ry="1.9" fill="url(#piece-shadow)"/>'
    return shadow + body + _grain(tone, top, height) + hole


def _outline(inset: float, top: float, radii: tuple[float, float, float], paint: str) -> str:
    """The body, drawn this far inside of its outline: an upper and a lower pair of round corners."""
    rx, ry, foot = (max(0.4, radius - inset) for radius in radii)
    left, right, low, high = LEFT + inset, LEFT + WIDTH - inset, BASE_LINE - inset, top + inset
    return (
        f'<path d="M{left:g} {high + ry:g}A{rx:g} {ry:g} 0 0 1 {left + rx:g} {high:g}H{right - rx:g}'
        f"A{rx:g} {ry:g} 0 0 1 {right:g} {high + ry:g}V{low - foot:g}A{foot:g} {foot:g} 0 0 1 {right - foot:g} {low:g}"
        f'H{left + foot:g}A{foot:g} {foot:g} 0 0 1 {left:g} {low - foot:g}Z" {paint}/>'
    )


def _grain(tone: Tone, top: float, height: float) -> str:
    """A few fibres of the wood, faint enough to vanish where the piece is small."""
    first, last = top + height * 0.3, top + height * 0.72
    fibres = "".join(
        f"M{x:g} {first + lean:g}q{bend:g} {(last - first) / 2:g} 0 {last - first:g}"
        for x, lean, bend in ((9.2, 0, 0.7), (12.6, 1.2, 0.5), (19.6, 0.4, 0.6), (22.8, 1.4, 0.4))
    )
    return f'<path d="{fibres}" fill="none" stroke="{tone.hole_edge}" stroke-width=".45" opacity=".28"/>'


def _hole(tone: Tone, top: float, height: float) -> str:
    centre, radius = (top + 10.5, 4.9) if height > 20 else (top + height / 2, 4.1)
    paint = f'fill="{tone.hole}" stroke="{tone.hole_edge}" stroke-width=".9"'
    return f'<circle cx="16" cy="{centre:g}" r="{radius:g}" {paint}/>'
