"""How the user of a session is read."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User


class Accounts(ModelBackend):
    """Django's own, but a user comes together with his player, whom nearly every page asks for."""

    def get_user(self, user_id: int) -> User | None:
        user = User.objects.select_related("player").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None
