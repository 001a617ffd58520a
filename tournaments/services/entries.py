"""Who plays: entering, leaving, and being away for a round.

Nobody is paired here and nobody is taken out of a pairing: who is there is asked when a round is
paired, and again when it starts.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from ratings.models import Player
from ratings.queries import ratings_of
from ratings.services import BadGuestName, guest_player
from tournaments import policies
from tournaments.errors import BadInput, Forbidden, NotFound, TournamentError
from tournaments.models import BEGUN, Absence, Entry, Participation, Round, Tournament
from tournaments.pairing.swiss import LARGEST_FIELD
from tournaments.policies import Actor
from tournaments.regulations import MOST_ROUNDS
from tournaments.services import desk
from tournaments.services.rounds import tell_standings

LARGEST_ROUND_ROBIN = 100


class AlreadyEntered(TournamentError):
    code = "already_entered"
    message = _("This player has entered already.")


class EntriesClosed(TournamentError):
    code = "entries_closed"


class AlreadyWithdrawn(TournamentError):
    code = "already_withdrawn"
    message = _("This player has withdrawn already.")


def enter(*, actor: Actor, slug: str) -> Entry:
    """Enters the player himself; one who withdrew comes back. Raises AlreadyEntered, EntriesClosed."""
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        if actor.player_id is None:
            raise Forbidden(_("Only somebody with a player's account can enter."))
        if tournament.status == Tournament.Status.DRAFT:
            raise EntriesClosed(_("This tournament is not open for entries yet."))
        entry = _add(tournament, [Player.objects.get(pk=actor.player_id)])[0]
        desk.touch(tournament)
        desk.log(tournament, actor, "entered", entry=entry.pk, name=entry.player.name)
        _tell(tournament)
    return entry


def add(*, actor: Actor, slug: str, username: str | None = None, name: str | None = None) -> Entry:
    """As organiser, enters the player `username`, or a guest without an account called `name`.

    Into a draft as well, which others cannot enter.
    """
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        policies.require_organiser(actor, tournament)
        player = _guest(name or "", "name") if username is None else _account(username)
        entry = _add(tournament, [player])[0]
        desk.touch(tournament)
        desk.log(tournament, actor, "added", entry=entry.pk, name=player.name)
        _tell(tournament)
    return entry


def add_list(*, actor: Actor, slug: str, names: str) -> list[Entry]:
    """Enters several at once, a line each: a user name enters that player, any other name a guest.

    All or nothing; BadInput names the line that is wrong.
    """
    lines = [(number, line.strip()) for number, line in enumerate(names.splitlines(), 1) if line.strip()]
    if not lines:
        raise BadInput(_("Write one name a line."), field="names")
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        policies.require_organiser(actor, tournament)
        entries = []
        for number, line in lines:
            try:
                account = Player.objects.filter(username__iexact=line, user__isnull=False).first()
                entries += _add(tournament, [account or _guest(line, "names")])
            except TournamentError as error:
                words = _("Line %(number)d (%(name)s): %(reason)s")
                values = {"number": number, "name": line[:80], "reason": error}
                raise BadInput(words % values, field="names") from error
        desk.touch(tournament)
        desk.log(tournament, actor, "added", names=[entry.player.name for entry in entries])
        _tell(tournament)
    return entries


def _tell(tournament: Tournament) -> None:
    """The start list has changed: who watches reads it again, with the standings."""
    tell_standings(tournament, tournament.round_set.filter(status=Round.Status.COMPLETE).count())


def _account(username: str) -> Player:
    player = Player.objects.filter(username__iexact=username, user__isnull=False).first()
    if player is None:
        raise BadInput(_("Nobody has this user name."), field="player")
    return player


def _guest(name: str, field: str) -> Player:
    try:
        return guest_player(name)
    except BadGuestName as error:
        raise BadInput(str(error), field=field) from error


def _add(tournament: Tournament, players: Sequence[Player]) -> list[Entry]:
    begun = _begun(tournament)
    _check_open(tournament, begun)
    ratings = ratings_of([player.pk for player in players], tournament.rules.split(":")[0])
    entries = []
    for player in players:
        entry = Entry.objects.filter(tournament=tournament, player=player).first()
        if entry is not None:
            entries.append(_back(entry))
            continue
        entry = Entry.objects.create(
            tournament=tournament, player=player, rating=ratings[player.pk].rating, entered_round=begun + 1
        )
        _close_missed_rounds(entry)
        entries.append(entry)
    return entries


def _check_open(tournament: Tournament, begun: int) -> None:
    if tournament.status == Tournament.Status.COMPLETE:
        raise EntriesClosed(_("This tournament is over."))
    if begun and not tournament.is_swiss:
        raise EntriesClosed(_("A round robin that has begun takes no more entries: its schedule is fixed."))
    if begun and begun >= (tournament.rounds or 0):
        raise EntriesClosed(_("The last round has begun."))
    largest = LARGEST_FIELD if tournament.is_swiss else LARGEST_ROUND_ROBIN
    if tournament.entries.filter(withdrawn_after=None).count() >= largest:
        raise EntriesClosed(_("This tournament is full: %(most)d players.") % {"most": largest})


def _back(entry: Entry) -> Entry:
    """A player who withdrew plays again from the next pairing on."""
    if not entry.is_withdrawn:
        raise AlreadyEntered
    entry.withdrawn_after = None
    entry.save(update_fields=["withdrawn_after"])
    return entry


def _close_missed_rounds(entry: Entry) -> None:
    missed = Round.objects.filter(tournament=entry.tournament_id, status__in=BEGUN)
    Participation.objects.bulk_create(
        Participation(round=round_, entry=entry, kind=Participation.Kind.NOT_ENTERED) for round_ in missed
    )


def _begun(tournament: Tournament) -> int:
    begun = tournament.round_set.filter(status__in=BEGUN).aggregate(last=Max("number"))
    return begun["last"] or 0


def withdraw(*, actor: Actor, slug: str, entry_id: int) -> Entry | None:
    """Takes an entry out: deleted before round 1 begins (then None), not paired any more afterwards.

    A pairing of round 1 that is not begun is dropped with it. Games that are running go on.
    """
    with transaction.atomic():
        tournament, entry = _entry(actor, slug, entry_id)
        policies.require_owner_or_staff(actor, entry)
        if tournament.status == Tournament.Status.COMPLETE:
            raise EntriesClosed(_("This tournament is over."))
        if entry.is_withdrawn:
            raise AlreadyWithdrawn
        begun = _begun(tournament)
        desk.touch(tournament)
        desk.log(tournament, actor, "withdrew", entry=entry.pk, name=entry.player.name, after_round=begun)
        _tell(tournament)
        if not begun:
            tournament.round_set.all().delete()
            entry.delete()
            return None
        entry.withdrawn_after = begun
        entry.save(update_fields=["withdrawn_after"])
    return entry


def reinstate(*, actor: Actor, slug: str, entry_id: int) -> Entry:
    """As organiser, lets somebody who withdrew play again from the next pairing on."""
    with transaction.atomic():
        tournament, entry = _entry(actor, slug, entry_id)
        policies.require_organiser(actor, tournament)
        _check_open(tournament, _begun(tournament))
        _back(entry)
        desk.touch(tournament)
        desk.log(tournament, actor, "reinstated", entry=entry.pk, name=entry.player.name)
        _tell(tournament)
    return entry


def request_absence(*, actor: Actor, slug: str, entry_id: int, round_number: int, kind: str) -> Absence:
    """A bye asked for in advance: `zero` by the player himself or the staff, `half` by the staff only."""
    if kind not in Absence.Kind.values:
        raise BadInput(_("The kind is half or zero."), field="kind")
    with transaction.atomic():
        tournament, entry = _entry(actor, slug, entry_id)
        policies.require_owner_or_staff(actor, entry)
        if kind == Absence.Kind.HALF:
            if policies.role_of(actor, tournament) is None:
                raise Forbidden(_("Half-point byes are given by the organisers."))
            if not tournament.is_swiss:
                raise BadInput(_("A round robin has no half-point byes."), field="kind")
        _check_to_come(tournament, round_number)
        absence, _made = Absence.objects.update_or_create(
            entry=entry, round_number=round_number, defaults={"kind": kind}
        )
        desk.touch(tournament)
        desk.log(tournament, actor, "absent", name=entry.player.name, round=round_number, kind=kind)
    return absence


def cancel_absence(*, actor: Actor, slug: str, entry_id: int, round_number: int) -> None:
    """Raises NotFound where none was asked for."""
    with transaction.atomic():
        tournament, entry = _entry(actor, slug, entry_id)
        policies.require_owner_or_staff(actor, entry)
        _check_to_come(tournament, round_number)
        deleted, _by_model = entry.absences.filter(round_number=round_number).delete()
        if not deleted:
            raise NotFound
        desk.touch(tournament)
        desk.log(tournament, actor, "present", name=entry.player.name, round=round_number)


def _check_to_come(tournament: Tournament, round_number: int) -> None:
    if 1 <= round_number <= _begun(tournament):
        raise EntriesClosed(_("This round has begun."))
    if not 1 <= round_number <= (tournament.rounds or MOST_ROUNDS):
        raise BadInput(_("There is no such round."), field="round")


def _entry(actor: Actor, slug: str, entry_id: int) -> tuple[Tournament, Entry]:
    tournament = desk.locked(slug, actor)
    entry = tournament.entries.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    entry.tournament = tournament
    return tournament, entry
