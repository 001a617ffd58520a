"""A round's life: draft, published, running, complete. Each step is one idempotent transaction."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Status as GameStatus
from games.services.games import new_games, start_games
from tournaments import policies, regulations
from tournaments.errors import NotFound, TournamentError
from tournaments.models import Board, Entry, Participation, Round, Tournament
from tournaments.outcomes import board_outcome
from tournaments.policies import Actor
from tournaments.queries.field import field_of
from tournaments.services import desk, plans


class DraftOutdated(TournamentError):
    """Somebody who is paired has left or asked for a bye since."""

    code = "draft_outdated"

    def __init__(self, entries: Sequence[Entry]) -> None:
        words = _("The field has changed since this round was paired (%(names)s). Pair it again.")
        super().__init__(words % {"names": ", ".join(entry.player.name for entry in entries)})


class RoundBegun(TournamentError):
    code = "round_begun"
    message = _("This round has begun.")


def publish_pairings(*, actor: Actor, slug: str, number: int) -> Round:
    """Shows a draft to everybody before it starts; a second call changes nothing."""
    with transaction.atomic():
        tournament, round_ = _round(actor, slug, number)
        if round_.status == Round.Status.DRAFT:
            round_.status = Round.Status.PUBLISHED
            round_.save(update_fields=["status"])
            desk.log(tournament, actor, "pairings_published", round=number)
            _tell_round(tournament, round_)
    return round_


def discard_draft(*, actor: Actor, slug: str, number: int) -> None:
    """Drops a pairing that has not begun. Raises RoundBegun."""
    with transaction.atomic():
        tournament, round_ = _round(actor, slug, number)
        if round_.is_begun:
            raise RoundBegun
        round_.delete()
        desk.touch(tournament)
        desk.log(tournament, actor, "discarded", round=number)
        transaction.on_commit(partial(_tell, tournament.slug, number, "discarded"))


def start(*, actor: Actor, slug: str, number: int) -> Round:
    """Publishes the round and starts all its games; a second call changes nothing.

    Raises NotFound where it is not paired, DraftOutdated, and UnderMaintenance.
    """
    with transaction.atomic():
        tournament, round_ = _round(actor, slug, number)
        if round_.is_begun:
            return round_
        desk.refuse_under_maintenance()
        _check_draft(tournament, round_)
        _close_late_entries(tournament, round_)
        games = _start_games(tournament, round_)
        round_.status, round_.started_at = Round.Status.RUNNING, timezone.now()
        round_.save(update_fields=["status", "started_at"])
        tournament.status = Tournament.Status.RUNNING
        tournament.save(update_fields=["status", "rounds"])
        desk.touch(tournament)
        desk.log(tournament, actor, "started", round=number, games=games)
        _tell_round(tournament, round_)
        conclude_locked(tournament)
    round_.refresh_from_db()
    return round_


def _round(actor: Actor, slug: str, number: int) -> tuple[Tournament, Round]:
    tournament = desk.locked(slug, actor)
    policies.require_organiser(actor, tournament)
    round_ = tournament.round_set.filter(number=number).first()
    if round_ is None:
        raise NotFound(_("This round is not paired."))
    return tournament, round_


def _check_draft(tournament: Tournament, round_: Round) -> None:
    """Who entered since the pairing may wait for the next one; who left may not stay paired."""
    field = field_of(tournament)
    changed = [entry for entry in plans.outdated(field) if round_.number in field.records[entry.pk]]
    if changed:
        raise DraftOutdated(changed)
    tournament.rounds = plans.settled_rounds(field, round_.number)


def _close_late_entries(tournament: Tournament, round_: Round) -> None:
    late = tournament.entries.exclude(participations__round=round_)
    Participation.objects.bulk_create(
        Participation(round=round_, entry=entry, kind=Participation.Kind.NOT_ENTERED) for entry in late
    )
    late_ids = [entry.pk for entry in late]
    Entry.objects.filter(pk__in=late_ids).update(entered_round=round_.number + 1)


def _start_games(tournament: Tournament, round_: Round) -> int:
    """One game for each board that is played here: not over the table, nor with a guest, nor forfeited."""
    if tournament.over_the_board:
        return 0
    boards = [
        board
        for board in round_.boards.filter(result=None)
        .select_related("starter__player", "second__player")
        .order_by("number")
        if not (board.starter.player.is_guest or board.second.player.is_guest)
    ]
    games = new_games(
        ((board.starter.player, board.second.player, _event(tournament, round_, board)) for board in boards),
        regulations.terms(tournament),
    )
    start_games(games)
    for board, game in zip(boards, games, strict=True):
        board.game = game
    Board.objects.bulk_update(boards, ["game"], batch_size=200)
    return len(games)


def _event(tournament: Tournament, round_: Round, board: Board) -> dict[str, object]:
    return {"slug": tournament.slug, "name": tournament.name, "round": round_.number, "board": board.number}


def conclude(*, slug: str) -> None:
    """Notes what has ended: results of finished games, a complete round, a complete tournament.

    Changes nothing where nothing has ended.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(slug=slug).first()
        if tournament is not None:
            conclude_locked(tournament)


def conclude_locked(tournament: Tournament) -> None:
    """As `conclude`, inside the transaction that holds the tournament's lock."""
    round_ = tournament.round_set.filter(status=Round.Status.RUNNING).first()
    if round_ is not None:
        _record_missing(round_)
        if not round_.boards.filter(result=None).exists():
            round_.status = Round.Status.COMPLETE
            round_.save(update_fields=["status"])
            desk.touch(tournament)
            _tell_round(tournament, round_)
            tell_standings(tournament, round_.number)
    _finish(tournament)


def _record_missing(round_: Round) -> None:
    """Boards whose game is over and whose result was not noted at its end."""
    for board in round_.boards.filter(result=None, game__status=GameStatus.OVER).select_related("game"):
        assert board.game is not None
        board.result, board.reason = board_outcome(board.game)
        board.save(update_fields=["result", "reason"])


def _finish(tournament: Tournament) -> None:
    """The tournament is complete when its last round is."""
    rounds = list(tournament.round_set.values_list("status", flat=True))
    over = tournament.rounds is not None and len(rounds) >= tournament.rounds
    if over and set(rounds) == {Round.Status.COMPLETE} and tournament.status == Tournament.Status.RUNNING:
        tournament.status, tournament.finished_at = Tournament.Status.COMPLETE, timezone.now()
        tournament.save(update_fields=["status", "finished_at"])
        desk.touch(tournament)


def reopen_locked(tournament: Tournament, round_: Round) -> None:
    """A result was taken back: its round runs again, and with it the tournament."""
    if round_.status == Round.Status.COMPLETE:
        round_.status = Round.Status.RUNNING
        round_.save(update_fields=["status"])
        _tell_round(tournament, round_)
    if tournament.status == Tournament.Status.COMPLETE:
        tournament.status, tournament.finished_at = Tournament.Status.RUNNING, None
        tournament.save(update_fields=["status", "finished_at"])


def tell_standings(tournament: Tournament, after: int) -> None:
    transaction.on_commit(partial(desk.tell, tournament.slug, {"type": "standings", "after": after}))


def _tell_round(tournament: Tournament, round_: Round) -> None:
    transaction.on_commit(partial(_tell, tournament.slug, round_.number, str(round_.status)))


def _tell(slug: str, number: int, status: str) -> None:
    desk.tell(slug, {"type": "round", "round": number, "status": status})
