"""Tie-breaks, absences, the cells of a cross table and the log for templates."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.logbook import sentence
from tournaments.models import AuditEvent, Entry
from tournaments.queries.standings import Table
from tournaments.tiebreak_names import name_of

register = template.Library()


@register.filter
def tiebreak_name(code: str) -> str:
    """A tie-break's code in words."""
    return name_of(code)


@register.filter
def is_absent_in(entry: Entry, number: int) -> bool:
    """Whether a bye was asked for in this round. The absences are read with the entry."""
    return any(absence.round_number == number for absence in entry.absences.all())


@register.filter
def in_words(event: AuditEvent) -> str:
    """A line of the log as a sentence."""
    return sentence(event.verb, event.detail)


@register.filter
def rows_of_cells(table: Table) -> list[tuple[object, SafeString]]:
    """Each line of a cross table with its cells as HTML. There are thousands, so they are joined here: what
    is the same in many is escaped once, and start numbers need it not."""
    seats = {1: (_("as starter"), "▴"), 2: (_("as second player"), "▾")}
    around: dict[tuple[str, int | None], list[str]] = {}
    lines: list[tuple[object, SafeString]] = []
    for line in table.lines:
        cells = []
        for cell in line.cells:
            seat = None if table.by_opponent or cell.opponent is None else cell.seat
            kept = around.get((cell.mark, seat))
            if kept is None:
                kept = around[cell.mark, seat] = _around(cell.mark, *seats.get(seat or 0, ("", "")))
            cells.append(kept[0] if seat is None else f"{kept[0]}{cell.opponent:d}{kept[1]}")
        lines.append((line, SafeString("".join(cells))))
    return lines


def _around(mark: str, title: str, arrow: str) -> list[str]:
    """What stands before and after an opponent's number."""
    if not arrow:
        return [format_html('<td class="result">{}</td>', mark)]
    cell = format_html(
        '<td class="result">{} <span class="muted small" title="{}">|{}</span></td>', mark, title, arrow
    )
    return cell.split("|")
