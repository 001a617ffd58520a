"""Starts the servers under test, each with a database of its own in a temporary directory, and stops them."""

import json
import os
import re
import resource
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "benchmarks" / "peers"
INSTALLED_PEERS = ROOT / "var" / "bench" / "peers"
START_LIMIT_S, STOP_LIMIT_S, INSTALL_LIMIT_S, SEED_LIMIT_S = 60.0, 20.0, 300.0, 300.0
AVAILABLE_CORES = sorted(os.sched_getaffinity(0))
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_KB = os.sysconf("SC_PAGE_SIZE") / 1024
RAISED_LIMITS = {"QUARTO_FRAMES_PER_SECOND": "1000000", "QUARTO_FRAMES_BURST": "1000000"}


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
    return {AVAILABLE_CORES[0]}, {AVAILABLE_CORES[-1]}


@contextmanager
def _running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[Server]:
    with log.open("w") as errors:
        process = subprocess.Popen(
            command, cwd=ROOT, env=_clean() | environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        os.sched_setaffinity(process.pid, cores()[0])
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://[^ ]+:(\d+)", line)
        if match is None:
            raise RuntimeError(f"{' '.join(command[:3])} did not start: {line}{log.read_text()}")
        _wait_for(int(match[1]))
        yield Server(process, int(match[1]))
    finally:
        process.terminate()
        try:
            process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


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


def _clean() -> dict[str, str]:
    """This process's environment without settings of a server of one's own."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("QUARTO_", "DJANGO_"))}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def standalone_server(name: str, directory: Path, games: int) -> Iterator[Server]:
    """`benchmarks.naive` or `benchmarks.ceiling`, with so many games."""
    command = [sys.executable, "-m", f"benchmarks.{name}", "--directory", str(directory)]
    command += ["--port", str(free_port()), "--games", str(games)]
    with _running(command, {}, directory / f"{name}.log") as server:
        yield server


def site_environment(database: str, synchronous: str = "FULL") -> dict[str, str]:
    """The settings of a site under test."""
    return RAISED_LIMITS | {
        "DJANGO_SETTINGS_MODULE": "quarto_site.settings",
        "QUARTO_SECRET_KEY": secrets.token_hex(),
        "QUARTO_DATABASE_URL": database,
        "QUARTO_SQLITE_SYNCHRONOUS": synchronous,
        "QUARTO_LOG_LEVEL": "WARNING",
    }


@contextmanager
def serving(
    directory: Path, name: str, environment: dict[str, str], *seed: str, processes: int = 1
) -> Iterator[tuple[list[Server], Any]]:
    """`manage.py serve`, so many times, on a database filled by `benchmarks.seed`; yields them and what the filling
    tells."""
    told = run_module("seed", *seed, environment=environment)
    command = [sys.executable, "manage.py", "serve", "--bind", "127.0.0.1:0"]
    with ExitStack() as stack:
        logs = (directory / f"{name}-{number}.log" for number in range(processes))
        yield [stack.enter_context(_running(command, environment, log)) for log in logs], told


@contextmanager
def real_server(directory: Path, name: str, *seed: str, synchronous: str) -> Iterator[tuple[Server, Any]]:
    """One process of a site with SQLite."""
    environment = site_environment(f"sqlite:///{directory / name}.sqlite3", synchronous)
    with serving(directory, name, environment, *seed) as ([server], told):
        yield server, told


def run_module(name: str, *arguments: str, environment: dict[str, str]) -> Any:
    """Runs a module of this package to its end; returns what it prints as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *arguments],
        cwd=ROOT,
        env=_clean() | environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=SEED_LIMIT_S,
        check=True,
    )
    return json.loads(done.stdout)


@contextmanager
def node_server(name: str, directory: Path) -> Iterator[Server]:
    """One of the peers from npm."""
    environment = {"NODE_PATH": str(INSTALLED_PEERS / "node_modules"), "NODE_ENV": "production"}
    command = [_tool("node"), str(PEERS / f"{name}.js")]
    with _running(command, environment, directory / f"{name}.log") as server:
        yield server


def install_peers() -> None:
    """Installs the peers into var/bench/peers, where their exact versions are not there already."""
    wanted, installed = PEERS / "package.json", INSTALLED_PEERS / "installed.json"
    if installed.exists() and installed.read_text() == wanted.read_text():
        return
    INSTALLED_PEERS.mkdir(parents=True, exist_ok=True)
    shutil.copy(wanted, INSTALLED_PEERS / "package.json")
    print("installing the peers from npm ...", file=sys.stderr)
    subprocess.run(
        [_tool("npm"), "install", "--no-package-lock", "--ignore-scripts", "--loglevel=error"],
        cwd=INSTALLED_PEERS,
        stdout=sys.stderr,
        timeout=INSTALL_LIMIT_S,
        check=True,
    )
    shutil.copy(wanted, installed)


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise SystemExit(f"{name} is missing: the peers need Node.js 20 or newer with npm.")
    return path
