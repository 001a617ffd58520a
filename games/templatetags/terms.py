"""Conditions of play in words."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clock import TimeControl
from games.forms import LINES, TIMES
from games.rules import Rules

register = template.Library()


@register.filter
def time_in_words(control: str) -> str:
    """`turn=60` as people say it."""
    usual = dict(TIMES).get(control)
    return str(usual) if usual else _unusual_time(TimeControl.parse(control))


def _unusual_time(control: TimeControl) -> str:
    times = {
        "turn": _duration(control.turn_ms),
        "bank": _duration(control.bank_ms),
        "more": _duration(control.inc_ms),
    }
    if not control.bank_ms:
        return _("%(turn)s a turn") % times
    if control.turn_ms and control.inc_ms:
        return _("%(turn)s a turn and %(bank)s in reserve, %(more)s more after each turn") % times
    if control.turn_ms:
        return _("%(turn)s a turn and %(bank)s in reserve") % times
    if control.inc_ms:
        return _("%(bank)s a game and %(more)s a turn") % times
    return _("%(bank)s a game") % times


def _duration(ms: int) -> str:
    """Hours or minutes where they come out even, otherwise minutes and seconds."""
    if ms >= 3_600_000 and ms % 3_600_000 == 0:
        return _counted(ngettext("%(count)d hour", "%(count)d hours", ms // 3_600_000), ms // 3_600_000)
    if ms >= 60_000 and ms % 60_000 == 0:
        return _counted(ngettext("%(count)d minute", "%(count)d minutes", ms // 60_000), ms // 60_000)
    if ms < 60_000 and ms % 1000 == 0:
        return _counted(ngettext("%(count)d second", "%(count)d seconds", ms // 1000), ms // 1000)
    if ms < 60_000:
        return _("%(seconds)s seconds") % {"seconds": f"{ms / 1000:g}"}
    return _("%(minutes)d:%(seconds)02d minutes") % {"minutes": ms // 60_000, "seconds": ms % 60_000 // 1000}


def _counted(words: str, count: int) -> str:
    return words % {"count": count}


@register.filter
def rules_in_words(rules: str) -> str:
    """`L:F` and its variants as people say them."""
    if rules == "L:F":
        return _("Standard rules")
    variant = Rules.parse(rules)
    count = variant.mask.bit_count()
    words = ngettext("%(lines)s; %(count)d attribute", "%(lines)s; %(count)d attributes", count)
    return words % {"lines": dict(LINES)[variant.lines], "count": count}


@register.filter
def claims_in_words(claims: str) -> str:
    """What a false call costs."""
    if claims == "lose":
        return _("A false call loses")
    if claims == "void":
        return _("A false call costs the right to call")
    strikes = int(claims.removeprefix("strikes="))
    words = ngettext("%(strikes)d false call loses", "%(strikes)d false calls lose", strikes)
    return words % {"strikes": strikes}
