"""The contestants: each server with its venue, started when it is first asked for, stopped at the end."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.servers import Server, install_peers, node_server, real_server, standalone_server
from benchmarks.sizes import Sizes
from benchmarks.tables import say
from benchmarks.venues import BoardgameVenue, ColyseusVenue, OpenVenue, RealVenue, Venue

NAIVE, QUARTO, CEILING, BOARDGAME, COLYSEUS, WS = "naive", "quarto", "ceiling", "boardgame", "colyseus", "ws"
TITLES = {
    NAIVE: "naive: stock consumer, a transaction per action",
    QUARTO: "this server",
    CEILING: "ceiling: same rules and writer behind bare picows",
    BOARDGAME: "boardgame.io 0.50 (stores nothing)",
    COLYSEUS: "Colyseus 0.17 (stores nothing)",
    WS: "bare ws broadcast (no rules, stores nothing)",
}


@dataclass(frozen=True, slots=True)
class Contestant:
    name: str
    server: Server
    venue: Venue


class Meter:
    """Reads a server's processor time at each call."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._readings: list[float] = []

    def __call__(self) -> None:
        self._readings.append(self._server.cpu_s())

    @property
    def seconds(self) -> float:
        """Between each first and second call."""
        pairs = zip(self._readings[::2], self._readings[1::2], strict=True)
        return sum(after - before for before, after in pairs)


class Field:
    """Every contestant that was asked for. A context manager: at its end all are stopped."""

    def __init__(self, directory: Path, sizes: Sizes, synchronous: str) -> None:
        self.directory, self.synchronous = directory, synchronous
        self._sizes = sizes
        self._stack = ExitStack()
        self._started: dict[str, Contestant] = {}

    def __enter__(self) -> "Field":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def contestant(self, name: str) -> Contestant:
        if name not in self._started:
            self._started[name] = self._START[name](self, name)
        return self._started[name]

    def stop(self) -> None:
        """Stops all that run, so that they take nothing from what is measured next."""
        self._stack.close()
        self._started.clear()

    def _standalone(self, name: str) -> Contestant:
        server = self._stack.enter_context(standalone_server(name, self.directory, self._sizes.pool))
        return Contestant(name, server, OpenVenue(server))

    def _real(self, name: str) -> Contestant:
        started = real_server(
            self.directory, name, "--live", str(self._sizes.pool), synchronous=self.synchronous
        )
        server, told = self._stack.enter_context(started)
        return Contestant(name, server, RealVenue(server, told["games"]))

    def _node(self, name: str) -> Contestant:
        install_peers()
        server = self._stack.enter_context(node_server(name, self.directory))
        if name == WS:
            return Contestant(name, server, OpenVenue(server))
        venue = BoardgameVenue(server) if name == BOARDGAME else ColyseusVenue(server)
        self._stack.enter_context(closing(venue))
        return Contestant(name, server, venue)

    _START: dict[str, Callable[["Field", str], Contestant]] = {
        NAIVE: _standalone,
        QUARTO: _real,
        CEILING: _standalone,
        BOARDGAME: _node,
        COLYSEUS: _node,
        WS: _node,
    }


def in_turn(
    what: str,
    rounds: int,
    contestants: Sequence[Contestant],
    measure: Callable[[Contestant], dict[str, Any]],
    told: Callable[[dict[str, Any]], str],
) -> list[dict[str, Any]]:
    """A row for each contestant and round: all take their turn in each. `told` is what is said of a row."""
    rows = []
    for number in range(1, rounds + 1):
        for contestant in contestants:
            row = {"server": contestant.name, "round": number} | measure(contestant)
            rows.append(row)
            say(f"{what}, round {number}, {contestant.name}: {told(row)}")
    return rows
