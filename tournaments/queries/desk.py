"""What the pages of those who run a tournament show."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments import policies
from tournaments.errors import Forbidden
from tournaments.models import AuditEvent, Board, Entry, Participation, Round, Staff, Tournament
from tournaments.policies import Actor
from tournaments.queries import rounds as round_queries
from tournaments.queries.pages import Head, by_number, field_and_head, still_in, with_board
from tournaments.queries.tournaments import advice, entries_of, find, organisers

LOGGED = 50


@dataclass(frozen=True, slots=True)
class HandPage:
    """The next round for somebody who pairs it by hand: who is there, and the draft if there is one."""

    head: Head
    number: int
    present: Sequence[Entry]
    boards: Sequence[tuple[int, int]]
    bye: int | None


def hand_page(slug: str, actor: Actor) -> HandPage:
    """Raises NotFound, and Forbidden for those who do not organise the tournament."""
    field, top = field_and_head(slug, actor)
    if not top.is_organiser:
        raise Forbidden
    number = top.begun + 1
    present = [e for e in field.entries if not e.is_withdrawn and (e.pk, number) not in field.absences]
    draft = {
        entry.pk: record for entry in present if (record := field.records[entry.pk].get(number)) is not None
    }
    boards = {record.board.number: record.board for record in draft.values() if record.board is not None}
    byes = [pk for pk, record in draft.items() if record.kind == Participation.Kind.PAIRING_BYE]
    return HandPage(
        head=top,
        number=number,
        present=sorted(present, key=by_number),
        boards=[(boards[number].starter_id, boards[number].second_id) for number in sorted(boards)],
        bye=byes[0] if byes else None,
    )


@dataclass(frozen=True, slots=True)
class Desk:
    """The organiser's page: the round in hand with its boards, the field, the staff and the log."""

    head: Head
    round: Round | None
    waiting_for: Sequence[Board]
    entries: Sequence[Entry]
    staff: Sequence[Staff]
    log: Sequence[AuditEvent]
    advice: Sequence[str]

    @property
    def next_number(self) -> int:
        return self.head.next_number

    @property
    def is_draft(self) -> bool:
        """The round in hand is paired and has not begun."""
        return self.round is not None and not self.round.is_begun

    @property
    def may_pair(self) -> bool:
        tournament = self.head.tournament
        if tournament.status not in (Tournament.Status.PUBLISHED, Tournament.Status.RUNNING):
            return False
        if self.round is not None and self.round.status != Round.Status.COMPLETE:
            return False
        return tournament.rounds is None or self.head.begun < tournament.rounds

    @property
    def may_finish(self) -> bool:
        """Between two rounds, while more of them are planned."""
        return (
            self.head.begun > 0
            and self.head.tournament.status == Tournament.Status.RUNNING
            and not self.waiting_for
        )

    @property
    def playing(self) -> int:
        return still_in(self.entries)

    @property
    def has_games(self) -> bool:
        return any(board.game is not None for board in self.waiting_for)


def desk(slug: str, actor: Actor) -> Desk:
    """Raises NotFound, and Forbidden for those who do not run the tournament."""
    tournament = find(slug, actor)
    staff = organisers(tournament)
    role = policies.strongest(actor, {one.role for one in staff if one.player_id == actor.player_id})
    if role is None:
        raise Forbidden
    rounds, entries = list(tournament.round_set.order_by("number")), list(entries_of(tournament))
    own = next((entry for entry in entries if entry.player_id == actor.player_id), None)
    shown = round_queries.whole(rounds[-1]) if rounds else None
    top = with_board(Head(tournament, role, rounds, own, None), shown)
    log = AuditEvent.objects.filter(tournament=tournament).select_related("actor").order_by("-id")
    return Desk(
        head=top,
        round=shown,
        waiting_for=[] if shown is None else round_queries.waiting_for(shown),
        entries=entries,
        staff=staff,
        log=list(log[:LOGGED]),
        advice=advice(tournament, still_in(entries), begun=top.begun > 0),
    )
