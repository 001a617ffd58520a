"""The beginning and the end of maintenance. What follows from it, the referees do (`games.maintenance`)."""

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.errors import GameError, UnderMaintenance
from games.models import Maintenance
from games.queries.maintenance import present_notice
from games.servertime import now_ms

NOTICE_LONGEST = 200


class BadNotice(GameError):
    code = "bad_request"
    status = 400
    message = gettext_lazy("The notice must have at most 200 printable characters.")


def begin(*, notice: str = "") -> bool:
    """There is maintenance from now on, or it has another notice; whether it is new. Raises BadNotice."""
    notice = " ".join(notice.split()) or _(
        "Maintenance: all games are paused. They go on soon, with the time they had."
    )
    if len(notice) > NOTICE_LONGEST or not notice.isprintable():
        raise BadNotice
    with transaction.atomic():
        _row, is_new = Maintenance.objects.update_or_create(
            pk=1, defaults={"notice": notice}, create_defaults={"notice": notice, "since_ms": now_ms()}
        )
    return is_new


def end() -> bool:
    """Maintenance is over; whether there was any."""
    deleted, _by_model = Maintenance.objects.all().delete()
    return bool(deleted)


def refuse_under_maintenance() -> None:
    """Raises UnderMaintenance while nothing may be started."""
    if present_notice() is not None:
        raise UnderMaintenance
