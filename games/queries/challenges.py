"""Reads about challenges: the lobby's seeks, and what concerns one player."""

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from games.models import Challenge
from ratings.models import Player

OPEN_FOR = timedelta(hours=12)  # whoever asked has left long since
SEEKS_AT_MOST = 100


def open_challenges() -> QuerySet[Challenge]:
    """Those that can still be accepted, with their players, the newest first."""
    return with_players(Challenge.objects.filter(state=Challenge.State.OPEN, created_at__gt=Now() - OPEN_FOR))


def lapsed_challenges() -> QuerySet[Challenge]:
    """Those that nobody answered in time."""
    return Challenge.objects.filter(state=Challenge.State.OPEN, created_at__lte=Now() - OPEN_FOR)


def with_players(challenges: QuerySet[Challenge]) -> QuerySet[Challenge]:
    return challenges.select_related("challenger", "opponent").order_by("-created_at", "pk")


def seeks() -> QuerySet[Challenge]:
    """Open challenges to anybody."""
    return open_challenges().filter(opponent__isnull=True)


def open_seeks() -> list[dict[str, Any]]:
    """The lobby's seeks as objects of the protocol, the newest first."""
    return [as_object(challenge) for challenge in seeks()[:SEEKS_AT_MOST]]


def challenges_between(player_id: int) -> QuerySet[Challenge]:
    """Open challenges from or to a player, his own seeks among them."""
    return open_challenges().filter(Q(challenger=player_id) | Q(opponent=player_id))


def challenges_to(player_id: int) -> QuerySet[Challenge]:
    """Open challenges that wait for a player's answer."""
    return open_challenges().filter(opponent=player_id)


def challenges_for(player_id: int | None) -> QuerySet[Challenge]:
    """What a player (or a stranger, None) may see in a list: open seeks, and what concerns him."""
    visible = Q(opponent__isnull=True)
    if player_id is not None:
        visible |= Q(challenger=player_id) | Q(opponent=player_id)
    return open_challenges().filter(visible)


def find_challenge(challenge_id: str, player_id: int | None) -> Challenge | None:
    """A challenge in whatever state, where this player may see it: a seek still open, or his own."""
    challenge = with_players(Challenge.objects.filter(pk=challenge_id)).first()
    if challenge is None:
        return None
    is_mine = player_id is not None and player_id in (challenge.challenger_id, challenge.opponent_id)
    is_seek = challenge.opponent_id is None and challenge.state == Challenge.State.OPEN
    return challenge if is_mine or is_seek else None


def player_named(username: str) -> Player | None:
    """The player with this user name, in whatever case."""
    return Player.objects.filter(username__iexact=username).first()


def as_object(challenge: Challenge) -> dict[str, Any]:
    """A challenge as the protocol has it; players by their user names, `opponent` null in a seek."""
    return {
        "id": challenge.pk,
        "challenger": challenge.challenger.username,
        "opponent": challenge.opponent.username if challenge.opponent else None,
        "rules": challenge.rules,
        "claims": challenge.claims,
        "control": challenge.control,
        "rated": challenge.rated,
        "draws_allowed": challenge.draws_allowed,
        "rematch_of": challenge.rematch_of_id,
        "state": challenge.state,
        "game": challenge.game_id,
    }


def challenge_frame(challenge: Challenge, player_id: int) -> dict[str, Any]:
    """What a player's own socket says of a challenge from or to him."""
    side = "challenger" if challenge.challenger_id == player_id else "opponent"
    return {"type": "challenge", "you": side, "challenge": as_object(challenge)}
