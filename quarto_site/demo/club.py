"""Makes the demo club through the services, all or nothing."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game as GameRow
from games.referee import Command, Ruling, judge_batch
from games.servertime import clock, now_ms
from games.services.challenges import create_challenge
from games.services.games import Terms
from quarto_site.accounts.services import NameTaken, open_account
from quarto_site.demo import play
from quarto_site.demo.people import NAMES, ORGANISER, PASSWORD
from ratings.models import Player
from tournaments import closing
from tournaments.models import Club, Tournament
from tournaments.policies import Actor
from tournaments.regulations import Regulations
from tournaments.services import entries, pairings, rounds, tournaments

CLUB = "The Long Diagonal"
MINUTE_MS = 60_000
ROUND_MS = 15 * MINUTE_MS
SLOW_CONTROL = "turn=3600"
FINISHED = Regulations(
    name="Autumn Swiss",
    rounds=5,
    description="Five rounds on one evening, a minute a turn.",
)
RUNNING = Regulations(
    name="Slow Evening",
    rounds=5,
    control=SLOW_CONTROL,
    description="An hour a turn: look in, think, and come back later.",
)
OPEN = Regulations(
    name="Club Night",
    rounds=5,
    description="A minute a turn. Everybody is welcome; the first round starts when we are enough.",
)


class NamesTaken(Exception):
    """A demo name belongs to somebody already."""

    def __str__(self) -> str:
        return _("The demo club cannot be made here: the name %(name)s is taken.") % {"name": self.args[0]}


@dataclass(frozen=True, slots=True)
class DemoClub:
    """The log-ins, the organiser's first; `made` is False where everything was there already."""

    made: bool
    names: tuple[str, ...]
    password: str


def make_demo_club(*, players: int, seed: int) -> DemoClub:
    """The club with so many players. A second call changes nothing. Raises NamesTaken."""
    club = Club.objects.filter(name=CLUB).first()
    if club is not None:
        members = Player.objects.filter(username__in=NAMES, entries__tournament__club=club).distinct()
        present = {player.username for player in members}
        return DemoClub(False, (ORGANISER, *(name for name in NAMES if name in present)), PASSWORD)
    people = [_account(name) for name in (ORGANISER, *NAMES[:players])]
    with transaction.atomic():
        Evening(people[0], people[1:], random.Random(f"demo {seed}")).hold()  # noqa: S311 - made-up games
    closing.wait()
    return DemoClub(True, tuple(player.username for player in people), PASSWORD)


def _account(name: str) -> Player:
    """The demo account of that name, made unless an interrupted call has made it. Raises NamesTaken."""
    try:
        return open_account(username=name, password=PASSWORD, address="demo")
    except NameTaken as error:
        player = Player.objects.filter(username=name, user__isnull=False).select_related("user").first()
        if player is None or player.user is None or not player.user.check_password(PASSWORD):
            raise NamesTaken(name) from error
        return player


def _unasked(_ruling: Ruling) -> None:
    """Nobody waits for the answers."""


@contextmanager
def clock_at(at_ms: int) -> Iterator[None]:
    """The server's time as it was at another moment: games of the past are created and end there."""
    away_ms = now_ms() - at_ms
    clock.shift(-away_ms)
    try:
        yield
    finally:
        clock.shift(away_ms)


