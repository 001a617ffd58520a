"""Tie-breaks, absences and the log for templates."""

from django import template

from tournaments.logbook import sentence
from tournaments.models import AuditEvent, Entry
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
