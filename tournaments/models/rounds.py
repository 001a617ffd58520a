"""Rounds, their boards, and what every entry did in each of them.

Every entry has exactly one `Participation` in every round that has begun: that is the closed
record from which standings, exports and the next pairing are computed.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models import Game
from tournaments.models.events import Entry, Tournament


class Round(models.Model):
    """`all_boards` and `byes` are there where `queries.rounds` has read them."""

    all_boards: "list[Board]"
    byes: "list[Participation]"

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("pairings published")
        RUNNING = "running", _("running")
        COMPLETE = "complete", _("complete")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="round_set")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_round_a_number"),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "published", "running", "complete"]),
                name="round_status_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} r{self.number}"

    @property
    def is_begun(self) -> bool:
        return self.status in BEGUN


BEGUN = (Round.Status.RUNNING, Round.Status.COMPLETE)


class Result(models.TextChoices):
    """From the starter's side; an F marks a forfeit."""

    STARTER_WON = "1-0", _("1–0")
    SECOND_WON = "0-1", _("0–1")
    DRAW = "1/2-1/2", _("½-½")
    SECOND_FORFEITED = "1-0F", _("1–0 by forfeit")
    STARTER_FORFEITED = "0-1F", _("0–1 by forfeit")
    BOTH_FORFEITED = "0-0F", _("0–0, both forfeited")

    @property
    def half_points(self) -> tuple[int, int]:
        return HALF_POINTS[self]

    @property
    def is_forfeit(self) -> bool:
        return self.value.endswith("F")


HALF_POINTS = {
    Result.STARTER_WON: (2, 0),
    Result.SECOND_WON: (0, 2),
    Result.DRAW: (1, 1),
    Result.SECOND_FORFEITED: (2, 0),
    Result.STARTER_FORFEITED: (0, 2),
    Result.BOTH_FORFEITED: (0, 0),
}


class Board(models.Model):
    """One pairing of a round. `game` is null where it is played over the table.

    `by_arbiter` marks a result that was entered; any other follows from the game, or from an absence.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="boards")
    number = models.PositiveSmallIntegerField()
    starter = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="boards_as_starter")
    second = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="boards_as_second")
    game = models.OneToOneField(Game, null=True, blank=True, on_delete=models.PROTECT, related_name="board")
    result = models.CharField(max_length=7, choices=Result, null=True, blank=True)  # noqa: DJ001 - open is not ""
    reason = models.CharField(max_length=200, blank=True)
    by_arbiter = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_board_a_number"),
            models.UniqueConstraint(fields=["round", "starter"], name="one_board_a_starter"),
            models.UniqueConstraint(fields=["round", "second"], name="one_board_a_second"),
            models.CheckConstraint(condition=~Q(starter=F("second")), name="board_of_two_players"),
            models.CheckConstraint(
                condition=Q(result__isnull=True) | Q(result__in=Result.values), name="board_result_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} b{self.number}"


class Participation(models.Model):
    """What one entry did in one round: the closed set of records.

    `zero_bye` stands for a requested bye without points and for the rest of an odd round robin.
    """

    class Kind(models.TextChoices):
        PAIRED = "paired", _("paired")
        PAIRING_BYE = "pairing_bye", _("bye")
        HALF_BYE = "half_bye", _("half-point bye")
        ZERO_BYE = "zero_bye", _("no game, no points")
        ABSENT = "absent", _("absent")
        NOT_ENTERED = "not_entered", _("not yet entered")
        WITHDRAWN = "withdrawn", _("withdrawn")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="participations")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="participations")
    kind = models.CharField(max_length=12, choices=Kind)
    board = models.ForeignKey(Board, null=True, blank=True, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="one_record_a_round"),
            models.UniqueConstraint(
                fields=["entry"], condition=Q(kind="pairing_bye"), name="one_pairing_bye_an_entry"
            ),
            models.UniqueConstraint(fields=["board", "seat"], name="one_entry_a_seat"),
            models.CheckConstraint(
                condition=Q(kind="paired", board__isnull=False, seat__in=[1, 2])
                | Q(
                    kind__in=[
                        "pairing_bye",
                        "half_bye",
                        "zero_bye",
                        "absent",
                        "not_entered",
                        "withdrawn",
                    ],
                    board__isnull=True,
                    seat__isnull=True,
                ),
                name="paired_has_board_and_seat",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.entry_id} {self.kind}"
