"""Who may not come in, whose access has ended, and how often it was tried."""

from django.contrib.auth.models import User
from django.db import models
from django.db.models.functions import Now


class Ban(models.Model):
    """An account that is closed to its owner; `by` is null where it was done on the command line."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="ban")
    reason = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.user_id} banned"


class EndedAccess(models.Model):
    """Whose sockets are to be looked at again: the room of a session, a token or a user.

    Each process that serves the site reads the latest of these rows every second. Old ones are swept.
    """

    room = models.CharField(max_length=80)
    at = models.DateTimeField(db_default=Now(), db_index=True)

    def __str__(self) -> str:
        return self.room.partition(":")[0]


class Tries(models.Model):
    """A bucket of tries: `paid_back_ms` is the moment at which all that was taken from it is back.

    `bucket` is a keyed hash; whose it is cannot be read here.
    """

    bucket = models.CharField(max_length=64, primary_key=True)
    paid_back_ms = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return self.bucket[:8]
