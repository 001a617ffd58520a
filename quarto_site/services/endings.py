"""Access that ends: a sign-out, a new password, a revoked token, a ban.

The sockets that stand on it are closed with 4001, those of this process at once and those of others
as soon as they hear. Whoever does not hear (the channel layer is away; a command of the site has no
sockets to speak through) finds the row within a second.
"""

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models.functions import Now

from games.live import close
from games.sockets import SIGNED_OUT
from quarto_site.models import EndedAccess

KEPT_FOR = timedelta(hours=1)


def end_access(room: str) -> None:
    """Closes what stands on `room` (`session:...`, `token:...` or `user:...`) once this is committed."""
    EndedAccess.objects.filter(at__lt=Now() - KEPT_FOR).delete()
    EndedAccess.objects.create(room=room)
    transaction.on_commit(partial(close, room, SIGNED_OUT))
