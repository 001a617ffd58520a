"""Who may do what. Organisers and arbiters of a club have its tournaments; site staff have all."""

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Q

from tournaments.errors import Forbidden
from tournaments.models import Entry, Staff, Tournament


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody who asks: a player, or nobody in particular; `everywhere` for the site's own staff."""

    player_id: int | None = None
    everywhere: bool = False


NOBODY = Actor()


def actor_of(user: AbstractBaseUser | AnonymousUser) -> Actor:
    """Who this user is at a board. A user without a player (made on the command line) has none."""
    if not user.is_authenticated:
        return NOBODY
    player = getattr(user, "player", None)
    return Actor(None if player is None else player.pk, getattr(user, "is_staff", False))


def role_of(actor: Actor, tournament: Tournament) -> Staff.Role | None:
    """The strongest role he has here."""
    if actor.everywhere or actor.player_id is None:
        return strongest(actor, ())
    roles = Staff.objects.filter(
        Q(tournament=tournament) | Q(club_id=tournament.club_id, club__isnull=False),
        player_id=actor.player_id,
    ).values_list("role", flat=True)
    return strongest(actor, set(roles))


def strongest(actor: Actor, roles: Collection[str]) -> Staff.Role | None:
    """The strongest of the roles he has been given somewhere."""
    if actor.everywhere:
        return Staff.Role.ORGANISER
    return next((role for role in Staff.Role if role in roles), None)


def may_see(actor: Actor, tournament: Tournament) -> bool:
    """A draft is seen by those who run it only."""
    return tournament.status != Tournament.Status.DRAFT or role_of(actor, tournament) is not None


def require_organiser(actor: Actor, tournament: Tournament) -> None:
    """Raises Forbidden."""
    if role_of(actor, tournament) != Staff.Role.ORGANISER:
        raise Forbidden


def require_staff(actor: Actor, tournament: Tournament) -> None:
    """An organiser or an arbiter. Raises Forbidden."""
    if role_of(actor, tournament) is None:
        raise Forbidden


def require_owner_or_staff(actor: Actor, entry: Entry) -> None:
    """The player himself, an organiser or an arbiter. Raises Forbidden."""
    if actor.player_id != entry.player_id:
        require_staff(actor, entry.tournament)
