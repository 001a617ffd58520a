"""What a finished game means for its board."""

from games.models import Game, Termination
from tournaments.models import Result

FORFEITS = {"1-0": Result.SECOND_FORFEITED, "0-1": Result.STARTER_FORFEITED}


def board_outcome(game: Game) -> tuple[str, str]:
    """The board's result and its reason: a no-show is a forfeit. A game without a result is nobody's point.

    Tournament games are never aborted; one that an arbiter ended without a result counts for neither.
    """
    reason = str(game.termination)
    if game.result is None:
        return Result.BOTH_FORFEITED, reason
    if game.termination == Termination.NO_SHOW:
        return FORFEITS[game.result], reason
    return Result(game.result), reason
