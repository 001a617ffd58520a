"""Starts the servers under test, each with a database of its own in a temporary directory, and stops them."""

import os
import re
import resource
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import httpx

from benchmarks.load import Seating

ROOT = Path(__file__).resolve().parent.parent
START_LIMIT_S, STOP_LIMIT_S = 60.0, 20.0
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_KB = os.sysconf("SC_PAGE_SIZE") / 1024
ACCOUNTS = 8
RAISED_LIMITS = {
    "QUARTO_FRAMES_PER_SECOND": "1000000",
    "QUARTO_FRAMES_BURST": "1000000",
    "QUARTO_SIGNUPS_PER_HOUR": "1000000",
    "QUARTO_SIGN_INS_PER_MINUTE": "1000000",
}


@dataclass(frozen=True, slots=True)
class Server:
    """A running process and where it listens."""

    process: subprocess.Popen[str]
    port: int

    def cpu_s(self) -> float:
        """The processor time of all its threads so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_kb(self) -> float:
        """Its resident memory now."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * PAGE_KB


def allow_many_sockets() -> None:
    """Raises this process's limit of open files, which the servers inherit."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def cores() -> tuple[set[int], set[int]]:
    """The core of the servers and that of the load, the same where there is one only."""
    available = sorted(os.sched_getaffinity(0))
    return {available[0]}, {available[-1]}


@contextmanager
def _running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[Server]:
    with log.open("w") as errors:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        os.sched_setaffinity(process.pid, cores()[0])
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://[^ ]+:(\d+)", line)
        if match is None:
            raise RuntimeError(f"{command[1]} did not start: {line}{log.read_text()}")
        _wait_for(int(match[1]))
        yield Server(process, int(match[1]))
    finally:
        process.terminate()
        try:
            process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(port: int) -> None:
    give_up_at = time.monotonic() + START_LIMIT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > give_up_at:
                raise
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def naive_server(directory: Path, games: int) -> Iterator[Server]:
    """The naive server with so many games."""
    command = [sys.executable, "-m", "benchmarks.naive", "--directory", str(directory)]
    command += ["--port", str(_free_port()), "--games", str(games)]
    with _running(command, {}, directory / "naive.log") as server:
        yield server


@contextmanager
def real_server(directory: Path, *, synchronous: str = "FULL") -> Iterator[Server]:
    """`manage.py serve` on a fresh database, with its limits raised."""
    database = f"sqlite:///{directory / 'real.sqlite3'}"
    with real_servers(directory, 1, database, QUARTO_SQLITE_SYNCHRONOUS=synchronous) as servers:
        yield servers[0]


@contextmanager
def real_servers(directory: Path, count: int, database: str, **settings: str) -> Iterator[list[Server]]:
    """So many `manage.py serve` on one fresh database, with their limits raised."""
    environment = RAISED_LIMITS | {
        "QUARTO_SECRET_KEY": secrets.token_hex(),
        "QUARTO_DATABASE_URL": database,
        "QUARTO_LOG_LEVEL": "WARNING",
        **settings,
    }
    manage = [sys.executable, "manage.py"]
    subprocess.run(
        [*manage, "migrate", "--verbosity", "0"], cwd=ROOT, env=os.environ | environment, check=True
    )
    serve = [*manage, "serve", "--bind", "127.0.0.1:0"]
    with ExitStack() as stack:
        yield [
            stack.enter_context(_running(serve, environment, directory / f"real{number}.log"))
            for number in range(count)
        ]


class NaiveVenue:
    """The games that the naive server was started with, in order."""

    def __init__(self, server: Server) -> None:
        self._address = f"ws://127.0.0.1:{server.port}/ws/games"
        self._number = 0

    def seatings(self, count: int) -> list[Seating]:
        numbers = range(self._number, self._number + count)
        self._number += count
        return [self._seating(number) for number in numbers]

    def _seating(self, number: int) -> Seating:
        watcher = f"{self._address}/g{number}/"
        return Seating(((f"{watcher}?seat=1", None), (f"{watcher}?seat=2", None)), watcher)

    def close(self) -> None:
        pass


class RealVenue:
    """Games made through the public interface: accounts, tokens, challenges.

    With several servers, each game is at one of them in turn, or `split`: its players at different ones.
    """

    def __init__(self, server: Server, *others: Server, split: bool = False) -> None:
        self._addresses = [f"ws://127.0.0.1:{one.port}/ws/games" for one in (server, *others)]
        self._next, self._split = cycle(range(1 + len(others))), split
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=60, trust_env=False)
        self._people = [self._join(letter) for letter in "abcefghj"[:ACCOUNTS]]

    def close(self) -> None:
        self._client.close()

    def seatings(self, count: int) -> list[Seating]:
        pairs = cycle(zip(self._people[::2], self._people[1::2], strict=True))
        return [self._seating(one, two) for one, two in islice(pairs, count)]

    def _join(self, letter: str) -> tuple[str, str]:
        account = {"username": f"bench-{letter}{letter}", "password": secrets.token_urlsafe(15)}
        self._post("/api/accounts/", account)
        return account["username"], str(self._post("/api/tokens/", account)["token"])

    def _seating(self, one: tuple[str, str], two: tuple[str, str]) -> Seating:
        terms = {"opponent": two[0], "rules": "L:F", "claims": "void", "control": "turn=3600", "rated": False}
        challenge = self._post("/api/challenges/", terms, one[1])
        game = self._post(f"/api/challenges/{challenge['id']}/accept/", {}, two[1])["game"]
        first = next(self._next)
        second = (first + 1) % len(self._addresses) if self._split else first
        addresses = [f"{self._addresses[number]}/{game}/" for number in (first, second)]
        return Seating(((addresses[0], one[1]), (addresses[1], two[1])), addresses[0])

    def _post(self, path: str, body: Mapping[str, object], token: str | None = None) -> dict[str, object]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = self._client.post(path, json=body, headers=headers)
        if response.is_error:
            raise RuntimeError(f"POST {path}: {response.status_code} {response.text[:300]}")
        answer: dict[str, object] = response.json()
        return answer
