"""What the scripts of the game page say, translated on the server.

Words in braces are filled in by the script. Every phrase is whole, so that each language may order it anew.
"""

from django.utils.translation import gettext as _

from games import pieces
from games.refusals import REFUSALS


def phrases() -> dict[str, object]:
    """The phrases by key, for `json_script`; `pieces` holds the sixteen names by piece number."""
    return {
        "pieces": [str(name) for name in pieces.NAMES],
        **_board(),
        **_asked(),
        **_claim(),
        **_actions(),
        **_log(),
        **_clock(),
        **_connection(),
        **_outcome(),
        **_commands(),
        "refusals": {code: str(words) for code, words in REFUSALS.items()},
    }


def _board() -> dict[str, str]:
    return {
        "board": _("Board"),
        "tray": _("Pieces left"),
        "square_empty": _("{square}, empty"),
        "square_piece": _("{square}, {piece}"),
        "piece_gone": _("{piece}: no longer in the tray"),
        "hand": _("Piece to place: {piece}"),
        "hand_none": _("No piece in hand"),
    }


def _asked() -> dict[str, str]:
    return {
        "ask_first": _("Choose the first piece for {name}"),
        "ask_give": _("Choose a piece for {name}"),
        "ask_give_or_call": _("Choose a piece for {name}, or call Quarto"),
        "ask_place": _("Place this piece"),
        "ask_place_or_call": _("Place this piece, or call Quarto first"),
        "ask_end": _("All pieces are placed: call Quarto, or pass"),
        "wait_give": _("{name} chooses a piece"),
        "wait_place": _("{name} places the piece"),
        "wait_end": _("All pieces are placed: {name} may still call Quarto"),
        "waiting_start": _("Waiting for {name} to choose the first piece"),
        "paused": _("The game is paused"),
        "paused_reason": _("The game is paused: {reason}"),
        "sending": _("Sending…"),
        "ask_claim_first": _("Point at the line: choose one end"),
        "ask_claim_second": _("Now choose the other end"),
        "ask_claim_confirm": _("Your line: {line}"),
    }


def _claim() -> dict[str, str]:
    return {
        "claim_confirm": _("Call Quarto on {line}"),
        "claim_back": _("Not now"),
        "cost_lose": _("If it is not a line of four alike, you lose the game."),
        "cost_void": _("If it is not a line of four alike, you may not call again on this move."),
        "cost_strikes": _(
            "If it is not a line of four alike, it counts as a false call: {used} of {limit} so far."
        ),
    }


def _actions() -> dict[str, str]:
    return {
        "place_confirm": _("Place it on {square}"),
        "give_confirm": _("Give this piece"),
        "undo": _("Undo"),
        "draw_offered": _("You have offered a draw"),
        "draw_asked": _("{name} offers a draw"),
    }


def _log() -> dict[str, str]:
    return {
        "log_give": _("{name} gives: {piece}"),
        "log_place": _("{name} places it on {square}"),
        "log_claim_right": _("{name} calls Quarto on {line}: right"),
        "log_claim_wrong": _("{name} calls Quarto on {line}: wrong"),
        "log_pass": _("{name} passes"),
        "log_resign": _("{name} resigns"),
        "log_time": _("{name} is out of time"),
        "log_offer": _("{name} offers a draw"),
        "log_decline": _("{name} declines the draw"),
        "log_agreed": _("Draw agreed"),
        "log_arbiter": _("Arbiter: {what}"),
        "log_outage": _("The server was away; time given back: {what}"),
    }


def _clock() -> dict[str, str]:
    return {
        "clock_bank": _("bank {time}"),
        "clock_begin": _("to begin"),
        "clock_paused": _("paused"),
        "clock_30": _("30 seconds left"),
        "clock_10": _("10 seconds left"),
        "clock_both": _("{name}: {time}. {other}: {other_time}."),
    }


def _connection() -> dict[str, str]:
    return {
        "net_online": _("Online"),
        "net_slow": _("Slow connection"),
        "net_reconnecting": _("Reconnecting…"),
        "net_offline": _("Offline"),
        "net_polling": _("Online, by slower means"),
        "net_closed": _("Not connected"),
        "net_4001": _("You are signed out: load the page again to play."),
        "net_4003": _("This game is not open to you."),
        "net_4004": _("There is no such game."),
        "net_4008": _("The connection was too slow and starts again."),
        "net_4012": _("The server is restarting. Your game is safe."),
        "net_4029": _("Too many messages: a short pause, then on again."),
        "watchers": _("Watching: {count}"),
        "present": _("{name} is here"),
        "absent": _("{name} is away"),
    }


def _outcome() -> dict[str, str]:
    return {
        "over_won": _("{name} wins"),
        "over_you_won": _("You win"),
        "over_you_lost": _("You lose: {name} wins"),
        "over_draw": _("A draw"),
        "over_aborted": _("The game did not take place"),
        "why_quarto-placer": _("Quarto: {winner} placed the piece and called it."),
        "why_quarto-opponent": _("Quarto: {loser} overlooked the line, {winner} called it."),
        "why_false-claim": _("{loser} called Quarto, and there was no such line."),
        "why_time": _("{loser} ran out of time."),
        "why_resign": _("{loser} resigned."),
        "why_board-full": _("All pieces are placed and nobody called Quarto."),
        "why_agreement": _("Agreed by both sides."),
        "why_adjudication": _("Decided by the arbiter."),
        "why_no-show": _("{loser} did not come."),
        "why_aborted": _("The first piece was never given."),
        "line_shared": _("{line}: {shared}"),
        "shared_1": _("all dark"),
        "shared_not_1": _("all light"),
        "shared_2": _("all tall"),
        "shared_not_2": _("all short"),
        "shared_4": _("all square"),
        "shared_not_4": _("all round"),
        "shared_8": _("all hollow"),
        "shared_not_8": _("all solid"),
        "replay_step": _("Move {step} of {total}"),
        "replay_start": _("The empty board"),
        "missed": _("Overlooked here: {lines}"),
        "rematch_offered": _("Rematch offered: waiting for {name}"),
        "failed": _("That did not work. Try again."),
    }


def _commands() -> dict[str, str]:
    return {
        "command_unknown": _(
            "Not understood. Try: b2, give 9, quarto a1-d1, pass, resign, board, last, clock."
        ),
        "command_not_now": _("Not now: it is not your turn for that."),
        "last_none": _("Nothing has happened yet."),
        "resign_twice": _("Type resign once more to resign the game."),
    }
