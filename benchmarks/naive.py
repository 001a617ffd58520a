"""The naive server: what one writes first with the same libraries. The baseline of every ratio.

A stock JSON consumer; each action is one ORM transaction on a thread; the in-memory layer carries each state to
each socket, which encodes it again. The rules, the judge, the rows and the database's settings are those of the
real server, so that the difference is the design alone.
"""

import argparse
from pathlib import Path

from benchmarks.standalone import configure, create_games


def serve(port: int, games: int) -> None:
    """Creates the games and serves them until it is killed. Daphne installs its event loop when imported."""
    from channels.routing import ProtocolTypeRouter, URLRouter
    from daphne.server import Server
    from django.urls import path

    from benchmarks.naive_socket import NaiveSocket

    create_games(games)
    routes = URLRouter([path("ws/games/<str:game_id>/", NaiveSocket.as_asgi())])
    print(f"Listening on http://127.0.0.1:{port}", flush=True)
    Server(
        ProtocolTypeRouter({"websocket": routes}), endpoints=[f"tcp:port={port}:interface=127.0.0.1"]
    ).run()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.naive", description=__doc__)
    parser.add_argument("--directory", type=Path, required=True, help="for the database")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--games", type=int, default=50)
    options = parser.parse_args()
    configure(options.directory / "naive.sqlite3")
    serve(options.port, options.games)


if __name__ == "__main__":
    main()
