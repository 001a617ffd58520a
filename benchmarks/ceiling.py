"""The ceiling: the real server's rules, rows and writer behind the barest websocket server there is for Python.

The referee, the bench and the hub are those of the real server, the database is as durable as its. There is no
ASGI, no Daphne, no page, nobody signs in and nobody is guarded against: what the real server takes more than this
is the price of its front. Whoever connects says which seat is his.
"""

import argparse
import asyncio
import gc
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

from benchmarks.standalone import configure, create_games


def listeners(players: tuple[int, int]) -> Any:
    """The factory of the sockets. The games' modules can be imported only once the settings are there."""
    from games.encoding import encode
    from games.frames import action_in, state_frame
    from games.hub import hub
    from games.models import Game
    from games.referee import Command, Ruling, referee
    from games.rows import state_of
    from games.servertime import now_ms

    def opening(game_id: str, seat: int | None) -> bytes:
        state = state_frame(game_id, state_of(Game.objects.get(pk=game_id)), at_ms=now_ms())
        return encode({"type": "game", "you": seat, "state": state})

    class Listener(WSListener):
        def __init__(self, game_id: str, seat: int | None) -> None:
            self.game_id, self.seat = game_id, seat
            self.player_id = None if seat is None else players[seat - 1]
            self.transport: WSTransport | None = None

        def on_ws_connected(self, transport: WSTransport) -> None:
            self.transport = transport
            asyncio.get_running_loop().run_in_executor(
                None, opening, self.game_id, self.seat
            ).add_done_callback(self.join)

        def join(self, opening: "asyncio.Future[bytes]") -> None:
            hub.join(self, f"game:{self.game_id}", first=self.seat is not None)
            self.push("game", opening.result())

        def on_ws_disconnected(self, transport: WSTransport) -> None:
            self.transport = None
            hub.leave(self, f"game:{self.game_id}")

        def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
            if frame.msg_type != WSMsgType.TEXT:
                return
            asked = json.loads(frame.get_payload_as_bytes())
            action, seq = action_in(asked) or (None, 0)
            reply_id = asked.get("id")

            def answer(ruling: Ruling) -> None:
                self.push("reply", ruling.reply(reply_id))

            referee.submit(Command(self.game_id, self.player_id, action, seq, now_ms(), answer))

        def push(self, kind: str, frame: bytes) -> None:
            if self.transport is not None:
                self.transport.send(WSMsgType.TEXT, frame)

        def shut(self, code: int) -> None:
            if self.transport is not None:
                self.transport.send_close(code)

    def make(request: WSUpgradeRequest) -> Listener:
        url = urlsplit(request.path.decode())
        seat = url.query.removeprefix("seat=")
        return Listener(url.path.split("/")[3], int(seat) if seat else None)

    return make


async def serve(port: int, players: tuple[int, int]) -> None:
    """Serves until it is killed."""
    from games.live import publisher
    from games.referee import referee

    publisher.start(asyncio.get_running_loop())
    referee.start()
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 10, 10)
    server = await ws_create_server(listeners(players), "127.0.0.1", port)
    print(f"Listening on http://127.0.0.1:{port}", flush=True)
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ceiling", description=__doc__)
    parser.add_argument("--directory", type=Path, required=True, help="for the database")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--games", type=int, default=50)
    options = parser.parse_args()
    configure(options.directory / "ceiling.sqlite3")
    players = create_games(options.games)
    asyncio.run(serve(options.port, players))


if __name__ == "__main__":
    main()
