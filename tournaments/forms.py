"""The forms of the organiser's desk. What they cannot know, the services refuse in words."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms import ATTRIBUTES, CLAIMS, LINES, OTHER, TIMES
from tournaments.models import Entry, Format, Staff, Tournament
from tournaments.proposal import Proposal
from tournaments.regulations import PRESETS, Regulations
from tournaments.services.tournaments import CHANGEABLE_WHILE_RUNNING

FIELD_OF = {
    "rules": "attributes",
    "control": "other_time",
    "bye_half_points": "bye",
    "late_half_points": "late",
}
REGULATIONS_OF = {
    "lines": "rules",
    "attributes": "rules",
    "time": "control",
    "other_time": "control",
    "bye": "bye_half_points",
    "late": "late_half_points",
}
POINTS = [("2", "1"), ("1", "½"), ("0", "0")]


class ProposalForm(forms.Form):
    """How many come, and how much time there is."""

    players = forms.IntegerField(label=_("Players expected"), min_value=2, max_value=500)
    minutes = forms.IntegerField(label=_("Minutes at hand"), min_value=10, max_value=1440)


class TournamentForm(forms.Form):
    """The regulations of a tournament."""

    name = forms.CharField(label=_("Name"), max_length=80)
    format = forms.ChoiceField(label=_("Format"), choices=Format.choices, widget=forms.RadioSelect)
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=200,
        required=False,
        help_text=_("Empty: as many as the field needs. A round robin always has as many as it needs."),
    )
    time = forms.ChoiceField(label=_("Time"), choices=TIMES)
    other_time = forms.CharField(
        label=_("Other time"),
        required=False,
        max_length=40,
        help_text=_("Seconds: turn=45, bank=300, bank=180 inc=5 or turn=20 bank=60."),
    )
    over_the_board = forms.BooleanField(
        label=_("Played over the board: results are entered, nothing is rated"), required=False
    )
    description = forms.CharField(
        label=_("Description"), max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    unrated = forms.BooleanField(label=_("Not rated"), required=False)
    lines = forms.ChoiceField(label=_("Lines"), choices=LINES)
    attributes = forms.MultipleChoiceField(
        label=_("Attributes that count"),
        choices=ATTRIBUTES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("At least one attribute must count.")},
    )
    claims = forms.ChoiceField(label=_("A false call"), choices=CLAIMS[1:])
    draws_allowed = forms.BooleanField(label=_("Draws may be offered"), required=False)
    no_show_s = forms.IntegerField(
        label=_("Seconds until a player who does not appear forfeits"), min_value=1, max_value=3600
    )
    tiebreaks = forms.CharField(
        label=_("Tie-breaks in order"),
        required=False,
        max_length=120,
        help_text=_("Codes of FIDE, such as BH-C1, BH, SB, DE, WIN. Empty: the usual ones of the format."),
    )
    bye = forms.ChoiceField(label=_("Points for the bye of an odd field"), choices=POINTS)
    late = forms.ChoiceField(label=_("Points for each round missed by a late entry"), choices=POINTS[:0:-1])
    swap_last_rounds = forms.BooleanField(
        label=_("Double round robin: swap the last two rounds of the first cycle"), required=False
    )

    usual = ("name", "format", "rounds", "time", "other_time", "over_the_board")
    special = (
        "description", "unrated", "lines", "attributes", "claims", "draws_allowed", "no_show_s",
        "tiebreaks", "bye", "late", "swap_last_rounds",
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """A tournament made by a program may have claims that are not among the choices."""
        super().__init__(*args, **kwargs)
        claims = self.initial.get("claims", "lose")
        if claims not in dict(CLAIMS):
            self.fields["claims"].choices = [*CLAIMS[1:], (claims, claims)]  # type: ignore[attr-defined]

    def usual_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.usual]

    def special_fields(self) -> list[forms.BoundField]:
        """What most organisers leave as it is."""
        return [self[name] for name in self.special]

    def is_special_wrong(self) -> bool:
        return any(name in self.errors for name in self.special)

    def keep_to(self, tournament: Tournament) -> None:
        """Shows as fixed what cannot be changed any more."""
        if not tournament.round_set.exists():
            return
        for name, field in self.fields.items():
            field.disabled = REGULATIONS_OF.get(name, name) not in CHANGEABLE_WHILE_RUNNING

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        if fields.get("time") == OTHER and not fields.get("other_time") and "other_time" not in self.errors:
            self.add_error("other_time", _("Which one?"))
        return fields

    def regulations(self) -> Regulations:
        """What a valid form asks for."""
        fields = self.cleaned_data
        mask = sum(map(int, fields["attributes"]))
        rated = not fields["unrated"] and not fields["over_the_board"] and mask == 15
        return Regulations(
            name=fields["name"],
            format=fields["format"],
            rounds=fields["rounds"],
            description=fields["description"],
            rules=f"{fields['lines']}:{mask:X}",
            claims=fields["claims"],
            control=fields["other_time"] if fields["time"] == OTHER else fields["time"],
            rated=rated,
            draws_allowed=fields["draws_allowed"],
            no_show_s=fields["no_show_s"],
            over_the_board=fields["over_the_board"],
            tiebreaks=tuple(fields["tiebreaks"].replace(",", " ").upper().split())
            or PRESETS[fields["format"]],
            bye_half_points=int(fields["bye"]),
            late_half_points=int(fields["late"]),
            swap_last_rounds=fields["swap_last_rounds"],
        )

    def changes(self) -> dict[str, Any]:
        """The regulations that the form knows, by name."""
        values = asdict(self.regulations())
        del values["grace_ms"]
        return values | {"tiebreaks": tuple(values["tiebreaks"])}

    def refuse(self, message: str, field: str | None) -> None:
        """Shows a service's refusal beside the field that it is about."""
        name = FIELD_OF.get(field or "", field)
        self.add_error(name if name in self.fields else None, message)


