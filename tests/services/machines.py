"""PostgreSQL and Redis of one's own: on free ports, with their files in a temporary folder."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.server import PATIENCE_S, let_pass

POSTGRES_BINARIES = "/usr/lib/postgresql"


def binary(name: str) -> str | None:
    """The path of a program, also where Debian puts those of PostgreSQL and of administrators."""
    debian = sorted(Path(POSTGRES_BINARIES).glob(f"*/bin/{name}"))
    places = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    return shutil.which(name, path=places) or (str(debian[-1]) if debian else None)


def missing() -> list[str]:
    """The Debian packages that these tests lack."""
    wanted = {"initdb": "postgresql", "postgres": "postgresql", "redis-server": "redis-server"}
    return sorted({package for name, package in wanted.items() if binary(name) is None})


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class Machine:
    """A service as a process of its own; `start` and `stop` as often as one likes, on the same port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="quarto-service-"))
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def answers(self) -> bool:
        """Whether it can be used."""
        raise NotImplementedError

    def user(self) -> str | None:
        """As whom it runs, where not as oneself."""
        return None

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, stdout=log, stderr=log, **run_as(self.user())
            )
        self._wait_until(self.answers)

    def stop(self) -> None:
        process, self.process = self.process, None
        assert process is not None
        process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def log(self) -> str:
        return (self.folder / "log").read_text()

    def restart(self) -> None:
        self.stop()
        self.start()

    def remove(self) -> None:
        if self.process is not None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_until(self, ready: Callable[[], bool]) -> None:
        for _attempt in range(20 * PATIENCE_S):
            if ready():
                return
            let_pass(0.05)
        raise AssertionError(self.log())


def run_as(user: str | None) -> dict[str, object]:
    """Options for `subprocess` that start a program as another user."""
    if user is None:
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


class Postgres(Machine):
    """PostgreSQL refuses to run as root: there it runs as the user that its package has made."""

    def __init__(self) -> None:
        super().__init__()
        user = self.user()
        if user is not None:
            shutil.chown(self.folder, user, user)
        made = subprocess.run(
            [str(binary("initdb")), "-D", str(self.folder / "base"), "-U", "quarto", "--auth=trust",
             "--no-sync", "--encoding=UTF8", "--locale=C"],
            cwd=self.folder, capture_output=True, text=True, check=False, **run_as(user),
        )  # fmt: skip
        assert made.returncode == 0, made.stderr

    def user(self) -> str | None:
        return "postgres" if os.getuid() == 0 else None

    def command(self) -> list[str]:
        settings = ("fsync=off", "full_page_writes=off", "max_connections=100", "unix_socket_directories=")
        return [
            str(binary("postgres")), "-D", str(self.folder / "base"), "-h", "127.0.0.1", "-p", str(self.port),
            *(part for setting in settings for part in ("-c", setting)),
        ]  # fmt: skip

    def answers(self) -> bool:
        with suppress(psycopg.OperationalError), psycopg.connect(self.url("postgres")):
            return True
        return False

    def url(self, name: str) -> str:
        return f"postgresql://quarto@127.0.0.1:{self.port}/{name}"

    def create(self, name: str, template: str = "template1") -> str:
        """A new database, as a copy of another; returns its address."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)


class Redis(Machine):
    def command(self) -> list[str]:
        return [
            str(binary("redis-server")), "--port", str(self.port), "--bind", "127.0.0.1",
            "--save", "", "--appendonly", "no", "--dir", str(self.folder),
        ]  # fmt: skip

    def answers(self) -> bool:
        with suppress(OSError):
            return self.ask("PING") == "+PONG"
        return False

    def ask(self, command: str) -> str:
        """The first line of its answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(100).decode().partition("\r\n")[0]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"
