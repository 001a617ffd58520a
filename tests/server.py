"""A real server process on its own database file, for tests that talk to it from outside."""

import fcntl
import os
import shutil
import signal
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SEATING = """
from django.db import transaction
from games.services.games import Terms, new_game, start_games
from ratings.models import Player
one, two = (Player.objects.get(username=name) for name in ({0!r}, {1!r}))
games = []
for terms in {2!r}:
    event = terms.pop("event", None)
    games.append(new_game(seat1=one, seat2=two, terms=Terms(**terms), event=event))
with transaction.atomic():
    start_games(games)
print(*(game.pk for game in games))
"""

ROOT = Path(__file__).parent.parent
MANIFEST = ROOT / "var/static/staticfiles.json"
PATIENCE_S = 20

# Tests start many sockets and accounts from one address, and passwords are many.
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "tests.served",
    "QUARTO_SECRET_KEY": "only-for-tests",
    "QUARTO_SIGNUPS_PER_HOUR": "1000000",
    "QUARTO_SIGN_INS_PER_MINUTE": "1000000",
    "QUARTO_FRAMES_PER_SECOND": "100000",
    "QUARTO_FRAMES_BURST": "100000",
}


def environment_for(database: Path | str, **settings: object) -> dict[str, str]:
    """What a process of the site needs, and nothing of the settings of whoever runs the tests.

    The database is a file, or the address of one at a database server.
    """
    address = database if isinstance(database, str) else f"sqlite:///{database}"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("QUARTO_", "DJANGO_"))}
    given = {f"QUARTO_{name.upper()}": str(value) for name, value in settings.items()}
    return kept | ENVIRONMENT | {"QUARTO_DATABASE_URL": address} | given


def manage(
    database: Path | str, *arguments: str, stdin: str = "", **settings: object
) -> subprocess.CompletedProcess:
    """Runs a command of the site to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment_for(database, **settings),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def migrated_database(path: Path) -> Path:
    """A new database with every migration, as one file."""
    made = manage(path, "migrate", "--verbosity", "0")
    assert made.returncode == 0, made.stderr
    return path


def collect_static_files(database: Path | str) -> None:
    """Brings the static files up to date; of several test processes one does it."""
    MANIFEST.parent.mkdir(parents=True, exist_ok=True)
    with (MANIFEST.parent.parent / "collect.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_up_to_date():
            made = manage(database, "collectstatic", "--no-input", "--verbosity", "0")
            assert made.returncode == 0, made.stderr
            MANIFEST.touch()


def _is_up_to_date() -> bool:
    if not MANIFEST.exists():
        return False
    sources = (path for app in ROOT.glob("*/static") if app.parent.name != "var" for path in app.rglob("*"))
    return max(path.stat().st_mtime for path in sources) < MANIFEST.stat().st_mtime


def let_pass(seconds: float) -> None:
    """Lets time pass: the only place that does, for outages and deadlines are made of it."""
    time.sleep(seconds)


class Server:
    """`manage.py serve` as a process of its own.

    `folder` is where its database and its log are. The port is chosen at the first start and kept,
    so that clients find the server again after a restart. `tls` is what its clients need to know of TLS.
    """

    tls: ssl.SSLContext | None = None

    def __init__(
        self,
        folder: Path,
        database: Path | str,
        *,
        log_name: str = "server.log",
        arguments: tuple[str, ...] = (),
        **settings: object,
    ) -> None:
        self.arguments = arguments
        self.database: Path | str = database
        if isinstance(database, Path):  # a file is copied, a database at a server is used as it is
            self.database = folder / "quarto.sqlite3"
            shutil.copy(database, self.database)
        self.log_file = folder / log_name
        self.settings = settings
        self.process: subprocess.Popen[str] | None = None
        self.port = 0
        self.may_log_errors = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def next_url(self) -> str:
        """Where the next client goes, of several processes that serve the same games."""
        return self.url

    def next_socket_url(self) -> str:
        return self.socket_url

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> "Server":
        """Starts, and returns once it listens and judges, outages credited."""
        beaten = self._beat()
        with self.log_file.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--bind", f"127.0.0.1:{self.port}", *self.arguments],
                cwd=ROOT,
                env=environment_for(self.database, **self.settings),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Listening on http://"), line + self.log()
        self.port = int(line.rsplit(":", 1)[1])
        limit = time.monotonic() + PATIENCE_S
        while self._beat() == beaten:
            assert time.monotonic() < limit, self.log()
        return self

    def _beat(self) -> int | None:
        rows = self.rows("SELECT beat_ms FROM games_heartbeat")
        return rows[0][0] if rows else None

    def stop(self) -> int:
        """Asks it to end, as a service manager does; returns its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        """Ends it without a word, as a power cut does."""
        return self._end(signal.SIGKILL)

    def _end(self, number: int) -> int:
        process, self.process = self.process, None
        assert process is not None and process.stdout is not None
        process.send_signal(number)
        try:
            return process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            process.stdout.close()

    def freeze(self) -> None:
        """Stops the process as a whole, as a machine does that swaps or is moved."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def log(self) -> str:
        return self.log_file.read_text()

    def rows(self, query: str, *arguments: Any) -> list[tuple[Any, ...]]:
        """Reads its database behind its back."""
        connection = sqlite3.connect(self.database, timeout=PATIENCE_S)
        try:
            return connection.execute(query, arguments).fetchall()
        finally:
            connection.close()

    def change(self, query: str, *arguments: Any) -> None:
        """Changes its database behind its back."""
        connection = sqlite3.connect(self.database, timeout=PATIENCE_S)
        try:
            with connection:
                connection.execute(query, arguments)
        finally:
            connection.close()

    def manage(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess:
        """Runs another command of the site on its database."""
        return manage(self.database, *arguments, stdin=stdin, **self.settings)

    def seat(self, starter: str, second: str, *terms: dict[str, Any]) -> list[str]:
        """Games on terms that nobody can ask for from outside; an `event` makes one a tournament's."""
        made = self.manage("shell", "-v0", "-c", SEATING.format(starter, second, list(terms)))
        assert made.returncode == 0, made.stderr
        return made.stdout.split()

    def status(self, field: str) -> int:
        """A number of the kernel's about the process: `Threads`, or `VmRSS` in kB."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            name, _colon, value = line.partition(":")
            if name == field:
                return int(value.split()[0])
        raise AssertionError(field)


@contextmanager
def serving(folder: Path, database: Path, **settings: object) -> Iterator[Server]:
    """A server for the time of a block; at its end it must have gone well, without a word of trouble."""
    with running(Server(folder, database, **settings)) as server:
        yield server


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """As `serving`, for a server that is made already."""
    server.start()
    try:
        yield server
    except BaseException:
        if server.process is not None:
            server.thaw()
            server.kill()
        raise
    code = 0 if server.process is None else server.stop()
    log = server.log()
    assert code == 0, log
    troubles = [
        line for line in log.splitlines() if "Traceback" in line or " ERROR " in line or " CRITICAL " in line
    ]
    assert server.may_log_errors or not troubles, log
