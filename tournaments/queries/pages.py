"""What each page of a tournament shows, read at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from tournaments import policies
from tournaments.models import Board, Entry, Round, Staff, Tournament
from tournaments.policies import Actor
from tournaments.queries import rounds as round_queries
from tournaments.queries.field import field_of
from tournaments.queries.standings import Table, table, table_of
from tournaments.queries.tournaments import advice, find, organisers, visible

LISTED = 30


@dataclass(frozen=True, slots=True)
class Head:
    """What stands at the top of every page of a tournament.

    `entry` is the reader's own, `board` his board in the running round.
    """

    tournament: Tournament
    role: Staff.Role | None
    rounds: Sequence[Round]
    entry: Entry | None
    board: Board | None

    @property
    def is_staff(self) -> bool:
        return self.role is not None

    @property
    def is_organiser(self) -> bool:
        return self.role == Staff.Role.ORGANISER

    @property
    def shown_round(self) -> Round | None:
        """The last round that the reader may see."""
        return self.rounds[-1] if self.rounds else None

    @property
    def begun(self) -> int:
        return sum(round_.is_begun for round_ in self.rounds)

    @property
    def next_number(self) -> int:
        return self.begun + 1

    @property
    def is_away(self) -> bool:
        """Whether the reader has asked to miss the next round."""
        absences = self.entry.absences.all() if self.entry else ()
        return any(absence.round_number == self.next_number for absence in absences)

    @property
    def may_enter(self) -> bool:
        """Whether entries are open for somebody who is not in."""
        tournament = self.tournament
        if tournament.status == Tournament.Status.RUNNING:
            return tournament.is_swiss and self.begun < (tournament.rounds or 0)
        return tournament.status == Tournament.Status.PUBLISHED


def head(slug: str, actor: Actor) -> Head:
    """Raises NotFound."""
    tournament = find(slug, actor)
    role = policies.role_of(actor, tournament)
    rounds = _shown(tournament.round_set.order_by("number"), role)
    entry = None
    if actor.player_id is not None:
        entry = tournament.entries.filter(player_id=actor.player_id).first()
    return Head(tournament, role, rounds, entry, None if entry is None else _own_board(entry))


def _shown(rounds: Iterable[Round], role: Staff.Role | None) -> list[Round]:
    return [round_ for round_ in rounds if role is not None or round_.status != Round.Status.DRAFT]


def _own_board(entry: Entry) -> Board | None:
    boards = Board.objects.filter(Q(starter=entry) | Q(second=entry), round__status=Round.Status.RUNNING)
    return boards.select_related("game", "starter__player", "second__player", "round").first()


@dataclass(frozen=True, slots=True)
class Lists:
    """The tournaments by what one can do there: enter, watch, look up."""

    own_drafts: Sequence[Tournament]
    open: Sequence[Tournament]
    running: Sequence[Tournament]
    complete: Sequence[Tournament]


def lists(actor: Actor) -> Lists:
    found = {status: list(visible(actor, status)[:LISTED]) for status in Tournament.Status}
    return Lists(
        own_drafts=found[Tournament.Status.DRAFT],
        open=found[Tournament.Status.PUBLISHED],
        running=found[Tournament.Status.RUNNING],
        complete=found[Tournament.Status.COMPLETE],
    )


@dataclass(frozen=True, slots=True)
class Overview:
    head: Head
    entries: Sequence[Entry]
    staff: Sequence[Staff]
    round: Round | None
    table: Table | None
    advice: Sequence[str]


def overview(slug: str, actor: Actor) -> Overview:
    """The page that most people open: everything comes from one reading of the field."""
    tournament = find(slug, actor)
    staff, field = organisers(tournament), field_of(tournament)
    role = policies.strongest(actor, {one.role for one in staff if one.player_id == actor.player_id})
    rounds = _shown(field.rounds, role)
    public = [round_ for round_ in rounds if round_.status != Round.Status.DRAFT]
    shown = round_queries.with_boards(public[-1], field) if public else None
    entry = next((entry for entry in field.entries if entry.player_id == actor.player_id), None)
    return Overview(
        head=Head(tournament, role, rounds, entry, _board_of(entry, shown)),
        entries=sorted(field.entries, key=by_number),
        staff=staff,
        round=shown,
        table=table(field) if field.begun else None,
        advice=[] if role is None else advice(tournament, still_in(field.entries), begun=field.begun > 0),
    )


def _board_of(entry: Entry | None, round_: Round | None) -> Board | None:
    if entry is None or round_ is None or round_.status != Round.Status.RUNNING:
        return None
    seats = (board for board in round_.all_boards if entry.pk in (board.starter_id, board.second_id))
    return next(seats, None)


def by_number(entry: Entry) -> tuple[int, int, str]:
    """By start number; before there are any, by rating and name."""
    return (entry.number or 10**6, -entry.rating, entry.player.name)


def still_in(entries: Iterable[Entry]) -> int:
    return sum(not entry.is_withdrawn for entry in entries)


@dataclass(frozen=True, slots=True)
class RoundPage:
    head: Head
    round: Round
    waiting_for: Sequence[Board]


def round_page(slug: str, number: int, actor: Actor) -> RoundPage:
    """Raises NotFound."""
    top = head(slug, actor)
    round_ = round_queries.find_round(top.tournament, number, actor)
    return RoundPage(top, round_, round_queries.waiting_for(round_))


@dataclass(frozen=True, slots=True)
class StandingsPage:
    head: Head
    table: Table


def standings_page(slug: str, after: int | None, actor: Actor) -> StandingsPage:
    """Raises NotFound."""
    top = head(slug, actor)
    return StandingsPage(top, table_of(top.tournament, after))


@dataclass(frozen=True, slots=True)
class Wall:
    """The present round's boards, and the table beside them on the big screen."""

    head: Head
    round: Round | None
    table: Table | None

    @property
    def appear_by_ms(self) -> int | None:
        """When the first player who has not come to his board forfeits, as server time."""
        games = [board.game for board in self.round.all_boards if board.game] if self.round else []
        return min(
            (game.deadline_ms for game in games if game.status == "waiting" and game.deadline_ms),
            default=None,
        )


def boards_page(slug: str, actor: Actor) -> Wall:
    top = head(slug, actor)
    return Wall(top, round_queries.present_round(top.tournament), None)


def screen_page(slug: str, actor: Actor) -> Wall:
    top = head(slug, actor)
    return Wall(top, round_queries.present_round(top.tournament), table_of(top.tournament))
