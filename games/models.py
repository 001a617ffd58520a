"""Games and challenges. A game's row is the whole game: nothing about it lives in memory only."""

import secrets
import string

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player

ID_LETTERS = string.ascii_letters + string.digits


def new_id() -> str:
    """Eight random letters and digits: an address that cannot be guessed by counting."""
    return "".join(secrets.choice(ID_LETTERS) for _letter in range(8))


class Status(models.TextChoices):
    WAITING = "waiting", _("waiting for the first piece")
    LIVE = "live", _("in play")
    PAUSED = "paused", _("paused")
    OVER = "over", _("over")


class Termination(models.TextChoices):
    QUARTO_PLACER = "quarto-placer", _("Quarto, called by the player who placed")
    QUARTO_OPPONENT = "quarto-opponent", _("Quarto, called by the opponent")
    FALSE_CLAIM = "false-claim", _("false claim")
    TIME = "time", _("out of time")
    RESIGN = "resign", _("resignation")
    BOARD_FULL = "board-full", _("board full")
    AGREEMENT = "agreement", _("agreement")
    ADJUDICATION = "adjudication", _("adjudication")
    NO_SHOW = "no-show", _("did not appear")
    ABORTED = "aborted", _("not begun")


class Game(models.Model):
    """One game, with its record as the event log and its present state beside it.

    Written by the referee (and the services that create and pause) only. `seq` guards each write.
    Times are milliseconds since the epoch on the server's clock. `mark_ms`, `spent_ms` and the
    banks are the clock of `games.clock`; `deadline_ms` is derived from them, for the sweep.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_id, editable=False)
    seat1 = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_starter")
    seat2 = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="games_as_second")
    rules = models.CharField(max_length=4)
    claims = models.CharField(max_length=12)
    control = models.CharField(max_length=40)
    rated = models.BooleanField()
    draws_allowed = models.BooleanField(default=False)
    grace_ms = models.PositiveIntegerField(default=500)
    no_show_ms = models.PositiveIntegerField(default=60_000)
    lot = models.CharField(max_length=16, default="server")
    event = models.JSONField(null=True, default=None)
    seat1_rating = models.IntegerField(default=1500)
    seat2_rating = models.IntegerField(default=1500)
    seat1_provisional = models.BooleanField(default=True)
    seat2_provisional = models.BooleanField(default=True)
    created_ms = models.BigIntegerField()
    ended_ms = models.BigIntegerField(null=True, default=None)

    seq = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    position = models.CharField(max_length=40)
    record = models.TextField(default="", blank=True)
    offer = models.PositiveSmallIntegerField(null=True, default=None)
    false_claims1 = models.PositiveSmallIntegerField(default=0)
    false_claims2 = models.PositiveSmallIntegerField(default=0)
    acted1 = models.BooleanField(default=False)
    acted2 = models.BooleanField(default=False)
    last_action = models.CharField(max_length=60, default="", blank=True)

    mark_ms = models.BigIntegerField()
    spent_ms = models.BigIntegerField(default=0)
    bank1_ms = models.BigIntegerField(default=0)
    bank2_ms = models.BigIntegerField(default=0)
    paused_ms = models.BigIntegerField(null=True, default=None)
    pause_reason = models.CharField(max_length=200, default="", blank=True)
    deadline_ms = models.BigIntegerField(null=True, default=None)

    result = models.CharField(max_length=7, null=True, default=None)  # noqa: DJ001 - no result is not ""
    termination = models.CharField(max_length=16, choices=Termination, null=True, default=None)  # noqa: DJ001
    win_lines = models.CharField(max_length=120, default="", blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(seat1=models.F("seat2")), name="game_of_two_players"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status_known"),
            models.CheckConstraint(
                condition=Q(result__isnull=True) | Q(result__in=["1-0", "0-1", "1/2-1/2"]),
                name="game_result_known",
            ),
            models.CheckConstraint(
                condition=Q(status="over", termination__in=Termination.values, ended_ms__isnull=False)
                | Q(~Q(status="over"), termination__isnull=True, result__isnull=True, ended_ms__isnull=True),
                name="game_over_has_termination",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "live"], deadline_ms__isnull=False)
                | Q(status__in=["paused", "over"], deadline_ms__isnull=True),
                name="game_deadline_while_running",
            ),
            models.CheckConstraint(
                condition=Q(offer__isnull=True) | Q(offer__in=[1, 2]), name="game_offer_by_a_seat"
            ),
        ]
        indexes = [
            models.Index(
                fields=["deadline_ms"], name="game_deadlines", condition=Q(deadline_ms__isnull=False)
            ),
            # With the id, so that a page of a list is found in the index alone.
            models.Index(fields=["-created_ms", "id"], name="game_newest"),
            models.Index(fields=["status", "-created_ms", "id"], name="game_newest_by_status"),
            models.Index(fields=["seat1", "-created_ms"], name="game_of_starter"),
            models.Index(fields=["seat2", "-created_ms"], name="game_of_second"),
        ]

    def __str__(self) -> str:
        return self.id


class Challenge(models.Model):
    """An offer of a game: to one player, or a seek that anybody may accept."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        CANCELLED = "cancelled", _("cancelled")
        DECLINED = "declined", _("declined")

    id = models.CharField(primary_key=True, max_length=12, default=new_id, editable=False)
    challenger = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="challenges_sent")
    opponent = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="challenges_received"
    )
    rules = models.CharField(max_length=4)
    claims = models.CharField(max_length=12)
    control = models.CharField(max_length=40)
    rated = models.BooleanField()
    draws_allowed = models.BooleanField(default=False)
    rematch_of = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.CASCADE, related_name="rematches"
    )
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    game = models.OneToOneField(
        Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="challenge"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(opponent__isnull=True) | ~Q(opponent=models.F("challenger")),
                name="challenge_to_somebody_else",
            ),
            models.UniqueConstraint(
                fields=["rematch_of", "challenger"], condition=Q(state="open"), name="one_open_rematch_offer"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "opponent", "-created_at"], name="challenge_lists"),
        ]

    def __str__(self) -> str:
        return self.id


class Heartbeat(models.Model):
    """The one row that says when the games were last being judged."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    beat_ms = models.BigIntegerField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="one_heartbeat")]

    def __str__(self) -> str:
        return str(self.beat_ms)


class Maintenance(models.Model):
    """The one row that is there while the operator works on the site; everybody reads its `notice`."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    since_ms = models.BigIntegerField()
    notice = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="one_maintenance"),
            models.CheckConstraint(condition=~Q(notice=""), name="maintenance_has_a_notice"),
        ]

    def __str__(self) -> str:
        return self.notice


class HeldGame(models.Model):
    """A game that maintenance has paused, and nobody else: it goes on when maintenance is over."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="held")

    def __str__(self) -> str:
        return self.game_id
