"""Rounds as programs and pages read them."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Prefetch, QuerySet, prefetch_related_objects

from tournaments import policies
from tournaments.errors import NotFound
from tournaments.models import Board, Entry, Participation, Round, Tournament
from tournaments.policies import Actor
from tournaments.queries.field import Field

WITHOUT_GAME = (
    Participation.Kind.PAIRING_BYE,
    Participation.Kind.HALF_BYE,
    Participation.Kind.ZERO_BYE,
    Participation.Kind.ABSENT,
)
"""Those of the field who are there and have no board. Who has left or is to come is not listed."""


def visible_rounds(tournament: Tournament, actor: Actor) -> list[Round]:
    """All rounds with boards and byes, by number; a draft only for those who run the tournament."""
    rounds = whole_rounds(tournament.round_set.order_by("number"))
    if any(round_.status == Round.Status.DRAFT for round_ in rounds) and not _is_staff(actor, tournament):
        return [round_ for round_ in rounds if round_.status != Round.Status.DRAFT]
    return rounds


def find_round(tournament: Tournament, number: int, actor: Actor) -> Round:
    """One round with its boards and byes. Raises NotFound, also for a draft that is not his to see."""
    rounds = whole_rounds(tournament.round_set.filter(number=number))
    if not rounds or (rounds[0].status == Round.Status.DRAFT and not _is_staff(actor, tournament)):
        raise NotFound
    return rounds[0]


def present_round(tournament: Tournament) -> Round | None:
    """The last round that everybody may see."""
    rounds = whole_rounds(tournament.round_set.exclude(status=Round.Status.DRAFT).order_by("-number")[:1])
    return rounds[0] if rounds else None


def whole(round_: Round) -> Round:
    """A round that was read already, with its boards and byes: two queries."""
    prefetch_related_objects([round_], *_parts())
    return round_


def with_boards(round_: Round, field: Field) -> Round:
    """A round of a field that was read already, with its boards and byes: one query."""
    round_.all_boards = list(_boards().filter(round=round_))
    round_.byes = [
        Participation(round=round_, entry=entry, kind=record.kind)
        for entry in field.entries
        if (record := field.records[entry.pk].get(round_.number)) is not None and record.kind in WITHOUT_GAME
    ]
    return round_


def _boards() -> QuerySet[Board]:
    return Board.objects.select_related("starter__player", "second__player", "game", "round").order_by(
        "number"
    )


def whole_rounds(rounds: Any) -> list[Round]:
    """Three queries for any number of rounds."""
    return list(rounds.prefetch_related(*_parts()))


def _parts() -> tuple[Prefetch, Prefetch]:
    byes = (
        Participation.objects.filter(kind__in=WITHOUT_GAME)
        .select_related("entry__player")
        .order_by("entry__number")
    )
    return (
        Prefetch("boards", _boards(), to_attr="all_boards"),
        Prefetch("participations", byes, to_attr="byes"),
    )


def _is_staff(actor: Actor, tournament: Tournament) -> bool:
    return policies.role_of(actor, tournament) is not None


def boards_of(round_: Round) -> Sequence[Board]:
    return round_.all_boards


def byes_of(round_: Round) -> Sequence[Participation]:
    return round_.byes


def waiting_for(round_: Round) -> list[Board]:
    """The boards without a result, once the round has begun."""
    return [board for board in boards_of(round_) if board.result is None] if round_.is_begun else []


def round_object(round_: Round) -> dict[str, Any]:
    return {
        "number": round_.number,
        "status": round_.status,
        "boards": [board_object(board) for board in boards_of(round_)],
        "byes": [{**seat_object(record.entry), "kind": record.kind} for record in byes_of(round_)],
        "waiting_for": [board.number for board in waiting_for(round_)],
    }


def board_object(board: Board) -> dict[str, Any]:
    return {
        "board": board.number,
        "starter": seat_object(board.starter),
        "second": seat_object(board.second),
        "game": board.game_id,
        "result": board.result,
        "reason": board.reason,
        "by_arbiter": board.by_arbiter,
    }


def seat_object(entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry.pk,
        "number": entry.number,
        "player": entry.player.username,
        "name": entry.player.name,
        "rating": entry.rating,
    }
