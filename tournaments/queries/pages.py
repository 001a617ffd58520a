"""What each page of a tournament shows, read at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from tournaments import policies
from tournaments.errors import NotFound
from tournaments.models import Board, Entry, Round, Staff, Tournament
from tournaments.policies import Actor
from tournaments.queries import rounds as round_queries
from tournaments.queries.field import Field, field_of
from tournaments.queries.standings import Table, table
from tournaments.queries.tournaments import advice, find, organisers, visible

LISTED = 30


@dataclass(frozen=True, slots=True)
class Head:
    """What stands at the top of every page of a tournament.

    `entry` is the reader's own, `board` his board in the running round, `away` the rounds that he has
    asked to miss (where the page says so).
    """

    tournament: Tournament
    role: Staff.Role | None
    rounds: Sequence[Round]
    entry: Entry | None
    board: Board | None
    away: frozenset[int] = frozenset()

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
        return self.next_number in self.away

    @property
    def may_enter(self) -> bool:
        """Whether entries are open for somebody who is not in."""
        tournament = self.tournament
        if tournament.status == Tournament.Status.RUNNING:
            return tournament.is_swiss and self.begun < (tournament.rounds or 0)
        return tournament.status == Tournament.Status.PUBLISHED


def head(slug: str, actor: Actor) -> Head:
    """Of a page that does not need the whole field; the reader's board is found with `with_board`.
    Raises NotFound."""
    tournament = find(slug, actor)
    role = policies.role_of(actor, tournament)
    rounds = _shown(tournament.round_set.order_by("number"), role)
    entry = None
    if actor.player_id is not None:
        entry = tournament.entries.filter(player_id=actor.player_id).first()
    return Head(tournament, role, rounds, entry, None)


def with_board(top: Head, shown: Round | None) -> Head:
    """The head with the reader's own board, which is looked up where the round shown is not the running one."""
    running = next((round_ for round_ in top.rounds if round_.status == Round.Status.RUNNING), None)
    if top.entry is None or running is None:
        return top
    board = _seat_of(top.entry, shown) if shown == running else _own_board(top.entry, running)
    return replace(top, board=board)


def head_of(field: Field, role: Staff.Role | None, actor: Actor) -> Head:
    """From a field that was read already: no query."""
    entry = next((entry for entry in field.entries if entry.player_id == actor.player_id), None)
    if entry is None:
        return Head(field.tournament, role, _shown(field.rounds, role), None, None)
    away = frozenset(number for entry_id, number in field.absences if entry_id == entry.pk)
    return Head(field.tournament, role, _shown(field.rounds, role), entry, _board_in(field, entry), away)


def _shown(rounds: Iterable[Round], role: Staff.Role | None) -> list[Round]:
    return [round_ for round_ in rounds if role is not None or round_.status != Round.Status.DRAFT]


def _own_board(entry: Entry, running: Round) -> Board | None:
    boards = Board.objects.filter(Q(starter=entry) | Q(second=entry), round=running)
    return boards.select_related("starter__player", "second__player", "round").first()


def _seat_of(entry: Entry, round_: Round | None) -> Board | None:
    boards = round_.all_boards if round_ is not None else ()
    return next((board for board in boards if entry.pk in (board.starter_id, board.second_id)), None)


def _board_in(field: Field, entry: Entry) -> Board | None:
    """His board in the running round, from what is stored of it."""
    running = next((round_ for round_ in field.rounds if round_.status == Round.Status.RUNNING), None)
    record = field.records[entry.pk].get(running.number) if running is not None else None
    if record is None or record.board is None:
        return None
    by_id = {one.pk: one for one in field.entries}
    stored = record.board
    return Board(
        pk=stored.pk,
        round=running,
        number=stored.number,
        starter=by_id[stored.starter_id],
        second=by_id[stored.second_id],
        game_id=stored.game_id,
        result=stored.result,
    )


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
    return Overview(
        head=head_of(field, role, actor),
        entries=sorted(field.entries, key=by_number),
        staff=staff,
        round=_present_round(field),
        table=table(field) if field.begun else None,
        advice=[] if role is None else advice(tournament, still_in(field.entries), begun=field.begun > 0),
    )


def _present_round(field: Field) -> Round | None:
    """The last round that everybody may see, with its boards and byes."""
    public = [round_ for round_ in field.rounds if round_.status != Round.Status.DRAFT]
    return round_queries.with_boards(public[-1], field) if public else None


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
    shown = next((round_ for round_ in top.rounds if round_.number == number), None)
    if shown is None:
        raise NotFound
    round_queries.whole(shown)
    return RoundPage(with_board(top, shown), shown, round_queries.waiting_for(shown))


@dataclass(frozen=True, slots=True)
class StandingsPage:
    head: Head
    table: Table


def standings_page(slug: str, after: int | None, actor: Actor) -> StandingsPage:
    """Raises NotFound."""
    field, top = field_and_head(slug, actor)
    return StandingsPage(top, table(field, after))


def field_and_head(slug: str, actor: Actor) -> tuple[Field, Head]:
    tournament = find(slug, actor)
    role, field = policies.role_of(actor, tournament), field_of(tournament)
    return field, head_of(field, role, actor)


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
    """Raises NotFound."""
    top = head(slug, actor)
    public = [round_ for round_ in top.rounds if round_.status != Round.Status.DRAFT]
    shown = round_queries.whole(public[-1]) if public else None
    return Wall(with_board(top, shown), shown, None)


def screen_page(slug: str, actor: Actor) -> Wall:
    """Raises NotFound."""
    field, top = field_and_head(slug, actor)
    return Wall(top, _present_round(field), table(field))
