"""Creating a tournament, changing it, opening it for entries, and who runs it."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.models import Status as GameStatus
from games.rules import IllegalAction
from games.services.games import pause, resume
from ratings.models import Player
from tournaments import policies, regulations
from tournaments.errors import BadInput, Forbidden, TournamentError
from tournaments.models import BEGUN, Board, Club, Format, Round, Staff, Tournament
from tournaments.pairing.swiss import Advice, check_rounds, most_rounds
from tournaments.policies import Actor
from tournaments.regulations import Regulations
from tournaments.services import desk
from tournaments.services.rounds import conclude_locked

RESERVED_SLUGS = {"new", "tournament"}
ALWAYS_CHANGEABLE = {"name", "description"}
CHANGEABLE_WHILE_RUNNING = ALWAYS_CHANGEABLE | {"rounds", "control", "claims", "no_show_s", "grace_ms"}


class NotNow(TournamentError):
    """What was asked for does not fit the state the tournament is in."""


def create(
    *, actor: Actor, wanted: Regulations, club_slug: str | None = None, publish: bool = True
) -> Tournament:
    """Makes a tournament with `actor` as its organiser, open for entries unless `publish` is False.

    Raises BadInput with the field that is wrong, Forbidden where the club is not his.
    """
    if actor.player_id is None:
        raise Forbidden(_("Only somebody with a player's account can organise."))
    columns = regulations.checked(wanted)
    status = Tournament.Status.PUBLISHED if publish else Tournament.Status.DRAFT
    with transaction.atomic():
        club = _club_of(actor, club_slug)
        tournament = _insert(columns | {"club": club, "status": status})
        Staff.objects.create(tournament=tournament, player_id=actor.player_id, role=Staff.Role.ORGANISER)
        desk.log(tournament, actor, "created", status=status)
    return tournament


def create_club(*, actor: Actor, name: str, about: str = "") -> Club:
    """A club with `actor` as its organiser."""
    if actor.player_id is None:
        raise Forbidden(_("Only somebody with a player's account can found a club."))
    with transaction.atomic():
        club = Club.objects.create(slug=_free_slug(Club, name, "club"), name=name, about=about)
        Staff.objects.create(club=club, player_id=actor.player_id, role=Staff.Role.ORGANISER)
    return club


def _club_of(actor: Actor, slug: str | None) -> Club | None:
    if not slug:
        return None
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise BadInput(_("There is no such club."), field="club")
    organisers = Staff.objects.filter(club=club, role=Staff.Role.ORGANISER).values_list(
        "player_id", flat=True
    )
    if not actor.everywhere and actor.player_id not in organisers:
        raise Forbidden(_("Only the organisers of this club may open a tournament in its name."))
    return club


def _insert(columns: dict[str, Any]) -> Tournament:
    """Inserts under a free address; another tournament may take the same one at this moment."""
    for _attempt in range(5):
        slug = _free_slug(Tournament, columns["name"], "tournament")
        try:
            with transaction.atomic():
                return Tournament.objects.create(slug=slug, **columns)
        except IntegrityError:
            if not Tournament.objects.filter(slug=slug).exists():
                raise
    raise desk.ChangedMeanwhile


def _free_slug(model: type[Tournament] | type[Club], name: str, fallback: str) -> str:
    stem = slugify(name)[:50].strip("-") or fallback
    taken = set(model.objects.filter(slug__startswith=stem).values_list("slug", flat=True)) | RESERVED_SLUGS
    if stem not in taken:
        return stem
    number = 2
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


def change(*, actor: Actor, slug: str, changes: dict[str, Any], publish: bool = False) -> Tournament:
    """Changes some of the regulations: all before round 1 is paired, few while it runs, words afterwards.

    `changes` maps names of Regulations to values; `publish` opens a draft for entries, and changes
    nothing elsewhere. Raises BadInput, NotNow and Forbidden.
    """
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        policies.require_organiser(actor, tournament)
        if publish:
            _publish(actor, tournament)
        before = regulations.of(tournament)
        wanted = {name: value for name, value in changes.items() if value != getattr(before, name)}
        if not wanted:
            return tournament
        _check_changeable(tournament, wanted)
        if "format" in wanted and "tiebreaks" not in wanted:
            wanted["tiebreaks"] = ()
        if "rated" not in wanted and {"rules", "over_the_board"} & wanted.keys():
            wanted["rated"] = None if before.rated else False
        columns = regulations.checked(replace(before, **wanted))
        _check_planned_rounds(tournament, columns)
        for name, value in columns.items():
            setattr(tournament, name, value)
        tournament.save(update_fields=list(columns))
        desk.touch(tournament)
        desk.log(tournament, actor, "changed", **{name: _plain(columns[name]) for name in wanted})
        conclude_locked(tournament)
    return tournament


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | list | None) else str(value)


def _check_changeable(tournament: Tournament, wanted: dict[str, Any]) -> None:
    allowed = set(asdict(regulations.of(tournament)))
    if tournament.round_set.exists():
        allowed = CHANGEABLE_WHILE_RUNNING
    if tournament.status == Tournament.Status.COMPLETE:
        allowed = ALWAYS_CHANGEABLE
    for name in wanted:
        if name not in allowed:
            raise NotNow(_("This can be changed only before the first round is paired."), field=name)


def _check_planned_rounds(tournament: Tournament, columns: dict[str, Any]) -> None:
    """Once rounds are paired, their number stays between what has begun and what can be paired."""
    paired = tournament.round_set.count()
    if not paired:
        return
    if columns["rounds"] is None or columns["rounds"] < paired:
        words = _("%(paired)d rounds are paired already.") % {"paired": paired}
        raise NotNow(words, field="rounds")
    if columns["rounds"] == tournament.rounds:
        return
    if columns["format"] != Format.SWISS:
        raise NotNow(_("The rounds of a round robin follow from its field."), field="rounds")
    field = tournament.entries.filter(withdrawn_after=None).count()
    if Advice.IMPOSSIBLE in check_rounds(field, columns["rounds"]):
        most = {"players": field, "most": most_rounds(field)}
        words = ngettext(
            "%(players)d players cannot play more than %(most)d round without meeting twice.",
            "%(players)d players cannot play more than %(most)d rounds without meeting twice.",
            most["most"],
        )
        raise NotNow(words % most, field="rounds")


def publish(*, actor: Actor, slug: str) -> Tournament:
    """Opens a draft for entries and makes it visible; a second call changes nothing."""
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        policies.require_organiser(actor, tournament)
        _publish(actor, tournament)
    return tournament


def _publish(actor: Actor, tournament: Tournament) -> None:
    if tournament.status == Tournament.Status.DRAFT:
        tournament.status = Tournament.Status.PUBLISHED
        tournament.save(update_fields=["status"])
        desk.touch(tournament)
        desk.log(tournament, actor, "published")


def finish(*, actor: Actor, slug: str) -> Tournament:
    """Ends a tournament after the rounds that are complete; a pairing that has not begun is dropped.

    Raises NotNow while a round is running, and where none was played.
    """
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        policies.require_organiser(actor, tournament)
        if tournament.status == Tournament.Status.COMPLETE:
            return tournament
        rounds = tournament.round_set.filter(status__in=BEGUN)
        if not rounds.exists() or rounds.filter(status=Round.Status.RUNNING).exists():
            raise NotNow(_("A tournament can be ended between two rounds."))
        tournament.round_set.exclude(status__in=BEGUN).delete()
        tournament.rounds = rounds.count()
        tournament.save(update_fields=["rounds"])
        desk.touch(tournament)
        desk.log(tournament, actor, "finished", round=tournament.rounds)
        conclude_locked(tournament)
    return tournament


def appoint(*, actor: Actor, slug: str, username: str, role: str) -> Staff:
    """Makes somebody an organiser or an arbiter here, or changes which of the two he is."""
    if role not in Staff.Role.values:
        raise BadInput(_("There is no such role."), field="role")
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        policies.require_organiser(actor, tournament)
        player = Player.objects.filter(username__iexact=username, user__isnull=False).first()
        if player is None:
            raise BadInput(_("Nobody has this user name."), field="username")
        if player.pk == actor.player_id:
            raise BadInput(_("You run this tournament already."), field="username")
        staff, _made = Staff.objects.update_or_create(
            tournament=tournament, player=player, defaults={"role": role}
        )
        desk.log(tournament, actor, "appointed", player=player.username, role=role)
    return staff


def pause_games(*, actor: Actor, slug: str, reason: str = "") -> int:
    """Stops the clocks of all running games; returns how many. Raises BadInput for the reason."""
    reason = desk.checked_reason(reason)
    return _intervene(
        actor,
        slug,
        [GameStatus.WAITING, GameStatus.LIVE],
        lambda game_ids: pause(game_ids=game_ids, reason=reason),
        verb="paused",
        reason=reason,
    )


def resume_games(*, actor: Actor, slug: str) -> int:
    """Sets the stopped clocks going again; returns how many. Raises UnderMaintenance."""
    desk.refuse_under_maintenance()
    return _intervene(
        actor, slug, [GameStatus.PAUSED], lambda game_ids: resume(game_ids=game_ids), verb="resumed"
    )


def _intervene(
    actor: Actor, slug: str, statuses: list[str], change: Callable[[list[str]], None], **logged: str
) -> int:
    """Games that end at this moment are left alone."""
    with transaction.atomic():
        tournament = desk.locked(slug, actor)
        policies.require_staff(actor, tournament)
        boards = Board.objects.filter(
            round__tournament=tournament, round__status=Round.Status.RUNNING, game__status__in=statuses
        )
        changed = 0
        for game_id in boards.order_by("game_id").values_list("game_id", flat=True):
            try:
                change([game_id])
                changed += 1
            except IllegalAction:
                continue
        if not changed:
            raise NotNow(_("No game is in that state."))
        desk.log(tournament, actor, games=changed, **logged)
    return changed
