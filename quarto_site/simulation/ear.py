"""A socket on one game, as a spectator has it."""

import asyncio
import json
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from quarto_site.simulation.site import ClientConnection, Site
from quarto_site.simulation.witness import Witness

PATIENCE_S = 150.0
CONNECTIONS = 5
NO_OFFENCE = (1001, 1006, 1012, 4012)
"""Close codes that say nothing about what the client did: gone, lost, restarting."""

Frame = dict[str, Any]


class Stuck(Exception):
    """This board cannot go on, in words."""


class Ear:
    """A socket on one game that passes on everything it hears to the witness. `who` names it in reports."""

    def __init__(
        self, site: Site, witness: Witness, *, who: str, token: str | None, seat: int | None
    ) -> None:
        self.site, self.witness = site, witness
        self.who, self.token, self.seat = who, token, seat
        self.state: Frame = {"seq": -1, "status": "waiting"}
        self.syncing = False
        self._socket: ClientConnection | None = None
        self._losses = 0

    @property
    def over(self) -> bool:
        return bool(self.state["status"] == "over")

    async def connect(self) -> None:
        """Open the socket (again) and take in the game as it stands; raises Stuck."""
        await self.close()
        self.syncing = False
        for attempt in range(CONNECTIONS):
            try:
                self._socket = await self.site.game_socket(self.witness.game_id, self.token)
                frame = await self._receive()
                break
            except (OSError, InvalidHandshake, ConnectionClosed) as error:
                reason = str(error) or type(error).__name__
                await asyncio.sleep(0.2 * 2**attempt)
        else:
            raise Stuck(f"{self.who} cannot open the socket: {reason}")
        if frame.get("type") != "game":
            raise Stuck(f"{self.who} was told {frame.get('type')!r} first, and not the game")
        self.witness.hear_game(frame, who=self.who, seat=self.seat)
        if "state" in frame:
            self._take(frame["state"])
        while self.state["seq"] < 0:
            await self.hear()

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def listen(self) -> None:
        """Hear everything until the game is over."""
        await self.connect()
        try:
            while not self.over:
                try:
                    await self.hear()
                except ConnectionClosed as loss:
                    await self.connect_after(loss)
        finally:
            await self.close()

    async def connect_after(self, loss: ConnectionClosed) -> None:
        """Come back after the server or the network ended the connection; raises Stuck."""
        code = loss.rcvd.code if loss.rcvd else 1006
        self._losses += 1
        if code not in NO_OFFENCE or self._losses > CONNECTIONS:
            raise Stuck(f"{self.who} lost the socket with code {code}")
        await self.connect()

    async def hear(self) -> Frame:
        """The next frame, after the witness has heard it; raises Stuck, ConnectionClosed."""
        text = await self._receive_text()
        frame: Frame = json.loads(text)
        if frame.get("type") == "state":
            new = 0 <= self.state["seq"] < frame["seq"] and not self.syncing
            self.witness.hear_state(frame, who=self.who, sent=text if new else None)
            self._take(frame)
        return frame

    async def send(self, frame: Frame) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps(frame))

    async def send_text(self, text: str) -> None:
        assert self._socket is not None
        await self._socket.send(text)

    async def _receive(self) -> Frame:
        frame: Frame = json.loads(await self._receive_text())
        return frame

    async def _receive_text(self) -> str:
        assert self._socket is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                text = await self._socket.recv()
        except TimeoutError:
            raise Stuck(
                f"{self.who} heard nothing for {PATIENCE_S:.0f} s at seq {self.state['seq']}"
            ) from None
        if not isinstance(text, str):
            raise Stuck(f"{self.who} was sent a binary frame")
        return text

    def _take(self, state: Frame) -> None:
        if state["seq"] >= self.state["seq"]:
            self.state = state
