"""Seeks, challenges and rematches, up to the game that comes of them."""

import secrets
from contextlib import suppress
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.errors import GameError, NoSuchGame
from games.live import publish
from games.models import Challenge, Game, Status
from games.queries.challenges import (
    challenge_frame,
    challenges_between,
    lapsed_challenges,
    open_challenges,
    open_seeks,
    player_named,
    with_players,
)
from games.services.games import BadTerms, Terms, check_terms, new_game, start_games
from games.services.maintenance import refuse_under_maintenance
from ratings.models import Player

OPEN_AT_MOST = 10
State = Challenge.State


class BadOpponent(BadTerms):
    def __init__(self, message: object) -> None:
        super().__init__("opponent", message)


class TooManyChallenges(GameError):
    code = "state"
    message = _("You have ten open challenges. Cancel one first.")


class NoSuchChallenge(GameError):
    code = "not_found"
    status = 404
    message = _("There is no such challenge.")


class NotOpen(GameError):
    code = "state"
    message = _("This challenge is not open any more.")


class NotYours(GameError):
    code = "forbidden"
    status = 403
    message = _("This challenge is not yours to answer.")


class OwnChallenge(GameError):
    code = "forbidden"
    status = 403
    message = _("Nobody plays against himself: wait for somebody else to accept.")


class NotAPlayer(GameError):
    code = "not_a_player"
    status = 403
    message = _("You did not play this game.")


class NoRematch(GameError):
    code = "state"
    message = _("A rematch can follow a finished game outside tournaments only.")


def usual_claims(*, rated: bool) -> str:
    """What a false claim costs where nobody says otherwise: the game if it is rated."""
    return "lose" if rated else "void"


def create_challenge(*, challenger: Player, opponent: str | None, terms: Terms) -> Challenge:
    """A challenge to the player with this user name, or a seek (None) that anybody may accept.

    Raises BadTerms (with the field), BadOpponent, TooManyChallenges, UnderMaintenance.
    """
    terms = check_terms(terms)
    challenged = None if opponent is None else _opponent_named(opponent, challenger)
    with transaction.atomic():
        return _open(challenger, challenged, terms)


def accept(*, challenge_id: str, player: Player) -> Challenge:
    """Starts the game: of two who accept a seek at once, one gets it and the other is told.

    Raises NoSuchChallenge (also for one between others), OwnChallenge, NotOpen, UnderMaintenance.
    """
    with transaction.atomic():
        challenge = _find_open(challenge_id, player)
        if challenge.challenger_id == player.pk:
            raise OwnChallenge
        return _start(challenge, player)


def cancel(*, challenge_id: str, player: Player) -> Challenge:
    """Takes one's own challenge back. Raises NoSuchChallenge, NotYours, NotOpen."""
    with transaction.atomic():
        challenge = _find_open(challenge_id, player)
        if challenge.challenger_id != player.pk:
            raise NotYours
        return _end(challenge, State.CANCELLED)


def decline(*, challenge_id: str, player: Player) -> Challenge:
    """Says no to a challenge. Raises NoSuchChallenge, NotYours, NotOpen."""
    with transaction.atomic():
        challenge = _find_open(challenge_id, player)
        if challenge.opponent_id != player.pk:
            raise NotYours
        return _end(challenge, State.DECLINED)


def withdraw_all(*, player: Player) -> int:
    """Takes back what a player has open, and says no to what he is asked; returns how many that were."""
    with transaction.atomic():
        concerned = list(challenges_between(player.pk))
        for challenge in concerned:
            is_mine = challenge.challenger_id == player.pk
            with suppress(NotOpen):  # somebody was faster
                _end(challenge, State.CANCELLED if is_mine else State.DECLINED)
    return len(concerned)


def rematch(*, game_id: str, player: Player) -> Challenge:
    """Offers the same game again with the seats swapped, or accepts the other's offer of it.

    Calling it again changes nothing. Raises NoSuchGame, NotAPlayer, NoRematch, TooManyChallenges, UnderMaintenance.
    """
    with transaction.atomic():
        game = (
            Game.objects.select_for_update(of=("self",))
            .select_related("seat1", "seat2")
            .filter(pk=game_id)
            .first()
        )
        if game is None:
            raise NoSuchGame
        opponent = _opponent_in(game, player)
        if game.status != Status.OVER or game.event is not None or opponent.user_id is None:
            raise NoRematch
        lapsed_challenges().filter(rematch_of=game).update(state=State.CANCELLED)
        offer = with_players(game.rematches.filter(state__in=[State.ACCEPTED, State.OPEN])).first()
        if offer is not None:
            mine = offer.state == State.ACCEPTED or offer.challenger_id == player.pk
            return offer if mine else _start(offer, player)
        return _open(player, opponent, _terms_of(game), rematch_of=game)


