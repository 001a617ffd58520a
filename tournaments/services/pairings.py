"""Pairing the next round: read, think outside any transaction, store guarded by the tournament's version."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import policies
from tournaments.errors import BadInput, NotFound
from tournaments.models import BEGUN, Board, Entry, Participation, Round, Tournament
from tournaments.policies import Actor
from tournaments.queries.field import Field, field_of, start_numbers
from tournaments.services import desk, plans
from tournaments.services.plans import NothingToPair, Plan
from tournaments.services.rounds import conclude

Kind = Participation.Kind
Pairs = Sequence[tuple[int, int]]
ATTEMPTS = 3


def pair_next(*, actor: Actor, slug: str) -> tuple[Round, bool]:
    """Pairs the next round as a draft; returns it, and whether it was made now.

    A draft that still fits the field is returned unchanged; one that somebody left or joined since is
    made anew. Raises what `plans.next_round` does.
    """
    for _attempt in range(ATTEMPTS):
        field = _read(actor, slug)
        if field.draft is not None and not plans.outdated(field):
            return field.draft, False
        plan = plans.next_round(field)
        try:
            return _store(actor, field, plan, "paired"), True
        except desk.ChangedMeanwhile:
            continue
    raise desk.ChangedMeanwhile


def pair_by_hand(*, actor: Actor, slug: str, boards: Pairs, bye: int | None = None) -> Round:
    """Makes the next round's draft from the organiser's boards, (starter, second) by entry.

    Replaces a draft. Who is there and on no board is recorded as absent, but for the one `bye`. Two
    who have met may meet again: the organiser answers for it. Raises BadInput and NothingToPair.
    """
    field = _read(actor, slug)
    number = plans.next_number(field)
    away = plans.unavailable(field, number)
    _check_hand(field, boards, bye, away)
    seated = {entry_id for pair in boards for entry_id in pair}
    kinds: dict[int, str] = {
        entry.pk: away.get(entry.pk, Kind.ABSENT) for entry in field.entries if entry.pk not in seated
    }
    if bye is not None:
        kinds[bye] = Kind.PAIRING_BYE
    plan = Plan(
        number=number,
        numbers=start_numbers(field, for_round=number),
        ratings=plans.seeding(field),
        first_seat=field.tournament.first_seat,
        boards=tuple(boards),
        kinds=kinds,
        results={},
    )
    return _store(actor, field, plan, "paired_by_hand")


def _read(actor: Actor, slug: str) -> Field:
    """The field as it is, after a round of which only the end was not noted yet has been concluded."""
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None or not policies.may_see(actor, tournament):
        raise NotFound
    policies.require_organiser(actor, tournament)
    if tournament.round_set.filter(status=Round.Status.RUNNING).exists():
        conclude(slug=slug)
        tournament.refresh_from_db()
    return field_of(tournament)


def _check_hand(field: Field, boards: Pairs, bye: int | None, away: Mapping[int, str]) -> None:
    if not field.tournament.is_swiss:
        raise NothingToPair(_("A round robin is paired by its schedule."))
    seated = [entry_id for pair in boards for entry_id in pair] + ([] if bye is None else [bye])
    if not boards:
        raise BadInput(_("Name at least one board."), field="boards")
    if not set(seated) <= {entry.pk for entry in field.entries} - away.keys():
        raise BadInput(_("Somebody on these boards does not play in this round."), field="boards")
    if len(set(seated)) < len(seated):
        raise BadInput(_("Somebody is named twice."), field="boards")
    if bye is not None and _had_bye(field, bye):
        raise BadInput(_("This player has had a bye already."), field="bye")


def _had_bye(field: Field, entry_id: int) -> bool:
    records = field.records[entry_id].items()
    return any(record.kind == Kind.PAIRING_BYE for number, record in records if number <= field.begun)


def _store(actor: Actor, field: Field, plan: Plan, verb: str) -> Round:
    """One transaction: the draft replaces an older one. Raises ChangedMeanwhile."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=field.tournament.pk)
        if tournament.version != field.tournament.version:
            raise desk.ChangedMeanwhile
        tournament.round_set.exclude(status__in=BEGUN).delete()
        _number_entries(field, plan)
        if tournament.first_seat != plan.first_seat:
            tournament.first_seat = plan.first_seat
            tournament.save(update_fields=["first_seat"])
        round_ = Round.objects.create(tournament=tournament, number=plan.number)
        _insert_boards(round_, plan)
        desk.touch(tournament)
        desk.log(tournament, actor, verb, round=plan.number, boards=len(plan.boards))
    return round_


def _number_entries(field: Field, plan: Plan) -> None:
    """Numbers are unique at every moment: they are taken away before they are given anew."""
    changed = []
    for entry in field.entries:
        number, rating = plan.numbers[entry.pk], plan.ratings[entry.pk]
        if (entry.number, entry.rating) != (number, rating):
            entry.number, entry.rating = number, rating
            changed.append(entry)
    Entry.objects.filter(pk__in=[entry.pk for entry in changed]).update(number=None)
    Entry.objects.bulk_update(changed, ["number", "rating"], batch_size=200)


def _insert_boards(round_: Round, plan: Plan) -> None:
    boards = Board.objects.bulk_create(
        Board(
            round=round_,
            number=number,
            starter_id=pair[0],
            second_id=pair[1],
            result=plan.results.get(pair),
        )
        for number, pair in enumerate(plan.boards, 1)
    )
    records = [
        Participation(round=round_, entry_id=entry_id, kind=Kind.PAIRED, board=board, seat=seat)
        for board in boards
        for seat, entry_id in ((1, board.starter_id), (2, board.second_id))
    ]
    records += [Participation(round=round_, entry_id=entry, kind=kind) for entry, kind in plan.kinds.items()]
    Participation.objects.bulk_create(records)
