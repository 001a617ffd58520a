"""Short words for what organisers do, used by the tests of tournaments."""

from collections.abc import Sequence
from random import Random
from typing import Any

from django.contrib.auth.models import User

from games.judge import Action
from games.models import Game
from games.referee import Command, judge_batch
from games.servertime import now_ms
from ratings.models import Player
from tournaments.models import Entry, Round, Tournament
from tournaments.policies import Actor
from tournaments.regulations import Regulations
from tournaments.services import entries, pairings, results, rounds, tournaments


def person(name: str) -> Player:
    """A player with an account."""
    user = User.objects.create(username=name.lower())
    return Player.objects.create(username=name.lower(), name=name, name_key=name.lower(), user=user)


def actor(player: Player) -> Actor:
    return Actor(player.pk)


def open_tournament(organiser: Player, **terms: Any) -> Tournament:
    """Over the board unless said otherwise: results are entered, no game is started."""
    publish = terms.pop("publish", True)
    terms = {"name": "Thursday", "over_the_board": True} | terms
    return tournaments.create(actor=actor(organiser), wanted=Regulations(**terms), publish=publish)


def enter_players(tournament: Tournament, organiser: Player, size: int) -> list[Entry]:
    """`size` guests, G01 the best rated."""
    return entries.add_list(
        actor=actor(organiser),
        slug=tournament.slug,
        names="\n".join(f"G{number:02}" for number in range(1, size + 1)),
    )


def pair_and_start(tournament: Tournament, organiser: Player) -> Round:
    paired, _made = pairings.pair_next(actor=actor(organiser), slug=tournament.slug)
    return rounds.start(actor=actor(organiser), slug=tournament.slug, number=paired.number)


def enter_results(
    tournament: Tournament, organiser: Player, round_: Round, choose: Sequence[str] | Random = ("1-0",)
) -> None:
    """Closes every open board of a round, in turn with the given results, or with random ones."""
    open_boards = round_.boards.filter(result=None).order_by("number")
    for index, number in enumerate(open_boards.values_list("number", flat=True)):
        result = (
            choose.choice(["1-0", "0-1", "1/2-1/2", "1-0F", "0-1F", "0-0F"])
            if isinstance(choose, Random)
            else choose[index % len(choose)]
        )
        results.enter_result(
            actor=actor(organiser),
            slug=tournament.slug,
            round_number=round_.number,
            board_number=number,
            result=result,
        )


def play_round(tournament: Tournament, organiser: Player, choose: Sequence[str] | Random = ("1-0",)) -> Round:
    round_ = pair_and_start(tournament, organiser)
    enter_results(tournament, organiser, round_, choose)
    round_.refresh_from_db()
    return round_


def act(game: Game, player: Player, do: str, **arguments: str) -> None:
    """One action of a live game, judged now."""
    game.refresh_from_db()
    command = Command(game.pk, player.pk, Action(do, **arguments), game.seq, now_ms(), lambda ruling: None)
    rulings, _updates = judge_batch([command])
    assert rulings[0].ok, rulings[0]
    game.refresh_from_db()


def resign(game: Game, loser: Player) -> None:
    """Both act, so that the game counts, and one gives up."""
    act(game, game.seat1, "give", piece="0")
    act(game, game.seat2, "place", square="a1")
    act(game, loser, "resign")