def _opponent_named(username: str, challenger: Player) -> Player:
    opponent = player_named(username)
    if opponent is None:
        raise BadOpponent(_("There is no player of this name."))
    if opponent.pk == challenger.pk:
        raise BadOpponent(_("Nobody plays against himself."))
    if opponent.user_id is None:
        raise BadOpponent(_("This player has no account and cannot play here."))
    return opponent


def _open(
    challenger: Player, opponent: Player | None, terms: Terms, *, rematch_of: Game | None = None
) -> Challenge:
    refuse_under_maintenance()
    Player.objects.select_for_update(no_key=True).get(pk=challenger.pk)
    if open_challenges().filter(challenger=challenger).count() >= OPEN_AT_MOST:
        raise TooManyChallenges
    challenge = Challenge.objects.create(
        challenger=challenger,
        opponent=opponent,
        rules=terms.rules,
        claims=terms.claims,
        control=terms.control,
        rated=terms.rated,
        draws_allowed=terms.draws_allowed,
        rematch_of=rematch_of,
    )
    announce(challenge, was_seek=opponent is None)
    return challenge


def _opponent_in(game: Game, player: Player) -> Player:
    if player.pk not in (game.seat1_id, game.seat2_id):
        raise NotAPlayer
    return game.seat2 if game.seat1_id == player.pk else game.seat1


def _find_open(challenge_id: str, player: Player) -> Challenge:
    """One that may be seen: a seek, or one that concerns the player.

    Somebody else has accepted a seek by now, perhaps: that is said. Raises NoSuchChallenge, NotOpen.
    """
    challenge = with_players(Challenge.objects.filter(pk=challenge_id)).first()
    if challenge is None:
        raise NoSuchChallenge
    is_seek = challenge.opponent_id is None or challenge.state == State.ACCEPTED
    if not is_seek and player.pk not in (challenge.challenger_id, challenge.opponent_id):
        raise NoSuchChallenge
    if challenge.state != State.OPEN:
        raise NotOpen
    return challenge


def _end(challenge: Challenge, state: str) -> Challenge:
    """One of the ways out of `open`; the guard lets only the first of several through."""
    if not open_challenges().filter(pk=challenge.pk).update(state=state):
        raise NotOpen
    challenge.state = state
    announce(challenge, was_seek=challenge.opponent_id is None)
    return challenge


def _start(challenge: Challenge, acceptor: Player) -> Challenge:
    was_seek = challenge.opponent_id is None
    if not open_challenges().filter(pk=challenge.pk).update(state=State.ACCEPTED, opponent=acceptor):
        raise NotOpen
    starter, second = _seats(challenge, acceptor)
    game = new_game(seat1=starter, seat2=second, terms=_terms_of(challenge))
    start_games([game])
    challenge.state, challenge.opponent, challenge.game = State.ACCEPTED, acceptor, game
    challenge.save(update_fields=["game"])
    announce(challenge, was_seek=was_seek)
    return challenge


def _seats(challenge: Challenge, acceptor: Player) -> tuple[Player, Player]:
    """(starter, second): who was second last time starts; the first time it is drawn by lot."""
    pair = (challenge.challenger, acceptor)
    last = challenge.rematch_of or _last_game(*pair)
    challenger_starts = secrets.choice((True, False)) if last is None else last.seat2_id == pair[0].pk
    return pair if challenger_starts else pair[::-1]


def _last_game(one: Player, other: Player) -> Game | None:
    """The latest game of these two, whoever started it."""
    games = Game.objects.filter(Q(seat1=one, seat2=other) | Q(seat1=other, seat2=one))
    return games.order_by("-created_ms", "-pk").first()


def _terms_of(source: Challenge | Game) -> Terms:
    return Terms(
        rules=source.rules,
        claims=source.claims,
        control=source.control,
        rated=source.rated,
        draws_allowed=source.draws_allowed,
    )


def announce(challenge: Challenge, *, was_seek: bool) -> None:
    """Tells the lobby, where it is a seek, and both players after the commit."""
    if was_seek:
        transaction.on_commit(announce_seeks)
    for player_id in (challenge.challenger_id, challenge.opponent_id):
        if player_id is not None:
            transaction.on_commit(partial(_tell, challenge, player_id))


def announce_seeks() -> None:
    publish("lobby", {"type": "seeks", "seeks": open_seeks()})


def _tell(challenge: Challenge, player_id: int) -> None:
    publish(f"player:{player_id}", challenge_frame(challenge, player_id))