class Evening:
    """Everything that happened in the club so far, ending now."""

    def __init__(self, organiser: Player, players: list[Player], rng: random.Random) -> None:
        self.actor = Actor(organiser.pk)
        self.players, self.rng = players, rng
        shares = [0.35 + 0.6 * place / len(players) for place in range(len(players))]
        rng.shuffle(shares)
        self.skill = {player.pk: share for player, share in zip(players, shares, strict=True)}
        self.now_ms = now_ms()

    def hold(self) -> None:
        words = "We meet on Thursdays and play for the line that the others did not see."
        club = tournaments.create_club(actor=self.actor, name=CLUB, about=words)
        odd = len(self.players) - 1 + len(self.players) % 2
        self._finished(club, self.players[:odd])
        self._running(club, self.players[: 2 * (min(12, len(self.players)) // 2)])
        self._open(club, self.players[1::2])
        self._seeks()

    # --- tournaments ---

    def _finished(self, club: Club, players: list[Player]) -> None:
        """An odd field, so that there are byes in its table."""
        rounds_ms = (FINISHED.rounds or 0) * ROUND_MS
        tournament = self._tournament(club, FINISHED, players)
        for number in range(1, (FINISHED.rounds or 0) + 1):
            at_ms = self.now_ms - 60 * MINUTE_MS - rounds_ms + (number - 1) * ROUND_MS
            self._round(tournament, number, at_ms)

    def _running(self, club: Club, players: list[Player]) -> None:
        """Two rounds are played; in the third one board is over and the others are in the middle."""
        tournament = self._tournament(club, RUNNING, players)
        for number in (1, 2):
            self._round(tournament, number, self.now_ms - (3 - number) * ROUND_MS - 10 * MINUTE_MS)
        self._round(tournament, 3, self.now_ms - 8 * MINUTE_MS, unfinished=True)

    def _open(self, club: Club, players: list[Player]) -> None:
        self._tournament(club, OPEN, players)

    def _tournament(self, club: Club, regulations: Regulations, players: list[Player]) -> Tournament:
        tournament = tournaments.create(actor=self.actor, wanted=regulations, club_slug=club.slug)
        for player in players:
            entries.enter(actor=Actor(player.pk), slug=tournament.slug)
        return tournament

    def _round(self, tournament: Tournament, number: int, at_ms: int, *, unfinished: bool = False) -> None:
        slug = tournament.slug
        with clock_at(at_ms):
            pairings.pair_next(actor=self.actor, slug=slug)
            rounds.start(actor=self.actor, slug=slug, number=number)
        rows = GameRow.objects.filter(event__slug=slug, event__round=number).order_by("event__board")
        games = [(row, self._game(row)) for row in rows]
        if unfinished:
            done = next(row for row in rows if not self._host_plays(row))
            games = [(row, game if row == done else self._cut(row, game)) for row, game in games]
        for row, game in sorted(games, key=lambda pair: pair[1].lasted_ms):
            self._judge(row, game)
        rounds.conclude(slug=slug)

    # --- games ---

    def _game(self, row: GameRow) -> play.Game:
        skills = self.skill[row.seat1_id], self.skill[row.seat2_id]
        return play.make_up(self.rng, rules=row.rules, control=row.control, skills=skills)

    def _host_plays(self, row: GameRow) -> bool:
        """Whether the first player sits at this board: hers is the one to look at first."""
        return self.players[0].pk in (row.seat1_id, row.seat2_id)

    def _cut(self, row: GameRow, game: play.Game) -> play.Game:
        """The game in the middle. The first player finds a line that his opponent has overlooked."""
        if not self._host_plays(row):
            return game.until(min(len(game.actions) - 1, self.rng.randint(7, 22)))
        seat = 1 if row.seat1_id == self.players[0].pk else 2
        while True:
            for count, state in enumerate(game.states[:-1], start=1):
                position = state.position
                if position.phase == "place" and position.to_act == seat and position.claimable():
                    return game.until(count)
            game = self._game(row)

    def _judge(self, row: GameRow, game: play.Game) -> None:
        """Lets the referee judge the actions as if each had arrived at its moment."""
        seats = {1: row.seat1_id, 2: row.seat2_id}
        commands = [
            Command(
                row.pk, seats[timed.seat], timed.action, timed.seq, row.created_ms + timed.after_ms, print
            )
            for timed in game.actions
        ]
        with clock_at(row.created_ms + game.lasted_ms):
            rulings, _updates = judge_batch(commands)
        assert all(ruling.ok for ruling in rulings), [ruling.code for ruling in rulings]

    # --- the lobby ---

    def _seeks(self) -> None:
        wanted = (
            Terms(control="turn=60", rated=True),
            Terms(rules="LS:F", claims="void", control="turn=30 bank=120"),
            Terms(rules="L:3", claims="void", control="bank=450"),
        )
        for player, terms in zip(self.players[2:5], wanted, strict=True):
            create_challenge(challenger=player, opponent=None, terms=terms)
