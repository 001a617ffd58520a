"""What a tournament's socket opens with."""

from typing import Any

from games.frames import board_frame
from games.rows import state_of
from tournaments.models import Tournament
from tournaments.policies import Actor
from tournaments.queries.rounds import boards_of, present_round
from tournaments.queries.tournaments import find


def opening_frames(slug: str, actor: Actor) -> list[dict[str, Any]]:
    """The present round, each of its live boards, and after which round there are standings.

    Raises NotFound, also for a draft that is not his to see.
    """
    tournament = find(slug, actor)
    round_ = present_round(tournament)
    frames: list[dict[str, Any]] = []
    if round_ is not None:
        frames.append({"type": "round", "round": round_.number, "status": round_.status})
        frames += [
            board_frame(board.game.pk, state_of(board.game), board.game.event or {})
            for board in boards_of(round_)
            if board.game is not None
        ]
    return [*frames, {"type": "standings", "after": _complete_rounds(tournament)}]


def _complete_rounds(tournament: Tournament) -> int:
    return tournament.round_set.filter(status="complete").count()
