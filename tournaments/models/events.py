"""Clubs, tournaments, who plays in them and who runs them. Points are half points."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player

EDITION = "C.04.3 2026-02-01, C.05, C.07 2026-03-01"


class Club(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    about = models.TextField(max_length=2000, blank=True)

    def __str__(self) -> str:
        return self.name


class Format(models.TextChoices):
    SWISS = "swiss", _("Swiss")
    ROUND_ROBIN = "round_robin", _("round robin")
    DOUBLE_ROUND_ROBIN = "double_round_robin", _("double round robin")


class Tournament(models.Model):
    """One event. `version` rises with every change that could alter a pairing, and guards it.

    `rounds` is null until it is known: given by the organiser, or by the field at the first pairing.
    `first_seat` is the seat of the first-ranked player in round 1, drawn when that round is paired.
    `swap_last_rounds` exchanges the last two rounds of a double round robin's first cycle.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("open for entries")
        RUNNING = "running", _("running")
        COMPLETE = "complete", _("finished")

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    description = models.TextField(max_length=4000, blank=True)
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments"
    )
    format = models.CharField(max_length=20, choices=Format)
    rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    rules = models.CharField(max_length=4, default="L:F")
    claims = models.CharField(max_length=12, default="lose")
    control = models.CharField(max_length=40, default="turn=60")
    rated = models.BooleanField(default=True)
    draws_allowed = models.BooleanField(default=False)
    grace_ms = models.PositiveSmallIntegerField(default=500)
    no_show_s = models.PositiveSmallIntegerField(default=120)
    over_the_board = models.BooleanField(default=False)
    tiebreaks = models.JSONField(default=list)
    bye_half_points = models.PositiveSmallIntegerField(default=2)
    late_half_points = models.PositiveSmallIntegerField(default=0)
    swap_last_rounds = models.BooleanField(default=False)
    first_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    edition = models.CharField(max_length=80, default=EDITION)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(format__in=Format.values), name="tournament_format_offered"),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "published", "running", "complete"]),
                name="tournament_status_known",
            ),
            models.CheckConstraint(
                condition=Q(rounds__isnull=True) | Q(rounds__gte=1), name="tournament_has_rounds"
            ),
            models.CheckConstraint(
                condition=Q(first_seat__isnull=True) | Q(first_seat__in=[1, 2]),
                name="tournament_first_seat_known",
            ),
            models.CheckConstraint(
                condition=Q(bye_half_points__lte=2, late_half_points__lte=1),
                name="tournament_unplayed_points_bounded",
            ),
            models.CheckConstraint(condition=Q(grace_ms__lte=2000), name="tournament_grace_bounded"),
        ]
        indexes = [models.Index(fields=["status", "-created_at"], name="tournament_lists")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_swiss(self) -> bool:
        return self.format == Format.SWISS


class Entry(models.Model):
    """One player in one tournament.

    `number` is the start number, by rating and then name; null until the first pairing, fixed
    once round 4 is paired. `entered_round` is the first round he can play in, `withdrawn_after`
    the number of rounds begun when he left.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    rating = models.SmallIntegerField()
    entered_round = models.PositiveSmallIntegerField(default=1)
    withdrawn_after = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="one_entry_a_player"),
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.pk}"

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_after is not None


class Absence(models.Model):
    """A bye requested in advance for one round."""

    class Kind(models.TextChoices):
        HALF = "half", _("half-point bye")
        ZERO = "zero", _("no points")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="absences")
    round_number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=4, choices=Kind)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "round_number"], name="one_absence_a_round"),
            models.CheckConstraint(condition=Q(kind__in=["half", "zero"]), name="absence_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} r{self.round_number} {self.kind}"


class Staff(models.Model):
    """Who runs a tournament, or every tournament of a club."""

    class Role(models.TextChoices):
        ORGANISER = "organiser", _("organiser")
        ARBITER = "arbiter", _("arbiter")

    tournament = models.ForeignKey(
        Tournament, null=True, blank=True, on_delete=models.CASCADE, related_name="staff"
    )
    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.CASCADE, related_name="staff")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="staff_roles")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(tournament__isnull=True, club__isnull=False)
                | Q(tournament__isnull=False, club__isnull=True),
                name="staff_of_one_thing",
            ),
            models.CheckConstraint(condition=Q(role__in=["organiser", "arbiter"]), name="staff_role_known"),
            models.UniqueConstraint(fields=["tournament", "player"], name="one_role_a_tournament"),
            models.UniqueConstraint(fields=["club", "player"], name="one_role_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.role}"


class AuditEvent(models.Model):
    """Who did what to a tournament, and when."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="audit_events")
    actor = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    verb = models.CharField(max_length=40)
    detail = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["tournament", "-id"], name="audit_log")]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.verb}"
