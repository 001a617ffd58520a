"""Whether the operator works on the site, and how far holding the games has come."""

from dataclasses import dataclass

from games.models import Game, Heartbeat, HeldGame, Maintenance
from games.servertime import now_ms

JUDGED_WITHIN_MS = 5_000


@dataclass(frozen=True, slots=True)
class Upkeep:
    """`notice` and `since_ms` are None without maintenance; `running` games have a running clock, `held`
    ones were paused by maintenance; `is_judged` where some process judges at this moment."""

    notice: str | None
    since_ms: int | None
    running: int
    held: int
    is_judged: bool

    @property
    def is_settled(self) -> bool:
        """Whether all games are as the maintenance, or its end, wants them."""
        return not (self.held if self.notice is None else self.running)


def present_notice() -> str | None:
    """The notice of the present maintenance, None where there is none."""
    return Maintenance.objects.values_list("notice", flat=True).first()


def upkeep() -> Upkeep:
    row = Maintenance.objects.first()
    beat_ms = Heartbeat.objects.values_list("beat_ms", flat=True).first()
    return Upkeep(
        notice=None if row is None else row.notice,
        since_ms=None if row is None else row.since_ms,
        running=Game.objects.filter(deadline_ms__isnull=False).count(),
        held=HeldGame.objects.count(),
        is_judged=beat_ms is not None and now_ms() - beat_ms < JUDGED_WITHIN_MS,
    )
