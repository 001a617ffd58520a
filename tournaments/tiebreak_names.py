"""The tie-breaks in words."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "DE": _("direct encounter"),
    "WIN": _("rounds won"),
    "WON": _("games won on the board"),
    "BPG": _("games played as second player"),
    "BWG": _("games won as second player"),
    "PS": _("sum of the scores after each round"),
    "BH": _("sum of the opponents' scores (Buchholz)"),
    "AOB": _("mean of the opponents' Buchholz"),
    "FB": _("fore Buchholz"),
    "SB": _("scores of beaten opponents and half of drawn ones (Sonneborn-Berger)"),
    "KS": _("points against the upper half (Koya)"),
    "ARO": _("average rating of the opponents"),
    "TPR": _("performance rating"),
    "PTP": _("perfect performance"),
}
MODIFIERS = {
    "C1": _("%(name)s, without the lowest"),
    "C2": _("%(name)s, without the two lowest"),
    "M1": _("%(name)s, without the lowest and the highest"),
    "M2": _("%(name)s, without the two lowest and the two highest"),
}


def name_of(code: str) -> str:
    """`BH-C1` in words; an unknown code as it is."""
    stem, _dash, modifier = code.partition("-")
    name = str(NAMES.get(stem, stem))
    return str(MODIFIERS[modifier]) % {"name": name} if modifier in MODIFIERS else name
