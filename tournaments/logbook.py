"""The log of a tournament in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

SENTENCES = {
    "created": gettext_lazy("made the tournament"),
    "changed": gettext_lazy("changed the conditions: %(fields)s"),
    "published": gettext_lazy("opened it for entries"),
    "appointed": gettext_lazy("took %(player)s into the staff"),
    "entered": gettext_lazy("%(name)s entered"),
    "added": gettext_lazy("entered %(name)s"),
    "withdrew": gettext_lazy("%(name)s withdrew"),
    "reinstated": gettext_lazy("%(name)s plays again"),
    "absent": gettext_lazy("%(name)s has a bye in round %(round)s"),
    "present": gettext_lazy("%(name)s plays in round %(round)s after all"),
    "paired": gettext_lazy("paired round %(round)s"),
    "paired_by_hand": gettext_lazy("paired round %(round)s by hand"),
    "pairings_published": gettext_lazy("showed the pairings of round %(round)s"),
    "discarded": gettext_lazy("discarded the pairing of round %(round)s"),
    "started": gettext_lazy("started round %(round)s"),
    "finished": gettext_lazy("ended the tournament after round %(round)s"),
    "paused": gettext_lazy("paused %(games)s games"),
    "resumed": gettext_lazy("let %(games)s games go on"),
}


def sentence(verb: str, detail: Mapping[str, Any]) -> str:
    """What was done; an unknown verb as it is."""
    if verb == "result":
        return _result(detail)
    values = {
        "name": ", ".join(detail.get("names", [])) or detail.get("name", ""),
        "fields": ", ".join(detail),
        "round": detail.get("round", ""),
        "player": detail.get("player", ""),
        "games": detail.get("games", ""),
    }
    return str(SENTENCES[verb]) % values if verb in SENTENCES else verb


def _result(detail: Mapping[str, Any]) -> str:
    words = _("round %(round)s, board %(board)s: %(before)s → %(result)s %(reason)s")
    values = dict(detail) | {"before": detail["before"] or "*", "result": detail["result"] or "*"}
    return (words % values).strip()
