"""The base of what tournaments refuse; the errors themselves stand beside their raisers."""

from django.utils.translation import gettext_lazy as _


class TournamentError(Exception):
    """A refusal that people can cause: `code` for programs, `str()` in words, `status` for the web.

    `field` names the input that is wrong, where there is one.
    """

    code = "state"
    status = 409
    field: str | None = None
    message = _("This cannot be done now.")

    def __init__(self, message: object = None, *, field: str | None = None) -> None:
        super().__init__(message if message is not None else self.message)
        if field is not None:
            self.field = field

    def __str__(self) -> str:
        return str(self.args[0])


class NotFound(TournamentError):
    code = "not_found"
    status = 404
    message = _("There is nothing at this address.")


class Forbidden(TournamentError):
    code = "forbidden"
    status = 403
    message = _("Only the organisers of this tournament may do this.")


class BadInput(TournamentError):
    code = "bad_request"
    status = 400
