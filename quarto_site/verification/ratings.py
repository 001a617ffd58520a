"""Ratings against the games that count."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from django.db.models import Exists, OuterRef

from games.bench import HALF_POINTS
from games.judge import rated
from games.models import Game, Status
from games.rows import state_of
from ratings import elo
from ratings.models import Rating, RatingChange

CHUNK = 500

Strengths = dict[tuple[str, int], elo.Strength]
Share = tuple[str, int, int]  # pool, player, half points


def rating_differences(counts: Counter[str]) -> Iterator[str]:
    """Rates everything again, in order, and compares every change and every rating; then holds the
    changes against the games: each that counts changed both its players once, no other anybody."""
    strengths: Strengths = {}
    yield from _change_differences(strengths, counts)
    yield from _final_differences(strengths, counts)
    yield from _game_differences(counts)


def _change_differences(strengths: Strengths, counts: Counter[str]) -> Iterator[str]:
    """Every stored change against the one computed; goes on with the computed ones."""
    half: dict[str, RatingChange] = {}
    for row in RatingChange.objects.order_by("pk").iterator(chunk_size=CHUNK):
        counts["rating changes"] += 1
        first = half.pop(row.game_id, None)
        if first is None:
            half[row.game_id] = row
        elif not _mirror(first, row):
            yield f"game {row.game_id}: its two rating changes do not belong together"
        else:
            yield from _pair_differences(first, row, strengths)
    for game_id in half:
        yield f"game {game_id}: it changed the rating of one player only"


def _mirror(first: RatingChange, second: RatingChange) -> bool:
    return (first.pool, first.player_id, first.opponent_id) == (
        second.pool,
        second.opponent_id,
        second.player_id,
    ) and first.half_points + second.half_points == 2


def _pair_differences(first: RatingChange, second: RatingChange, strengths: Strengths) -> Iterator[str]:
    own, other = (first.pool, first.player_id), (second.pool, second.player_id)
    made = elo.rate_next(strengths, own, other, first.half_points)
    for row, computed in zip((first, second), made, strict=True):
        stored = _stored(row)
        if stored != computed:
            words = f"{_words(stored)}, recomputed {_words(computed)}"
            yield f"game {row.game_id}, player {row.player_id}: {words}"


def _stored(row: RatingChange) -> elo.Change:
    return elo.Change(row.before, row.opponent_before, row.half_points, row.expected, row.k, row.change)


def _words(made: elo.Change) -> str:
    return (
        f"{made.before} against {made.opponent_before}, expected {made.expected}, K {made.k}, "
        f"change {made.change:+}"
    )


def _final_differences(strengths: Strengths, counts: Counter[str]) -> Iterator[str]:
    """Every stored rating against the sum of its changes."""
    left = dict(strengths)
    for row in Rating.objects.order_by("pk").iterator(chunk_size=CHUNK):
        counts["ratings"] += 1
        computed = left.pop((row.pool, row.player_id), elo.Strength())
        stored = elo.Strength(row.rating, row.games, row.reached_2400)
        if stored != computed:
            words = f"{_standing(stored)}, recomputed {_standing(computed)}"
            yield f"player {row.player_id}, pool {row.pool}: rating {words}"
    for pool, player_id in left:
        yield f"player {player_id}, pool {pool}: the rating is missing"


def _standing(strength: elo.Strength) -> str:
    reached = " (2400 reached)" if strength.reached_2400 else ""
    return f"{strength.rating} after {strength.games} games{reached}"


def _game_differences(counts: Counter[str]) -> Iterator[str]:
    """The changes that there are against those that the finished games call for."""
    over = Game.objects.filter(status=Status.OVER).order_by("pk").iterator(chunk_size=CHUNK)
    while games := list(islice(over, CHUNK)):
        stored = _shares(game.pk for game in games)
        for game in games:
            called_for = _called_for(game)
            counts["rated games"] += bool(called_for)
            if stored.get(game.pk, set()) != called_for:
                yield f"game {game.pk}: {_mismatch(called_for, stored.get(game.pk, set()))}"
    finished = Game.objects.filter(pk=OuterRef("game_id"), status=Status.OVER)
    orphans = RatingChange.objects.filter(~Exists(finished)).order_by("pk")
    for game_id in dict.fromkeys(orphans.values_list("game_id", flat=True).iterator(chunk_size=CHUNK)):
        yield f"game {game_id}: it changed ratings and is no finished game"


def _shares(game_ids: Iterable[str]) -> dict[str, set[Share]]:
    shares: dict[str, set[Share]] = {}
    rows = RatingChange.objects.filter(game_id__in=list(game_ids))
    for row in rows.iterator(chunk_size=CHUNK):
        shares.setdefault(row.game_id, set()).add((row.pool, row.player_id, row.half_points))
    return shares


def _called_for(game: Game) -> set[Share]:
    """Both players' shares where the game counts, none where it does not."""
    try:
        state = state_of(game)
    except ValueError:  # said where games are held against their records
        return set()
    if not game.rated or state.result is None or not rated(state):
        return set()
    half_points, pool = HALF_POINTS[state.result], state.position.rules.lines
    return {(pool, game.seat1_id, half_points), (pool, game.seat2_id, 2 - half_points)}


def _mismatch(called_for: set[Share], stored: set[Share]) -> str:
    if not stored:
        return "it counts and changed no rating"
    if not called_for:
        return "it does not count and changed ratings"
    return "its rating changes are of another result, pool or player"
