"""The sockets of a game, of the lobby and of a player."""

from functools import partial

from django.db import DatabaseError

from games import presence
from games.encoding import encode
from games.frames import BadFrame, action_in, reply_id_of
from games.hub import hub
from games.identity import Identity
from games.judge import Action
from games.queries.challenges import open_seeks
from games.queries.games import game_frames, state_bytes
from games.queries.inbox import inbox
from games.readers import read
from games.referee import UNAVAILABLE, Command, Ruling, referee
from games.sockets import NOT_FOUND, Later, Message, Refused, Socket


class GameSocket(Socket):
    """`/ws/games/<id>/`: the game once, then its state after every change, to players and watchers."""

    kind = "game"

    __slots__ = ("opening_seq", "seat")

    @property
    def game_id(self) -> str:
        return self.kwargs["game_id"]

    def rooms(self) -> list[str]:
        self.seat: int | None = None
        return [f"game:{self.game_id}"]

    def opening(self, identity: Identity) -> list[Message]:
        frames = game_frames(self.game_id, identity.player_id)
        if frames is None:
            raise Refused(NOT_FOUND)
        self.seat = frames[0]["you"]
        self.opening_seq: int = frames[1]["seq"]
        return frames

    def joined(self) -> None:
        address = f"game:{self.game_id}"
        hub.join(self, address, first=self.seat is not None)
        room = hub.rooms[address]
        room.seq = max(room.seq or 0, self.opening_seq)
        heard = self.opening_seq if room.delivered is None else room.delivered
        room.delivered = min(heard, self.opening_seq)
        presence.announce(self.game_id)

    def left(self) -> None:
        presence.announce(self.game_id)

    def receive_frame(self, frame: Message, received_ms: int) -> Later | None:
        match frame.get("do"):
            case "ping":
                self._pong(frame, received_ms)
            case "sync":
                return partial(self._sync, frame)
            case _:
                asked = action_in(frame)
                if asked is None:
                    raise BadFrame
                self._submit(frame, *asked, received_ms)
        return None

    def bad_frame(self, frame: Message) -> None:
        self._submit(frame, None, 0, 0)

    def _submit(self, frame: Message, action: Action | None, seq: int, received_ms: int) -> None:
        reply_id = reply_id_of(frame)

        def answer(ruling: Ruling) -> None:
            self.answer(ruling.reply(reply_id), state_follows=ruling.ok)

        player_id = self.identity.player_id
        referee.submit(Command(self.game_id, player_id, action, seq, received_ms, answer, reply_id))

    async def _sync(self, frame: Message) -> None:
        try:
            state = await read(state_bytes, self.game_id)
        except DatabaseError:
            state = UNAVAILABLE.reply(reply_id_of(frame))
        if state is not None:
            self.answer(state)

    def _pong(self, frame: Message, received_ms: int) -> None:
        t = frame.get("t")
        if isinstance(t, bool) or not isinstance(t, int | float | None):
            raise BadFrame
        seq = hub.rooms[f"game:{self.game_id}"].seq
        self.answer(encode({"type": "pong", "t": t, "now": received_ms, "seq": seq}))


class LobbySocket(Socket):
    """`/ws/lobby/`: the open seeks, whole, after every change."""

    kind = "lobby"

    __slots__ = ()

    def rooms(self) -> list[str]:
        return ["lobby"]

    def opening(self, identity: Identity) -> list[Message]:
        return [{"type": "seeks", "seeks": open_seeks()}]


class MySocket(Socket):
    """`/ws/me/`: game starts, challenges and notices of the player who opened it."""

    kind = "me"
    needs_player = True

    __slots__ = ()

    def rooms(self) -> list[str]:
        return [f"player:{self.identity.player_id}"]

    def opening(self, identity: Identity) -> list[Message]:
        assert identity.player_id is not None
        return inbox(identity.player_id)


class NoSuchSocket(Socket):
    """Any other address."""

    __slots__ = ()

    def opening(self, identity: Identity) -> list[Message]:
        raise Refused(NOT_FOUND)
