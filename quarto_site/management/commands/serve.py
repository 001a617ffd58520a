"""Serves the site: pages, sockets, and the referee with its sweep of deadlines."""

import asyncio
import gc
import signal
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DEFAULT_DB_ALIAS, connections

from quarto_site.checkpoints import Checkpoints
from quarto_site.management.alone import serve_alone
from quarto_site.management.migrated import refuse_unapplied_migrations


class Command(BaseCommand):
    help = "Serves pages and live games until SIGTERM or Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--bind", default="127.0.0.1:8000", metavar="HOST:PORT")
        parser.add_argument(
            "--metrics", metavar="HOST:PORT", help="where Prometheus may ask; by default nowhere"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = _address("--bind", options["bind"])
        metrics_at = _address("--metrics", options["metrics"]) if options["metrics"] else None
        try:
            refuse_unapplied_migrations()
            alone = serve_alone()
        finally:
            connections.close_all()
        if not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
            call_command("collectstatic", interactive=False, verbosity=0)
        if metrics_at is not None:
            _show_metrics(*metrics_at)
        with alone or nullcontext():
            code = _serve(host, port)
        sys.exit(code)


def _address(option: str, bind: str) -> tuple[str, int]:
    host, separator, port = bind.rpartition(":")
    if not (separator and host and port.isascii() and port.isdigit() and int(port) < 65536):
        raise CommandError(f"{option} must be HOST:PORT, not {bind!r}.")
    return host.strip("[]"), int(port)


def _show_metrics(host: str, port: int) -> None:
    from quarto_site import metrics

    try:
        metrics.serve(host, port)
    except OSError as error:
        raise CommandError(f"The metrics cannot be shown on {host}:{port}: {error}.") from error


def _serve(host: str, port: int) -> int:
    # Daphne installs its event loop when it is imported, so only a serving process may import it.
    from daphne.server import twisted_loop

    from games.api.events import end_waits
    from games.healing import Healer
    from games.live import publisher
    from games.referee import referee
    from quarto_site.accounts.watch import Watch
    from quarto_site.asgi import application
    from quarto_site.bounds import raise_limit_of_files
    from quarto_site.serving import LiveServer
    from tournaments import closing

    raise_limit_of_files()
    healer, watch = Healer(), Watch()
    relay = _relay(healer)

    async def stop_judging() -> None:
        await asyncio.get_running_loop().run_in_executor(None, referee.stop)
        end_waits()
        watch.stop()
        healer.stop()
        if relay is not None:
            await relay.stop()

    server = LiveServer(
        application,
        endpoints=[f"tcp:port={port}:interface={host.replace(':', chr(92) + ':')}"],
        on_drain=stop_judging,
        websocket_max_message_size=settings.FRAME_LIMIT_BYTES,
        websocket_max_frame_size=settings.FRAME_LIMIT_BYTES,
        websocket_timeout=-1,
        # As long, or a pong that comes after the next ping would not save its socket from the first one's end.
        ping_interval=settings.PING_SECONDS,
        ping_timeout=settings.PING_SECONDS,
        server_name="quarto",
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        twisted_loop.add_signal_handler(number, server.drain)
    # Every connection leaves cycles behind, which must be collected; what was loaded until now need not
    # be looked at each time, and collecting seldom keeps the pauses few while thousands are connected.
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 10, 10)
    publisher.start(twisted_loop, relay)
    if relay is not None:
        relay.start(twisted_loop)
    # Also alone: a commit whose answer was lost with the connection stands, and nobody has told of it.
    healer.start(twisted_loop)
    watch.start(twisted_loop)
    checkpoints = _checkpoints()
    if checkpoints is not None:
        checkpoints.start()
    referee.start()
    closing.catch_up()
    try:
        server.run()
    finally:
        referee.stop()
        publisher.stop()
        if checkpoints is not None:
            checkpoints.stop()
    return 1 if server.failed else 0


def _checkpoints() -> Checkpoints | None:
    database = settings.DATABASES[DEFAULT_DB_ALIAS]
    return Checkpoints(database["NAME"]) if database["ENGINE"].endswith("sqlite3") else None


def _relay(healer: Any) -> Any:
    """The way to the other processes of the site, where there may be any."""
    if not settings.CHANNEL_LAYERS:
        return None
    from channels.layers import get_channel_layer

    from games import presence
    from games.live import publisher
    from games.relay import Ears, Relay

    ears = Ears(publisher.hear, presence.heard, presence.forget, healer.opened, healer.recovered)
    return Relay(get_channel_layer(), ears)
