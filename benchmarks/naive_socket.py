"""The naive consumer. Imported once the settings are there."""

from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.db import transaction

from games.frames import state_frame
from games.judge import REFUSALS, Action, judge
from games.models import Game
from games.rows import put, state_of
from games.servertime import now_ms

Frame = dict[str, Any]


class NaiveSocket(AsyncJsonWebsocketConsumer):
    """Whoever connects says which seat is his: there is nothing to guard here."""

    async def connect(self) -> None:
        self.game_id = self.scope["url_route"]["kwargs"]["game_id"]
        seat = self.scope["query_string"].decode().removeprefix("seat=")
        self.seat = int(seat) if seat else None
        await self.channel_layer.group_add(self.game_id, self.channel_name)
        await self.accept()
        await self.send_json({"type": "game", "you": self.seat, "state": await self.present()})

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.game_id, self.channel_name)

    async def receive_json(self, content: Frame, **kwargs: Any) -> None:
        reply, state = await self.act(content)
        await self.send_json(reply)
        if reply["ok"]:
            await self.channel_layer.group_send(self.game_id, {"type": "changed", "state": state})

    async def changed(self, event: Frame) -> None:
        await self.send_json(event["state"])

    @database_sync_to_async
    def present(self) -> Frame:
        return state_frame(self.game_id, state_of(Game.objects.get(pk=self.game_id)), at_ms=now_ms())

    @database_sync_to_async
    def act(self, content: Frame) -> tuple[Frame, Frame]:
        asked = Action(*(content.get(name) for name in ("do", "piece", "square", "line")))
        with transaction.atomic():
            game = Game.objects.select_for_update().get(pk=self.game_id)
            judgement = judge(state_of(game), self.seat, asked, seq=content.get("seq"), at_ms=now_ms())
            state = judgement.state
            if judgement.accepted:
                put(game, state, ended_ms=now_ms() if state.status == "over" else None)
                game.save()
        frame = state_frame(self.game_id, state, at_ms=now_ms())
        reply: Frame = {"type": "reply", "id": content.get("id"), "ok": judgement.accepted, "seq": state.seq}
        if judgement.code is not None:
            reply |= {"code": judgement.code, "detail": REFUSALS[judgement.code].__doc__, "state": frame}
        return reply, frame
