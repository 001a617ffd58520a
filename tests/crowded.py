"""Rows in bulk, past the services: a site with many players, games and tournaments."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from django.contrib.auth.models import User

from games.models import Game
from games.services.games import Terms, new_game
from ratings.models import Player, Pool, Rating, RatingChange
from tournaments.models import Board, Entry, Participation, Result, Round, Staff, Tournament

BATCH = 500
RECORD = "1.@5{1.200} a1{3.400} 2.@6{2.100} b1{5.000} R2"
BEGUN_MS = 1_750_000_000_000


def people(count: int, *, prefix: str = "player", pool: str = Pool.L) -> list[Player]:
    """Players with accounts, each rated in the pool."""
    names = [f"{prefix}{number:05}" for number in range(count)]
    users = User.objects.bulk_create([User(username=name) for name in names], batch_size=BATCH)
    players = Player.objects.bulk_create(
        [
            Player(username=user.username, name=user.username, name_key=user.username, user=user)
            for user in users
        ],
        batch_size=BATCH,
    )
    ratings = [
        Rating(player=player, pool=pool, rating=Decimal(1000 + number % 1500), games=30)
        for number, player in enumerate(players)
    ]
    Rating.objects.bulk_create(ratings, batch_size=BATCH)
    return players


def between(pairs: Sequence[tuple[Player, Player]], *, status: str = "over") -> list[Game]:
    """A game for each pair, one a second; where they are over, seat 1 won and both were rated."""
    made = []
    terms = Terms(rules="L:F", claims="lose", control="turn=60", rated=True)
    pattern = new_game(seat1=pairs[0][0], seat2=pairs[0][1], terms=terms)
    plain = {
        field.attname: getattr(pattern, field.attname)
        for field in Game._meta.concrete_fields
        if field.name not in ("id", "seat1", "seat2", "created_ms", "mark_ms")
    }
    over = {"status": "over", "deadline_ms": None, "result": "1-0", "termination": "resign", "record": RECORD}
    for number, (one, two) in enumerate(pairs):
        at_ms = BEGUN_MS + 1000 * number
        given = plain | {"created_ms": at_ms, "mark_ms": at_ms}
        if status == "over":
            given |= over | {"ended_ms": at_ms + 500}
        made.append(Game(seat1_id=one.pk, seat2_id=two.pk, **given))
    Game.objects.bulk_create(made, batch_size=BATCH)
    if status == "over":
        _rate(made)
    return made


def _rate(played: Sequence[Game]) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    shared = {"pool": Pool.L, "before": 1500, "opponent_before": 1500, "expected": Decimal("0.5"), "k": 40,
              "rated_at": at}  # fmt: skip
    changes = []
    for game in played:
        for player, opponent, half_points in (
            (game.seat1_id, game.seat2_id, 2),
            (game.seat2_id, game.seat1_id, 0),
        ):
            changes.append(
                RatingChange(
                    game_id=game.pk, player_id=player, opponent_id=opponent, half_points=half_points,
                    change=20 * (half_points - 1), **shared,
                )
            )  # fmt: skip
    RatingChange.objects.bulk_create(changes, batch_size=BATCH)


def tournament(organiser: Player, field: Sequence[Player], rounds: int, *, slug: str) -> Tournament:
    """A Swiss with this field (of even size), `rounds` of its rounds complete and one more still on."""
    made = Tournament.objects.create(
        slug=slug, name=slug, format="swiss", rounds=rounds + 1, status="running", first_seat=1,
        tiebreaks=["BH-C1", "BH", "SB", "DE", "WIN"],
    )  # fmt: skip
    Staff.objects.create(tournament=made, player=organiser, role="organiser")
    entries = Entry.objects.bulk_create(
        [
            Entry(tournament=made, player=player, number=number, rating=2500 - number)
            for number, player in enumerate(field, 1)
        ],
        batch_size=BATCH,
    )
    for number in range(1, rounds + 2):
        _round(made, entries, number, is_over=number <= rounds)
    return made


def _round(made: Tournament, entries: Sequence[Entry], number: int, *, is_over: bool) -> None:
    """Pairs as a round robin of circles does, so that nobody meets twice; the starter wins."""
    round_ = Round.objects.create(tournament=made, number=number, status="complete" if is_over else "running")
    turn = [entries[0], *entries[number:], *entries[1:number]]
    half = len(turn) // 2
    pairs = list(zip(turn[:half], reversed(turn[half:]), strict=True))
    played = between(
        [(one.player, two.player) for one, two in pairs], status="over" if is_over else "waiting"
    )
    result = Result.STARTER_WON if is_over else None
    boards = Board.objects.bulk_create(
        [
            Board(round=round_, number=at, starter=one, second=two, result=result, game=game)
            for at, ((one, two), game) in enumerate(zip(pairs, played, strict=True), 1)
        ],
        batch_size=BATCH,
    )
    Participation.objects.bulk_create(
        [
            Participation(round=round_, entry_id=entry_id, kind="paired", board=board, seat=seat)
            for board in boards
            for seat, entry_id in ((1, board.starter_id), (2, board.second_id))
        ],
        batch_size=BATCH,
    )
