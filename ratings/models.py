"""Who sits at a board, how strong he is in each pool, and every change of it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Player(models.Model):
    """Somebody who plays: a user's player, or a guest's without an account.

    `name_key` is the name without case and with look-alike letters folded, so that nobody can
    take a name that reads like another's.
    """

    username = models.CharField(max_length=32, unique=True)
    name = models.CharField(max_length=64)
    # Null for guests, so that uniqueness holds for accounts alone.
    name_key = models.CharField(max_length=128, unique=True, null=True)  # noqa: DJ001
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="player"
    )
    joined_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    @property
    def is_guest(self) -> bool:
        return self.name_key is None


class Pool(models.TextChoices):
    """A rating pool is a line set with all four attributes."""

    L = "L", _("lines")
    LS = "LS", _("lines and squares")
    OS = "OS", _("rows, columns and squares")


class Rating(models.Model):
    """A player's rating in one pool; absent until his first rated game there."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    pool = models.CharField(max_length=2, choices=Pool)
    rating = models.DecimalField(max_digits=6, decimal_places=2)
    games = models.PositiveIntegerField(default=0)
    reached_2400 = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "pool"], name="one_rating_a_pool"),
            models.CheckConstraint(condition=models.Q(pool__in=["L", "LS", "OS"]), name="rating_pool_known"),
        ]
        indexes = [models.Index(fields=["pool", "-rating"], name="rating_list")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.pool} {self.rating}"


class RatingChange(models.Model):
    """What one game did to one player's rating; written in the transaction that ended the game."""

    game_id = models.CharField(max_length=12)
    pool = models.CharField(max_length=2, choices=Pool)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rating_changes")
    opponent = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    half_points = models.PositiveSmallIntegerField()
    before = models.DecimalField(max_digits=6, decimal_places=2)
    opponent_before = models.DecimalField(max_digits=6, decimal_places=2)
    expected = models.DecimalField(max_digits=6, decimal_places=5)
    k = models.PositiveSmallIntegerField()
    change = models.DecimalField(max_digits=5, decimal_places=2)
    rated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game_id", "player"], name="one_rating_change_a_game"),
            models.CheckConstraint(condition=models.Q(half_points__lte=2), name="rating_change_score_known"),
        ]
        indexes = [models.Index(fields=["player", "pool", "id"], name="rating_history")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.player_id} {self.change}"
