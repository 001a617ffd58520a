"""People in their roles, and the situations in which the rows of the matrix are tried."""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.contrib.auth.hashers import make_password

from games.models import Game, Heartbeat
from games.servertime import now_ms
from games.services.games import Terms, new_game, start_games
from quarto_site.accounts.services import make_token
from quarto_site.models import Ban
from ratings.models import Player
from tests.games.seats import challenge, finished, seek
from tests.tournaments.evening import actor, enter_results, open_tournament, person
from tournaments.models import Board, Entry, Staff, Tournament
from tournaments.services import entries, pairings, rounds, tournaments

PASSWORD = "four in a row"
PEOPLE = {
    "player": "cleo", "seat": "ann", "opponent": "ben", "organiser": "olga", "other organiser": "otto",
    "arbiter": "arthur", "staff": "stella",
}  # fmt: skip
OTHERS = ("dora", "emil")
A_WHILE_MS = 600_000


@dataclass
class World:
    """`values` fill the variables of addresses; `hand` is a board of seat and opponent, as the form names it."""

    people: dict[str, Player]
    values: dict[str, object] = field(default_factory=dict)
    tournament: Tournament | None = None
    hand: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, role: str) -> Player:
        return self.people[role]


def populated() -> World:
    people = {role: person(name) for role, name in PEOPLE.items()}
    password = make_password(PASSWORD)
    for role, player in people.items():
        player.user.password, player.user.is_staff = password, role == "staff"
        player.user.save()
    open_tournament(people["other organiser"], name="Elsewhere")
    Heartbeat.objects.create(beat_ms=now_ms() + A_WHILE_MS)  # as if judging went on
    return World(people, {"username": "ann"})


def _game(world: World, where: str) -> None:
    game = new_game(seat1=world["seat"], seat2=world["opponent"], terms=Terms())
    start_games([game])
    world.values["game_id"] = game.pk


def _finished_game(world: World, where: str) -> None:
    world.values["game_id"] = finished(world["seat"], world["opponent"]).pk


def _seek(world: World, where: str) -> None:
    world.values["challenge_id"] = seek(world["seat"]).pk


def _challenge(world: World, where: str) -> None:
    world.values["challenge_id"] = challenge(world["seat"], world["opponent"]).pk


def _token(world: World, where: str) -> None:
    world.values["token_key"] = make_token(user=world["seat"].user)[:15]


def _banned(world: World, where: str) -> None:
    Ban.objects.create(user=person("Frida").user)
    world.values["username"] = "frida"


def _draft(world: World, where: str) -> None:
    """Four players, in boards of two as they are entered; seat and opponent are on the first."""
    organiser = world["organiser"]
    made = open_tournament(organiser, name="Cup", rounds=3, over_the_board=False, publish=where != "draft")
    Staff.objects.create(tournament=made, player=world["arbiter"], role=Staff.Role.ARBITER)
    for player in (world["seat"], world["opponent"], *map(person, OTHERS)):
        entries.add(actor=actor(organiser), slug=made.slug, username=player.username)
    entry = Entry.objects.get(tournament=made, player=world["seat"])
    world.tournament = made
    world.hand = {"starter1": entry.pk, "second1": entry.pk + 1}
    world.values |= {"slug": made.slug, "entry_id": entry.pk, "number": 1, "board": 1}


def _away(world: World, where: str) -> None:
    _draft(world, where)
    entries.request_absence(
        actor=actor(world["organiser"]), slug="cup", entry_id=world.values["entry_id"], round_number=1, kind="zero"
    )  # fmt: skip


def _paired(world: World, where: str) -> None:
    _draft(world, where)
    field_ = list(
        Entry.objects.filter(tournament=world.tournament).order_by("pk").values_list("pk", flat=True)
    )
    boards = list(zip(field_[::2], field_[1::2], strict=True))
    pairings.pair_by_hand(actor=actor(world["organiser"]), slug="cup", boards=boards)


def _running(world: World, where: str) -> None:
    _paired(world, where)
    rounds.start(actor=actor(world["organiser"]), slug="cup", number=1)
    world.values["game_id"] = Game.objects.get(seat1=world["seat"]).pk


def _paused(world: World, where: str) -> None:
    _running(world, where)
    tournaments.pause_games(actor=actor(world["organiser"]), slug="cup")


def _between_rounds(world: World, where: str) -> None:
    _running(world, where)
    enter_results(world.tournament, world["organiser"], Board.objects.first().round)


def _withdrawn(world: World, where: str) -> None:
    _between_rounds(world, where)
    entries.withdraw(actor=actor(world["organiser"]), slug="cup", entry_id=world.values["entry_id"])


SITUATIONS: dict[str, Callable[[World, str], None]] = {
    "": lambda _world, _where: None,
    "a game": _game,
    "a finished game": _finished_game,
    "a seek": _seek,
    "a challenge": _challenge,
    "a token": _token,
    "banned": _banned,
    "draft": _draft,
    "open": _draft,
    "away": _away,
    "paired": _paired,
    "running": _running,
    "paused": _paused,
    "between rounds": _between_rounds,
    "withdrawn": _withdrawn,
}


def world_of(situation: str) -> World:
    world = populated()
    SITUATIONS[situation](world, situation)
    return world
