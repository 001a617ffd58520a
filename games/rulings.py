"""What the referee is asked and what it answers."""

from collections.abc import Callable
from typing import NamedTuple

from games.encoding import encode
from games.errors import Unavailable
from games.judge import Action
from games.refusals import REFUSALS


class Ruling(NamedTuple):
    """The answer to one action. `state` is there for a refusal: the current state, encoded. `seat` asked."""

    code: str | None
    detail: str
    seq: int | None
    state: bytes | None
    seat: int | None = None

    @property
    def ok(self) -> bool:
        return self.code is None

    def reply(self, reply_id: str | int | None) -> bytes:
        """The reply frame."""
        frame = {"type": "reply", "id": reply_id, "ok": self.ok, "seq": self.seq}
        if self.ok:
            return encode(frame)
        head = encode(frame | {"code": self.code, "detail": self.detail})
        return head if self.state is None else head[:-1] + b',"state":' + self.state + b"}"


class Command(NamedTuple):
    """One action as it was received. `action` is None for a frame that could not be understood;
    `answer` is called once, after the commit. `action_id` is the client's own, for the log."""

    game_id: str
    player_id: int | None
    action: Action | None
    seq: int
    received_ms: int
    answer: Callable[[Ruling], object]
    action_id: str | int | None = None


UNAVAILABLE = Ruling(Unavailable.code, str(REFUSALS[Unavailable.code]), None, None)
NO_SUCH_GAME = Ruling("not_found", "There is no such game.", None, None)
