"""Every code of refusal in words for people."""

from django.utils.translation import gettext_lazy as _

REFUSALS = {
    "bad_request": _("The server did not understand this."),
    "not_a_player": _("You are not a player of this game."),
    "stale": _("The game has moved on."),
    "game_over": _("The game is over."),
    "paused": _("The game is paused."),
    "not_your_turn": _("It is not your turn."),
    "wrong_phase": _("That is not asked now."),
    "piece_taken": _("This piece is gone already."),
    "square_taken": _("This square is taken."),
    "no_window": _("There is nothing that you may call now."),
    "line_required": _("Point at the line."),
    "flag_not_down": _("There is time left."),
    "not_allowed": _("Draw offers are off in this game."),
    "rate_limited": _("Too fast: wait a moment."),
    "forbidden": _("This is not allowed."),
    "unavailable": _("The server cannot store this at the moment. Nothing is lost; try again."),
}
