"""The terms an organiser sets for a tournament, and what is refused of them."""

from dataclasses import dataclass, fields

from django.utils.translation import gettext_lazy as _

from games.services.games import BadTerms, Terms, check_terms
from tournaments import tiebreaks
from tournaments.errors import BadInput
from tournaments.models import Format, Tournament

NOT_OFFERED = {"knockout": _("Knockout is not offered yet."), "arena": _("An arena is not offered yet.")}
PRESETS = {
    Format.SWISS: tiebreaks.SWISS_PRESET,
    Format.ROUND_ROBIN: tiebreaks.ROUND_ROBIN_PRESET,
    Format.DOUBLE_ROUND_ROBIN: tiebreaks.ROUND_ROBIN_PRESET,
}
MOST_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Regulations:
    """Everything that is set before the start, except the players.

    `rounds` None leaves their number to the field. `rated` None means: rated where it can be.
    Empty `tiebreaks` mean the format's usual list.
    """

    name: str
    format: str = Format.SWISS
    rounds: int | None = None
    description: str = ""
    rules: str = "L:F"
    claims: str = "lose"
    control: str = "turn=60"
    rated: bool | None = None
    draws_allowed: bool = False
    grace_ms: int = 500
    no_show_s: int = 120
    over_the_board: bool = False
    tiebreaks: tuple[str, ...] = ()
    bye_half_points: int = 2
    late_half_points: int = 0
    swap_last_rounds: bool = False


def of(tournament: Tournament) -> Regulations:
    values = {field.name: getattr(tournament, field.name) for field in fields(Regulations)}
    return Regulations(**values | {"tiebreaks": tuple(tournament.tiebreaks)})


def checked(regulations: Regulations) -> dict[str, object]:
    """The values of the tournament's columns. Raises BadInput with the field that is wrong."""
    values = {field.name: getattr(regulations, field.name) for field in fields(Regulations)}
    values["name"] = _line("name", regulations.name, 80)
    values["description"] = _text("description", regulations.description, 4000)
    _check_format(regulations)
    _check_numbers(regulations)
    values["rated"] = _rated(regulations)
    values["tiebreaks"] = list(_tiebreaks(regulations))
    _check_terms(regulations, rated=bool(values["rated"]))
    return values


def terms(tournament: Tournament) -> Terms:
    """The terms of every game of the tournament."""
    return Terms(
        rules=tournament.rules,
        claims=tournament.claims,
        control=tournament.control,
        rated=tournament.rated,
        draws_allowed=tournament.draws_allowed,
        grace_ms=tournament.grace_ms,
        no_show_ms=tournament.no_show_s * 1000,
        tournament=True,
    )


def _check_terms(regulations: Regulations, *, rated: bool) -> None:
    try:
        check_terms(
            Terms(
                rules=regulations.rules,
                claims=regulations.claims,
                control=regulations.control,
                rated=rated,
                draws_allowed=regulations.draws_allowed,
                grace_ms=regulations.grace_ms,
                no_show_ms=regulations.no_show_s * 1000,
                tournament=True,
            )
        )
    except BadTerms as error:
        raise BadInput(str(error), field=error.field) from error


def _check_format(regulations: Regulations) -> None:
    if regulations.format in NOT_OFFERED:
        raise BadInput(NOT_OFFERED[regulations.format], field="format")
    if regulations.format not in Format.values:
        raise BadInput(_("There is no such format."), field="format")


def _check_numbers(regulations: Regulations) -> None:
    limits = {
        "rounds": (1, MOST_ROUNDS),
        "grace_ms": (0, 2000),
        "no_show_s": (10, 3600),
        "bye_half_points": (0, 2),
        "late_half_points": (0, 1),
    }
    for name, (least, most) in limits.items():
        value = getattr(regulations, name)
        if value is not None and not least <= value <= most:
            words = _("This must be from %(least)d to %(most)d.")
            raise BadInput(words % {"least": least, "most": most}, field=name)


def _rated(regulations: Regulations) -> bool:
    """Only live games are rated; with fewer than four attributes `check_terms` refuses."""
    if regulations.rated and regulations.over_the_board:
        raise BadInput(_("Games played over the board are not rated."), field="rated")
    if regulations.rated is not None:
        return regulations.rated
    return regulations.rules.endswith(":F") and not regulations.over_the_board


def _tiebreaks(regulations: Regulations) -> tuple[str, ...]:
    if not regulations.tiebreaks:
        return PRESETS[Format(regulations.format)]
    offered = tiebreaks.offered(round_robin=regulations.format != Format.SWISS)
    for code in regulations.tiebreaks:
        if code not in offered:
            words = _("%(code)s is no tie-break for this format. There are: %(offered)s.")
            raise BadInput(words % {"code": code, "offered": ", ".join(offered)}, field="tiebreaks")
    if len(set(regulations.tiebreaks)) < len(regulations.tiebreaks):
        raise BadInput(_("A tie-break is named twice."), field="tiebreaks")
    return regulations.tiebreaks


def _line(field: str, value: str, most: int) -> str:
    """One line of printable text, with single spaces."""
    value = " ".join(value.split())
    if not 1 <= len(value) <= most or not value.isprintable():
        words = _("This must have 1 to %(most)d printable characters.")
        raise BadInput(words % {"most": most}, field=field)
    return value


def _text(field: str, value: str, most: int) -> str:
    """Several lines of printable text."""
    value = value.replace("\r\n", "\n").strip()
    if len(value) > most or not all(line.isprintable() for line in value.replace("\t", " ").split("\n")):
        words = _("This must have at most %(most)d printable characters.")
        raise BadInput(words % {"most": most}, field=field)
    return value
