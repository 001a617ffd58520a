"""What every change to a tournament has in common: the lock, the version, the reason, the log."""

from typing import Any

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from games import errors, live
from games.queries.maintenance import present_notice
from tournaments import policies
from tournaments.errors import BadInput, NotFound, TournamentError
from tournaments.models import AuditEvent, Tournament
from tournaments.policies import Actor

REASON_LONGEST = 200


class ChangedMeanwhile(TournamentError):
    """Somebody else changed the tournament between our reading and our writing."""

    code = "changed"
    message = _("Somebody else has changed this tournament at the same moment. Look again, please.")


class UnderMaintenance(TournamentError):
    """The operator works on the site."""

    code, status, message = (
        errors.UnderMaintenance.code,
        errors.UnderMaintenance.status,
        errors.UnderMaintenance.message,
    )


def refuse_under_maintenance() -> None:
    """Raises UnderMaintenance while no clock may be started."""
    if present_notice() is not None:
        raise UnderMaintenance


def locked(slug: str, actor: Actor) -> Tournament:
    """The tournament's row, locked for the present transaction. Raises NotFound, also for a draft not his."""
    tournament = Tournament.objects.select_for_update().filter(slug=slug).first()
    if tournament is None or not policies.may_see(actor, tournament):
        raise NotFound
    return tournament


def touch(tournament: Tournament) -> None:
    """Raises the version: a pairing that was computed from what was there before is no longer stored."""
    guarded = Tournament.objects.filter(pk=tournament.pk, version=tournament.version)
    if guarded.update(version=F("version") + 1) != 1:
        raise ChangedMeanwhile
    tournament.version += 1


def checked_reason(reason: str) -> str:
    """An arbiter's reason as one line with single spaces; everybody at the board reads it. Raises BadInput."""
    reason = " ".join(reason.split())
    if len(reason) > REASON_LONGEST or not reason.isprintable():
        words = _("The reason must have at most %(most)d printable characters.")
        raise BadInput(words % {"most": REASON_LONGEST}, field="reason")
    return reason


def log(tournament: Tournament, actor: Actor, verb: str, **detail: Any) -> None:
    AuditEvent.objects.create(tournament=tournament, actor_id=actor.player_id, verb=verb, detail=detail)


def tell(slug: str, frame: dict[str, Any]) -> None:
    """Sends a whole fact to everybody who watches the tournament. Called after the commit."""
    live.publish(f"event:{slug}", frame)
