"""Starting games, and what an arbiter may do to them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import arbiter
from games.bench import intervene
from games.clock import BadControl, TimeControl
from games.errors import GameError
from games.judge import GameState
from games.live import publish
from games.models import Game
from games.rows import columns_of
from games.rules import BadClaims, BadRules, ClaimPolicy, Rules
from games.servertime import now_ms
from games.services.maintenance import refuse_under_maintenance
from ratings.models import Player
from ratings.queries import RatingNow, ratings_of

GRACE_LIMIT_MS = 2_000
NO_SHOW_LIMIT_MS = 3_600_000
ALL_ATTRIBUTES = 15

Event = dict[str, object]
"""What a game keeps of its event: slug, name, round, board."""


class BadTerms(GameError):
    """A wrong condition of play; `field` names it."""

    code = "bad_request"
    status = 400

    def __init__(self, field: str, message: object) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class Terms:
    """The conditions of a game, as texts of the rules (`L:F`, `lose`, `turn=60`)."""

    rules: str = "L:F"
    claims: str = "lose"
    control: str = "turn=60"
    rated: bool = False
    draws_allowed: bool = False
    grace_ms: int = 500
    no_show_ms: int = 60_000
    tournament: bool = False


def check_terms(terms: Terms) -> Terms:
    """The same conditions in canonical spelling; raises BadTerms."""
    try:
        rules = Rules.parse(terms.rules)
    except BadRules as error:
        raise BadTerms(
            "rules", _("The rules must be L, LS or OS with the attributes, such as L:F.")
        ) from error
    try:
        claims = ClaimPolicy.parse(terms.claims)
    except BadClaims as error:
        raise BadTerms("claims", _("A false claim must be lose, void or strikes=N.")) from error
    try:
        control = TimeControl.parse(terms.control)
    except BadControl as error:
        raise BadTerms("control", _("The time must be like turn=60, bank=450 or bank=180 inc=5.")) from error
    if terms.rated and rules.mask != ALL_ATTRIBUTES:
        raise BadTerms("rated", _("Only games with all four attributes can be rated."))
    if not 0 <= terms.grace_ms <= GRACE_LIMIT_MS:
        raise BadTerms("grace_ms", _("The grace must be between 0 and 2 seconds."))
    if not 0 < terms.no_show_ms <= NO_SHOW_LIMIT_MS:
        raise BadTerms("no_show_s", _("The time to appear must be between a second and an hour."))
    return Terms(
        str(rules), str(claims), str(control), terms.rated, terms.draws_allowed, terms.grace_ms,
        terms.no_show_ms, terms.tournament,
    )  # fmt: skip


def new_games(seatings: Iterable[tuple[Player, Player, Event | None]], terms: Terms) -> list[Game]:
    """Games not yet saved, with the players' present ratings: (starter, second, event) each."""
    seatings = list(seatings)
    terms = check_terms(terms)
    players = {player.pk for starter, second, _event in seatings for player in (starter, second)}
    pool = Rules.parse(terms.rules).lines
    ratings = ratings_of(players, pool)
    return [
        _new_game(starter, second, terms, event, ratings[starter.pk], ratings[second.pk])
        for starter, second, event in seatings
    ]


def new_game(*, seat1: Player, seat2: Player, terms: Terms, event: Event | None = None) -> Game:
    """One game, not yet saved."""
    return new_games([(seat1, seat2, event)], terms)[0]


def _new_game(
    seat1: Player,
    seat2: Player,
    terms: Terms,
    event: Event | None,
    rating1: RatingNow,
    rating2: RatingNow,
) -> Game:
    at_ms = now_ms()
    state = GameState.start(
        Rules.parse(terms.rules),
        ClaimPolicy.parse(terms.claims),
        TimeControl.parse(terms.control),
        at_ms=at_ms,
        grace_ms=terms.grace_ms,
        no_show_ms=terms.no_show_ms,
        tournament=event is not None,
        draws_allowed=terms.draws_allowed,
    )
    return Game(
        seat1=seat1,
        seat2=seat2,
        rules=terms.rules,
        claims=terms.claims,
        control=terms.control,
        rated=terms.rated,
        draws_allowed=terms.draws_allowed,
        grace_ms=terms.grace_ms,
        no_show_ms=terms.no_show_ms,
        event=event,
        seat1_rating=rating1.rating,
        seat2_rating=rating2.rating,
        seat1_provisional=rating1.provisional,
        seat2_provisional=rating2.provisional,
        created_ms=at_ms,
        **columns_of(state, None),
    )


def start_games(games: list[Game]) -> None:
    """Saves new games in one statement and calls their players to the boards after the commit.

    Raises UnderMaintenance.
    """
    refuse_under_maintenance()
    Game.objects.bulk_create(games)
    for game in games:
        frame = {"type": "game_start", "game": game.pk, "event": game.event}
        for player_id in (game.seat1_id, game.seat2_id):
            transaction.on_commit(partial(publish, f"player:{player_id}", frame))


def pause(*, game_ids: Iterable[str], reason: str) -> None:
    """Holds games; raises IllegalAction, NoSuchGame (nothing is changed then)."""
    intervene(game_ids, lambda state, at_ms: arbiter.pause(state, at_ms, reason))


def resume(*, game_ids: Iterable[str]) -> None:
    """Lets held games go on; raises IllegalAction, NoSuchGame (nothing is changed then), UnderMaintenance."""
    refuse_under_maintenance()
    intervene(game_ids, arbiter.resume)


def add_time(*, game_id: str, seat: int, ms: int) -> None:
    """Adds to the bank of a seat; raises IllegalAction, NoSuchGame."""
    intervene([game_id], lambda state, at_ms: arbiter.add_time(state, seat, ms, at_ms))


def adjudicate(*, game_id: str, result: str) -> None:
    """Ends a game with a result; raises IllegalAction, NoSuchGame."""
    intervene([game_id], lambda state, at_ms: arbiter.adjudicate(state, result, at_ms))
