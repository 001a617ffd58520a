"""Results of boards: from a finished game, or from the arbiter.

A correction changes the board and counts from the next pairing on; rounds that were paired stay as
they are. The game and the ratings keep what was played.
"""

from contextlib import suppress

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.models import Status as GameStatus
from games.rules import IllegalAction
from games.services.games import adjudicate
from tournaments import policies
from tournaments.errors import BadInput, NotFound, TournamentError
from tournaments.models import Board, Result, Tournament
from tournaments.outcomes import board_outcome
from tournaments.policies import Actor
from tournaments.services import desk
from tournaments.services.rounds import conclude_locked, reopen_locked, tell_standings

CLEAR = "*"
GAME_RESULTS = {
    Result.SECOND_FORFEITED: "1-0",
    Result.STARTER_FORFEITED: "0-1",
    Result.BOTH_FORFEITED: "1/2-1/2",
}
"""How a running game ends whose board is forfeited; the board's result is what counts."""


class ResultStands(TournamentError):
    code = "result_stands"


class RoundNotBegun(TournamentError):
    code = "round_not_begun"
    message = _("This round has not begun.")


def record(game: Game) -> None:
    """Writes a finished game's result to its board, and nothing else; an arbiter's result stays."""
    result, reason = board_outcome(game)
    Board.objects.filter(game=game, result=None).update(result=result, reason=reason)


def enter_result(
    *, actor: Actor, slug: str, round_number: int, board_number: int, result: str, reason: str = ""
) -> Board:
    """Enters, corrects or (`*`) takes back a board's result, as organiser or arbiter.

    A game that is running is adjudicated. `*` on a board with a finished game restores the game's
    own result; on any other board it is refused once a later round is paired. Entering what stands
    already changes nothing. Raises BadInput, NotFound, RoundNotBegun and ResultStands.
    """
    if result != CLEAR and result not in Result.values:
        raise BadInput(_("The result must be 1-0, 0-1, 1/2-1/2, 1-0F, 0-1F, 0-0F or *."), field="result")
    reason = desk.checked_reason(reason)
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        policies.require_staff(actor, tournament)
        board = _begun_board(tournament, round_number, board_number)
        before = board.result
        wanted = None if result == CLEAR else result
        if board.result == wanted and (wanted is None or board.reason == reason):
            return board
        if wanted is None:
            _clear(tournament, board)
        else:
            _set(board, Result(wanted), reason)
        desk.touch(tournament)
        desk.log(
            tournament, actor, "result", round=round_number, board=board_number,
            before=before, result=board.result, reason=reason,
        )  # fmt: skip
        conclude_locked(tournament)
        tell_standings(tournament, round_number)
    return board


def _begun_board(tournament: Tournament, round_number: int, board_number: int) -> Board:
    board = (
        Board.objects.select_related("round", "game", "starter__player", "second__player")
        .filter(round__tournament=tournament, round__number=round_number, number=board_number)
        .first()
    )
    if board is None:
        raise NotFound(_("There is no such board."))
    if not board.round.is_begun:
        raise RoundNotBegun
    return board


def _set(board: Board, result: Result, reason: str) -> None:
    if board.game is not None and board.game.status != GameStatus.OVER:
        # A game that ends by itself at this moment keeps its own end: then this is a correction.
        with suppress(IllegalAction):
            adjudicate(game_id=board.game.pk, result=GAME_RESULTS.get(result, str(result)))
    board.result, board.reason, board.by_arbiter = result, reason, True
    board.save(update_fields=["result", "reason", "by_arbiter"])


def _clear(tournament: Tournament, board: Board) -> None:
    if board.game is not None and board.game.status == GameStatus.OVER:
        board.result, board.reason = board_outcome(board.game)
    elif tournament.round_set.filter(number__gt=board.round.number).exists():
        raise ResultStands(_("A later round is paired: this result can be corrected, not taken back."))
    else:
        board.result, board.reason = None, ""
    board.by_arbiter = False
    board.save(update_fields=["result", "reason", "by_arbiter"])
    if board.result is None:
        reopen_locked(tournament, board.round)
