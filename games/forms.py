"""The form with which a game is offered."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.services.challenges import usual_claims
from games.services.games import BadTerms, Terms

OTHER = "other"
LINES = [
    ("L", _("Rows, columns and diagonals")),
    ("LS", _("Rows, columns, diagonals and 2x2 squares")),
    ("OS", _("Rows, columns and 2x2 squares")),
]
ATTRIBUTES = [("1", _("Colour")), ("2", _("Height")), ("4", _("Shape")), ("8", _("Hollow"))]
TIMES = [
    ("turn=60", _("1 minute a turn")),
    ("turn=30", _("30 seconds a turn")),
    ("turn=120", _("2 minutes a turn")),
    ("turn=30 bank=120", _("30 seconds a turn and 2 minutes in reserve")),
    ("bank=180 inc=5", _("3 minutes a game and 5 seconds a turn")),
    ("bank=600", _("10 minutes a game")),
    (OTHER, _("Other")),
]
CLAIMS = [
    ("", _("As usual")),
    ("lose", _("Loses the game")),
    ("void", _("Costs the right to call")),
    ("strikes=2", _("The second loses the game")),
    ("strikes=3", _("The third loses the game")),
]
FIELD_OF = {"rules": "attributes", "control": "other_time"}


class ChallengeForm(forms.Form):
    """A seek, or a challenge where an opponent is named."""

    opponent = forms.CharField(
        label=_("Opponent"),
        required=False,
        max_length=32,
        help_text=_("Empty: anybody may accept."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    time = forms.ChoiceField(label=_("Time"), choices=TIMES)
    other_time = forms.CharField(
        label=_("Other time"),
        required=False,
        max_length=40,
        help_text=_("Seconds: turn=45, bank=300, bank=180 inc=5 or turn=20 bank=60."),
    )
    rated = forms.BooleanField(label=_("Rated"), required=False)
    draws_allowed = forms.BooleanField(label=_("Draws may be offered"), required=False, initial=True)
    lines = forms.ChoiceField(label=_("Lines"), choices=LINES)
    attributes = forms.MultipleChoiceField(
        label=_("Attributes that count"),
        choices=ATTRIBUTES,
        initial=[bit for bit, _name in ATTRIBUTES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("At least one attribute must count.")},
    )
    claims = forms.ChoiceField(
        label=_("A false call"),
        choices=CLAIMS,
        required=False,
        help_text=_("Usually it loses a rated game; in others it costs the right to call on that placement."),
    )

    usual, special = (
        ("opponent", "time", "rated"),
        ("other_time", "draws_allowed", "lines", "attributes", "claims"),
    )

    def usual_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.usual]

    def special_fields(self) -> list[forms.BoundField]:
        """What most people leave as it is."""
        return [self[name] for name in self.special]

    def is_special_wrong(self) -> bool:
        return any(name in self.errors for name in self.special)

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        if fields.get("time") == OTHER and not fields.get("other_time") and "other_time" not in self.errors:
            self.add_error("other_time", _("Which one?"))
        return fields

    def opponent_and_terms(self) -> tuple[str | None, Terms]:
        """What a valid form asks for, in the words of the services."""
        fields = self.cleaned_data
        mask = sum(map(int, fields["attributes"]))
        return fields["opponent"] or None, Terms(
            rules=f"{fields['lines']}:{mask:X}",
            claims=fields["claims"] or usual_claims(rated=fields["rated"]),
            control=fields["other_time"] if fields["time"] == OTHER else fields["time"],
            rated=fields["rated"],
            draws_allowed=fields["draws_allowed"],
        )

    def refuse(self, error: BadTerms) -> None:
        """Shows a service's refusal beside the field that it is about."""
        field = FIELD_OF.get(error.field, error.field)
        self.add_error(field if field in self.fields else None, str(error))
