"""Where games are played: how each server gets its next games, and who may sit at them."""

from typing import Any

import httpx

from benchmarks.dialects import Boardgame, Colyseus, Dialect, Json, Place
from benchmarks.load import Seating
from benchmarks.servers import Server


class OpenVenue:
    """The naive server, the ceiling and the bare broadcast: whoever comes says which seat is his."""

    dialect: Dialect = Json()

    def __init__(self, server: Server) -> None:
        self._address = f"ws://127.0.0.1:{server.port}/ws/games"
        self._number = 0

    def seatings(self, count: int, watchers: int) -> list[Seating]:
        numbers = range(self._number, self._number + count)
        self._number += count
        return [self._seating(f"{self._address}/g{number}/", watchers) for number in numbers]

    def _seating(self, url: str, watchers: int) -> Seating:
        players = Place(f"{url}?seat=1", 1), Place(f"{url}?seat=2", 2)
        return Seating(players, (Place(url),) * watchers)


class RealVenue:
    """The games that the database was filled with, each with the tokens of its players."""

    dialect: Dialect = Json()

    def __init__(self, server: Server, games: list[dict[str, Any]]) -> None:
        self._address = f"ws://127.0.0.1:{server.port}/ws/games"
        self._games = iter(games)

    def seatings(self, count: int, watchers: int) -> list[Seating]:
        return [self._seating(next(self._games), watchers) for _game in range(count)]

    def _seating(self, game: dict[str, Any], watchers: int) -> Seating:
        url = f"{self._address}/{game['game']}/"
        one, two = (Place(url, token=token) for token in game["tokens"])
        return Seating((one, two), (Place(url),) * watchers)


class NodeVenue:
    """Makes games over HTTP."""

    def __init__(self, server: Server) -> None:
        self._port = server.port
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=60, trust_env=False)

    def close(self) -> None:
        self._client.close()

    def _post(self, path: str, body: dict[str, object]) -> dict[str, Any]:
        answer: dict[str, Any] = self._client.post(path, json=body).raise_for_status().json()
        return answer


class BoardgameVenue(NodeVenue):
    """boardgame.io: a match, joined by two players; anybody may watch."""

    dialect: Dialect = Boardgame()

    def seatings(self, count: int, watchers: int) -> list[Seating]:
        return [self._seating(watchers) for _game in range(count)]

    def _seating(self, watchers: int) -> Seating:
        game = self._post("/games/quarto/create", {"numPlayers": 2})["matchID"]
        url = f"ws://127.0.0.1:{self._port}/socket.io/?EIO=4&transport=websocket"
        one, two = (self._join(game, seat, url) for seat in (1, 2))
        return Seating((one, two), (Place(url, game=game),) * watchers)

    def _join(self, game: str, seat: int, url: str) -> Place:
        who: dict[str, object] = {"playerID": str(seat - 1), "playerName": f"player {seat}"}
        joined = self._post(f"/games/quarto/{game}/join", who)
        return Place(url, seat, joined["playerCredentials"], game)


class ColyseusVenue(NodeVenue):
    """Colyseus: a room, and in it a place for everybody who comes."""

    dialect: Dialect = Colyseus()

    def seatings(self, count: int, watchers: int) -> list[Seating]:
        return [self._seating(watchers) for _game in range(count)]

    def _seating(self, watchers: int) -> Seating:
        first = self._post("/matchmake/create/quarto", {"seat": 1})
        join = f"/matchmake/joinById/{first['roomId']}"
        second = self._post(join, {"seat": 2})
        others = (self._post(join, {}) for _watcher in range(watchers))
        return Seating(
            (self._place(first, 1), self._place(second, 2)), tuple(self._place(one, None) for one in others)
        )

    def _place(self, reserved: dict[str, Any], seat: int | None) -> Place:
        path = f"{reserved['processId']}/{reserved['roomId']}?sessionId={reserved['sessionId']}"
        return Place(f"ws://127.0.0.1:{self._port}/{path}", seat)


Venue = OpenVenue | RealVenue | BoardgameVenue | ColyseusVenue
