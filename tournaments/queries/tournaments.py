"""Finding tournaments, and telling them as programs and pages read them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import policies
from tournaments.errors import NotFound
from tournaments.models import Entry, Staff, Tournament
from tournaments.pairing.swiss import Advice, check_rounds, most_rounds
from tournaments.policies import Actor
from tournaments.proposal import swiss_rounds
from tournaments.records import points_text

PLAYING = (
    Entry.objects.filter(tournament=OuterRef("pk"), withdrawn_after=None)
    .order_by()
    .values("tournament")
    .annotate(playing=Count("pk"))
    .values("playing")
)
"""Counted for the tournaments of a page alone; a join would count for all of them."""


def find(slug: str, actor: Actor) -> Tournament:
    """The tournament, as far as he may see it. Raises NotFound."""
    tournament = Tournament.objects.select_related("club").filter(slug=slug).first()
    if tournament is None or not policies.may_see(actor, tournament):
        raise NotFound
    return tournament


def visible(actor: Actor, status: str | None = None) -> QuerySet[Tournament]:
    """The newest first; drafts only for those who run them. `players` counts who has not withdrawn."""
    tournaments = Tournament.objects.select_related("club").order_by("-created_at", "-pk")
    if status is not None:
        tournaments = tournaments.filter(status=status)
    if not actor.everywhere:
        own = Staff.objects.filter(player_id=actor.player_id) if actor.player_id else Staff.objects.none()
        tournaments = tournaments.filter(
            ~Q(status=Tournament.Status.DRAFT)
            | Q(pk__in=own.exclude(tournament=None).values("tournament_id"))
            | Q(club__in=own.exclude(club=None).values("club_id"))
        )
    return tournaments.annotate(players=Coalesce(Subquery(PLAYING), 0))


def as_object(tournament: Tournament) -> dict[str, Any]:
    """The whole tournament but its entries and rounds. Queries only for what was not annotated."""
    players = getattr(tournament, "players", None)
    if players is None:
        players = tournament.entries.filter(withdrawn_after=None).count()
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "description": tournament.description,
        "club": None
        if tournament.club is None
        else {"slug": tournament.club.slug, "name": tournament.club.name},
        "status": tournament.status,
        "format": tournament.format,
        "rounds": tournament.rounds,
        "rules": tournament.rules,
        "claims": tournament.claims,
        "control": tournament.control,
        "rated": tournament.rated,
        "draws_allowed": tournament.draws_allowed,
        "grace_ms": tournament.grace_ms,
        "no_show_s": tournament.no_show_s,
        "over_the_board": tournament.over_the_board,
        "tiebreaks": tournament.tiebreaks,
        "bye_points": points_text(tournament.bye_half_points),
        "late_points": points_text(tournament.late_half_points),
        "swap_last_rounds": tournament.swap_last_rounds,
        "first_seat": tournament.first_seat,
        "edition": tournament.edition,
        "players": players,
        "created_at": tournament.created_at.isoformat(),
        "finished_at": None if tournament.finished_at is None else tournament.finished_at.isoformat(),
    }


def organisers(tournament: Tournament) -> list[Staff]:
    """Everybody who runs it, once, in his strongest role; the club's organisers included."""
    roles = Staff.objects.filter(Q(tournament=tournament) | Q(club_id=tournament.club_id, club__isnull=False))
    strongest: dict[int, Staff] = {}
    for staff in roles.select_related("player").order_by("-role", "player__name"):
        strongest.setdefault(staff.player_id, staff)
    return list(strongest.values())


def entry_object(entry: Entry, absences: Iterable[tuple[int, str]] | None = None) -> dict[str, Any]:
    """`absences` by round number and kind, where they are not to be read with the entry."""
    if absences is None:
        absences = [(absence.round_number, absence.kind) for absence in entry.absences.all()]
    return {
        "id": entry.pk,
        "number": entry.number,
        "player": entry.player.username,
        "name": entry.player.name,
        "rating": entry.rating,
        "guest": entry.player.is_guest,
        "status": "withdrawn" if entry.is_withdrawn else "active",
        "entered_round": entry.entered_round,
        "withdrawn_after": entry.withdrawn_after,
        "absences": [{"round": number, "kind": kind} for number, kind in absences],
    }


def entries_of(tournament: Tournament) -> QuerySet[Entry]:
    """By start number; before there are any, by rating and name."""
    return (
        tournament.entries.select_related("player")
        .prefetch_related("absences")
        .order_by("number", "-rating", "player__name", "pk")
    )


def advice(tournament: Tournament, players: int, *, begun: bool) -> list[str]:
    """What an organiser should know about the planned rounds before round 1, in words."""
    if not tournament.is_swiss or players < 2 or begun:
        return []
    rounds = tournament.rounds or swiss_rounds(players)
    values = {"players": players, "rounds": rounds, "most": most_rounds(players)}
    words = {
        Advice.IMPOSSIBLE: ngettext(
            "%(players)d players can play at most %(most)d round without meeting twice.",
            "%(players)d players can play at most %(most)d rounds without meeting twice.",
            values["most"],
        ),
        Advice.MORE_THAN_HALF: _(
            "%(rounds)d rounds are more than half of %(players)d players: late rounds may be hard to pair."
        ),
        Advice.ROUND_ROBIN: _("For up to eight players a round robin suits better than a Swiss."),
    }
    return [words[item] % values for item in check_rounds(players, rounds)]
