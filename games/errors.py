"""What people can be told when something about a game cannot be done."""

from django.utils.translation import gettext_lazy as _


class GameError(Exception):
    """Refused; `code` is for programs, the message for people."""

    code = "refused"
    message = _("This cannot be done.")

    def __init__(self, message: object = None) -> None:
        super().__init__(message or self.message)

    def __str__(self) -> str:
        return str(self.args[0])


class NoSuchGame(GameError):
    code = "not_found"
    status = 404
    message = _("There is no such game.")


class Unavailable(GameError):
    code = "unavailable"
    status = 503
    message = _("The server cannot judge at the moment. Nothing is lost; please try again.")


class UnderMaintenance(GameError):
    code = "unavailable"
    status = 503
    message = _("The site is under maintenance: nothing can be started until it is over.")


class NotPossible(GameError):
    code = "wrong_phase"
    status = 409
    message = _("That is not possible in the game's present state.")