def initial_of(regulations: Regulations) -> dict[str, Any]:
    """The form's values for these regulations."""
    lines, mask = regulations.rules.split(":")
    usual_time = regulations.control in dict(TIMES)
    usual_tiebreaks = regulations.tiebreaks in ((), PRESETS[Format(regulations.format)])
    return {
        "name": regulations.name,
        "format": regulations.format,
        "rounds": regulations.rounds,
        "description": regulations.description,
        "time": regulations.control if usual_time else OTHER,
        "other_time": "" if usual_time else regulations.control,
        "lines": lines,
        "attributes": [bit for bit, _name in ATTRIBUTES if int(mask, 16) & int(bit)],
        "claims": regulations.claims,
        "unrated": regulations.rated is False and not regulations.over_the_board,
        "draws_allowed": regulations.draws_allowed,
        "no_show_s": regulations.no_show_s,
        "over_the_board": regulations.over_the_board,
        "tiebreaks": "" if usual_tiebreaks else ", ".join(regulations.tiebreaks),
        "bye": str(regulations.bye_half_points),
        "late": str(regulations.late_half_points),
        "swap_last_rounds": regulations.swap_last_rounds,
    }


def proposed(proposal: Proposal) -> dict[str, Any]:
    """The form's values for a new tournament."""
    return initial_of(
        Regulations(
            name="",
            format=proposal.format,
            rounds=proposal.rounds if proposal.format == Format.SWISS else None,
            control=proposal.control,
        )
    )


class NamesForm(forms.Form):
    """Players to enter, a line each."""

    names = forms.CharField(
        label=_("Names, one a line"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 5, "autocomplete": "off"}),
        help_text=_(
            "A user name enters that player; any other name a guest, whose boards are played at the table."
        ),
    )


class StaffForm(forms.Form):
    username = forms.CharField(label=_("User name"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=Staff.Role.choices, initial=Staff.Role.ARBITER)


class HandForm(forms.Form):
    """A round paired by hand: two choices a board, and one for the bye."""

    def __init__(
        self,
        *args: Any,
        present: Sequence[Entry],
        boards: Sequence[tuple[int, int]] = (),
        bye: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "–"), *((str(entry.pk), entry.player.name) for entry in present)]
        self.size = len(present) // 2
        for number in range(1, self.size + 1):
            starter, second = boards[number - 1] if number <= len(boards) else (None, None)
            self.fields[f"starter{number}"] = _chosen(_("Starter"), choices, starter)
            self.fields[f"second{number}"] = _chosen(_("Second player"), choices, second)
        self.fields["bye"] = _chosen(_("Bye"), choices, bye)

    def rows(self) -> list[tuple[int, forms.BoundField, forms.BoundField]]:
        return [(n, self[f"starter{n}"], self[f"second{n}"]) for n in range(1, self.size + 1)]

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        for number in range(1, self.size + 1):
            if bool(fields.get(f"starter{number}")) != bool(fields.get(f"second{number}")):
                self.add_error(f"second{number}", _("A board needs two players."))
        return fields

    def boards(self) -> list[tuple[int, int]]:
        """The boards that a valid form names, by entry."""
        fields = self.cleaned_data
        return [
            (int(fields[f"starter{number}"]), int(fields[f"second{number}"]))
            for number in range(1, self.size + 1)
            if fields[f"starter{number}"]
        ]

    def bye(self) -> int | None:
        return int(self.cleaned_data["bye"]) if self.cleaned_data["bye"] else None


def _chosen(label: Any, choices: list[tuple[str, str]], initial: int | None) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, required=False, initial=str(initial or ""))
