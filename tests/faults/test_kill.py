"""A process that is killed in the middle of play loses nothing that it has acknowledged."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Condition

import httpx
from websockets.exceptions import WebSocketException

from tests.clients import Board, Person

KILLS = 10
TABLES = 4
SQUARES = [f"{file}{rank}" for rank in range(1, 5) for file in "abcd"]


def tokens_of(record):
    """The actions in a record, without times and numbers, and without the notes of outages."""
    bare = re.sub(r"\{outage: [^}]*\}|\{[\d.]+\}|\d+\.(?=@)", "", record)
    return bare.split()


def next_action(state):
    """Pieces from 0 to F on the squares from a1 to d4, and a pass in both end windows."""
    placed = sum(token in SQUARES for token in tokens_of(state["record"]))
    match state["phase"]:
        case "give":
            return {"do": "give", "piece": "0123456789ABCDEF"[placed]}
        case "place":
            return {"do": "place", "square": SQUARES[placed]}
    return {"do": "pass"}


def token_of(action):
    return f"@{action['piece']}" if "piece" in action else action.get("square", "--")


class Table:
    """One table, both of whose players are played here; remembers what the server acknowledged, by game."""

    def __init__(self, players: tuple[Person, Person], on_ack: Callable[[], None]) -> None:
        self.players, self.on_ack = players, on_ack
        self.acknowledged: dict[str, list[str]] = {}
        self.game_id: str | None = None
        self.sent: tuple[dict[str, str], int] | None = None

    def play(self) -> None:
        """Plays one game after the other until the connection breaks."""
        with suppress(WebSocketException, OSError, httpx.TransportError):
            while True:
                if self.game_id is None:
                    self.game_id = self.players[0].challenge(self.players[1])
                    self.acknowledged[self.game_id] = []
                with self.boards() as boards:
                    self.resend(boards)
                    self._play_to_the_end(boards)
                self.game_id = None

    @contextmanager
    def boards(self) -> Iterator[list[Board]]:
        assert self.game_id is not None
        with ExitStack() as stack:
            boards = []
            for player in self.players:
                boards.append(player.board(self.game_id))
                stack.callback(boards[-1].close)
            yield boards

    def _play_to_the_end(self, boards: list[Board]) -> None:
        by_seat = {board.game["you"]: board for board in boards}
        state = by_seat[1].sync()
        while state["status"] != "over":
            actor = by_seat[state["to_act"]]
            actor.reach(state["seq"])
            self.sent = next_action(state), state["seq"]
            reply = actor.act(**self.sent[0], seq=self.sent[1])
            assert reply["ok"], reply
            self._acknowledge()
            state = actor.reach(reply["seq"])

    def _acknowledge(self) -> None:
        assert self.sent is not None and self.game_id is not None
        self.acknowledged[self.game_id].append(token_of(self.sent[0]))
        self.sent = None
        self.on_ack()

    def resend(self, boards: list[Board]) -> None:
        """Sends the action again whose reply was lost: whether it had been judged or not, it counts once."""
        assert self.game_id is not None
        acknowledged = self.acknowledged[self.game_id]
        assert tokens_of(boards[0].state["record"])[: len(acknowledged)] == acknowledged
        if self.sent is None:
            return
        action, seq = self.sent
        done = [board.act(**action, seq=seq)["ok"] for board in boards]
        if not any(done) and tokens_of(boards[0].sync()["record"]) == acknowledged:
            # An outage was credited in between: the action is sent on the state that this made.
            done = [board.act(**action, seq=boards[0].seq)["ok"] for board in boards]
            assert any(done)
        self._acknowledge()
        assert tokens_of(boards[0].sync()["record"]) == acknowledged


def test_ten_kills_in_mid_game_lose_and_double_nothing_acknowledged(serve, people):
    server = serve()
    players = people(server)
    acks, changed = 0, Condition()

    def count():
        nonlocal acks
        with changed:
            acks += 1
            changed.notify_all()

    tables = [Table(players, count) for _table in range(TABLES)]
    with ThreadPoolExecutor(TABLES) as pool:
        for kill in range(KILLS):
            playing = [pool.submit(table.play) for table in tables]
            with changed:
                wanted = acks + 10 + 7 * kill % 11  # in different places of the games
                assert changed.wait_for(lambda wanted=wanted: acks >= wanted, timeout=60)
            server.kill()
            for table in playing:
                table.result()
            server.start()
    for table in tables:
        if table.game_id is not None:
            with table.boards() as boards:
                table.resend(boards)
    acknowledged = {
        game_id: tokens for table in tables for game_id, tokens in table.acknowledged.items() if tokens
    }
    recorded = {
        game_id: tokens_of(record) for game_id, record in server.rows("SELECT id, record FROM games_game")
    }
    # A game that nobody had begun may hold the note of an outage, and no action.
    assert {game_id: tokens for game_id, tokens in recorded.items() if tokens} == acknowledged
    assert acks >= 10 * KILLS
    verified = server.manage("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr
