"""Conditions of play in words."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.forms import LINES, TIMES
from games.rules import Rules

register = template.Library()


@register.filter
def time_in_words(control: str) -> str:
    """`turn=60` as people say it; an unusual one as it is written."""
    return str(dict(TIMES).get(control, control))


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
