"""The socket of a tournament: its present round, its boards, and word of new standings."""

from games.identity import Identity
from games.sockets import NOT_FOUND, Message, Refused, Socket
from tournaments.errors import NotFound
from tournaments.policies import Actor
from tournaments.queries.live import opening_frames


class TournamentSocket(Socket):
    """`/ws/tournaments/<slug>/`: `round`, `board` and `standings`, each a whole fact."""

    kind = "tournament"

    __slots__ = ()

    def rooms(self) -> list[str]:
        return [f"event:{self.kwargs['slug']}"]

    def opening(self, identity: Identity) -> list[Message]:
        try:
            return opening_frames(self.kwargs["slug"], Actor(identity.player_id, identity.is_staff))
        except NotFound as error:
            raise Refused(NOT_FOUND) from error
