"""Reads about games: the objects of the protocol, lists, and the whole record as a text."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, overload

from django.db.models import Q, QuerySet

from games.clock import TimeControl
from games.encoding import encode
from games.frames import game_frame, seat_of, state_frame
from games.models import Game, Status
from games.notation import GameRecord, read_movetext, write_record
from games.rows import state_of
from games.rules import ClaimPolicy, Rules
from games.servertime import now_ms
from ratings.models import Player


def find_game(game_id: str) -> Game | None:
    """A game with its players, or None."""
    return Game.objects.select_related("seat1", "seat2").filter(pk=game_id).first()


def game_frames(game_id: str, player_id: int | None) -> list[dict[str, Any]] | None:
    """The two frames that open a game's socket: `game` with its `state`, and that state again, so that
    a client may take every state from the same kind of frame."""
    game = find_game(game_id)
    if game is None:
        return None
    opening = as_object(game, player_id)
    return [opening, opening["state"]]


def present_state(game: Game) -> dict[str, Any]:
    """The `state` of a row."""
    return state_frame(game.pk, state_of(game), at_ms=now_ms())


def as_object(game: Game, player_id: int | None) -> dict[str, Any]:
    """The `game` object with its `state`, as REST gives it."""
    return game_frame(game, you=seat_of(game, player_id)) | {"state": present_state(game)}


def game_object(game_id: str, player_id: int | None) -> dict[str, Any] | None:
    """The `game` object of one game with its `state`, or None."""
    game = find_game(game_id)
    return None if game is None else as_object(game, player_id)


def state_bytes(game_id: str) -> bytes | None:
    """The `state` frame of a game as it is sent, or None."""
    game = Game.objects.filter(pk=game_id).first()
    return None if game is None else encode(present_state(game))


def state_after(game_id: str, seq: int) -> bytes | None:
    """The `state` frame where its seq is greater, else None."""
    game = Game.objects.filter(pk=game_id, seq__gt=seq).first()
    return None if game is None else encode(present_state(game))


def seq_of(game_id: str) -> int | None:
    """The present seq, or None where there is no such game."""
    return Game.objects.filter(pk=game_id).values_list("seq", flat=True).first()


def seqs_of(game_ids: Collection[str]) -> list[tuple[str, int]]:
    """The present seq of each of these games."""
    return list(Game.objects.filter(pk__in=game_ids).values_list("pk", "seq"))


def states_of(game_ids: Collection[str]) -> list[tuple[str, int, bytes]]:
    """The `state` frames of these games as they are sent, with the seq of each."""
    games = Game.objects.filter(pk__in=game_ids)
    return [(game.pk, game.seq, encode(present_state(game))) for game in games]


def games_by_status(status: str | None = None) -> QuerySet[Game]:
    """Games with their players, the newest first; `live` means all that are not over."""
    games = Game.objects.select_related("seat1", "seat2").order_by("-created_ms", "pk")
    if status is None:
        return games
    if status == Status.LIVE:
        return games.filter(status__in=[Status.WAITING, Status.LIVE, Status.PAUSED])
    return games.filter(status=status)


class GameList(Sequence[Game]):
    """Games by status with their players, the newest first.

    A slice finds its ids in an index and reads only the rows of these, however far down it is.
    """

    def __init__(self, status: str | None = None) -> None:
        self._games = games_by_status(status)

    def __len__(self) -> int:
        return self._games.count()

    @overload
    def __getitem__(self, places: int) -> Game: ...
    @overload
    def __getitem__(self, places: slice) -> list[Game]: ...
    def __getitem__(self, places: int | slice) -> Game | list[Game]:
        if isinstance(places, int):
            return self[places : places + 1][0]
        here = self._games.select_related(None).values("pk")[places]
        return list(games_by_status().filter(pk__in=here))


def live_games(at_most: int = 32) -> list[Game]:
    """The newest games that are not over."""
    return list(games_by_status(Status.LIVE)[:at_most])


def games_of(player: Player) -> QuerySet[Game]:
    """All games of a player, the newest first."""
    return games_by_status().filter(Q(seat1=player) | Q(seat2=player))


def open_games_of(player: Player) -> list[Game]:
    """A player's games that are not over."""
    return list(games_of(player).exclude(status=Status.OVER))


def record_text(game: Game) -> str:
    """The whole game record: headers and movetext."""
    event = game.event or {}
    begun = datetime.fromtimestamp(game.created_ms / 1000, tz=UTC)
    headers = {
        "Event": event.get("name", "Rated game" if game.rated else "Casual game"),
        "Site": "?",
        "Date": begun.strftime("%Y.%m.%d"),
        "Round": str(event.get("round", "-")),
        "Board": str(event.get("board", "-")),
        "Player1": game.seat1.name,
        "Player2": game.seat2.name,
        "Elo1": str(game.seat1_rating),
        "Elo2": str(game.seat2_rating),
        "Lot": game.lot,
    }
    items, _result = read_movetext(f"{game.record} {game.result or '*'}".strip())
    rules, claims = Rules.parse(game.rules), ClaimPolicy.parse(game.claims)
    control = TimeControl.parse(game.control)
    return write_record(GameRecord(headers, rules, claims, control, items, game.result, game.termination))
