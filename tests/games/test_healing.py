"""What is looked up again, on a real database: a fact whose message was lost comes late, not never."""

import asyncio
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.db import connection
from knox.models import AuthToken

from games import healing, presence
from games.consumers import LobbySocket, MySocket
from games.healing import Healer, heal_games, heal_sockets
from games.hub import hub
from games.live import Update, publisher
from tests.games.seats import seek
from tests.games.tables import start
from tests.games.test_sockets import Line, Wire

pytestmark = pytest.mark.django_db(transaction=True)  # sockets read in threads of their own
WAIT_LIMIT_S = 5
LAYER_AWAY, LAYER_HEARD = SimpleNamespace(away=True), SimpleNamespace(away=False)


class Ear:
    def __init__(self, room):
        self.heard = []
        hub.join(self, room)

    def push(self, kind, frame):
        self.heard.append((kind, frame))


@pytest.fixture(autouse=True)
def nobody(monkeypatch):
    monkeypatch.setattr(healing, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(healing, "OPENED_AFTER_S", 0.01)
    yield
    for name in list(hub.rooms):
        for ear in list(hub.rooms[name]):
            hub.leave(ear, name)
    presence._due.clear()


def run(scenario, layer=None):
    async def main():
        publisher.start(asyncio.get_running_loop(), layer)
        try:
            async with asyncio.timeout(WAIT_LIMIT_S):
                await scenario
        finally:
            publisher.stop()

    asyncio.run(main())


async def until(fact):
    while not fact():  # noqa: ASYNC110 - the healer tells nobody else
        await asyncio.sleep(0.001)


@contextmanager
def healer_at_work():
    healer = Healer()
    healer.start(asyncio.get_running_loop())
    try:
        yield healer
    finally:
        healer.stop()


def bearer(player):
    _stored, token = AuthToken.objects.create(User.objects.get(pk=player.user_id))
    return [(b"authorization", f"Bearer {token}".encode())]


async def opened(kind, headers=()):
    return await Line(kind, Wire(), headers).open()


def seeks_in(line):
    """How many open seeks each frame of a lobby's socket had."""
    return [len(frame["seeks"]) for frame in line.wire.written]


@pytest.mark.parametrize("delivered", [None, 0])
def test_a_state_that_nobody_sent_is_delivered_once(ann, ben, delivered):
    game = start(ann, ben, "5")
    ear, room = Ear(f"game:{game.pk}"), hub.rooms[f"game:{game.pk}"]
    room.delivered = delivered

    async def scenario():
        for _time in range(2):
            await heal_games([f"game:{game.pk}", "game:nobody-looks"])
        [(kind, frame)] = ear.heard
        assert (kind, b'"seq":1,' in frame, room.delivered) == ("state", True, 1)

    run(scenario())


def test_a_board_that_has_heard_everything_hears_nothing_again(ann, ben):
    game = start(ann, ben, "5 a1")
    ear = Ear(f"game:{game.pk}")
    hub.rooms[f"game:{game.pk}"].delivered = 2
    run(heal_games([f"game:{game.pk}"]))
    assert ear.heard == []


def test_a_state_on_its_way_is_left_to_come_after_its_reply(ann, ben):
    game = start(ann, ben, "5")
    room = f"game:{game.pk}"
    ear = Ear(room)
    hub.rooms[room].delivered = game.seq - 1
    update = Update(game.pk, game.seq, b"{}", None, b"")

    async def scenario():
        told = partial(publisher.updates, [partial(ear.push, "reply", b"{}")], [update])
        asyncio.get_running_loop().call_later(0.02, told)
        await heal_games([room])

    run(scenario())
    assert [kind for kind, _frame in ear.heard] == ["reply", "state"]


def test_boards_are_looked_at_without_being_asked(ann, ben):
    game = start(ann, ben, "5")
    ear = Ear(f"game:{game.pk}")

    async def scenario():
        with healer_at_work():
            await until(lambda: ear.heard)

    run(scenario())


def test_a_board_that_was_opened_is_looked_at_before_its_turn(ann, ben, monkeypatch):
    monkeypatch.setattr(healing, "LOOK_EVERY_S", 3_600)
    first, second = (start(ann, ben, "5") for _board in range(2))

    async def scenario():
        with healer_at_work() as healer:
            healer._look_at = float("inf")
            ear, other = Ear(f"game:{first.pk}"), Ear(f"game:{second.pk}")
            healer.opened("lobby")
            healer.opened(f"game:{first.pk}")
            await until(lambda: ear.heard)
            assert other.heard == []

    run(scenario())


def test_after_a_gap_every_socket_hears_its_opening_facts_again(ann):
    async def scenario():
        line = await opened(LobbySocket)
        await asyncio.to_thread(seek, ann)
        publisher.stop()  # whatever was said of the seek has been lost
        line.wire.written.clear()
        with healer_at_work() as healer:
            healer.recovered()
            await until(lambda: line.wire.written)
            assert seeks_in(line) == [1]
        await line.close()

    run(scenario())


def test_without_a_gap_nobody_is_told_anything(ann, ben):
    game = start(ann, ben, "5")

    async def scenario():
        line, ear = await opened(LobbySocket), Ear(f"game:{game.pk}")
        with healer_at_work():
            await until(lambda: ear.heard)
            ear.heard.clear()
            hub.rooms[f"game:{game.pk}"].delivered = None
            await until(lambda: ear.heard)  # another round
        assert len(line.wire.written) == 1
        await line.close()

    run(scenario(), LAYER_HEARD)


def test_a_token_that_was_revoked_unheard_closes_its_sockets(ann, ben):
    revoked, kept = bearer(ann), bearer(ben)

    async def scenario():
        lines = [await opened(MySocket, headers) for headers in (revoked, kept)]
        await asyncio.to_thread(AuthToken.objects.filter(user_id=ann.user_id).delete)
        await heal_sockets()
        await until(lambda: lines[0].closed_with)
        assert [line.closed_with for line in lines] == [[4001], []]
        for line in lines:
            await line.close()

    run(scenario())


def test_a_session_that_ended_unheard_closes_its_sockets_though_strangers_may_watch(ann):
    """Nobody is a valid identity as well, but not the one that the socket was opened with."""
    headers = bearer(ann)

    async def scenario():
        line = await opened(LobbySocket, headers)
        line.socket.scope["headers"] = []
        await heal_sockets()
        await until(lambda: line.closed_with)
        assert line.closed_with == [4001]
        await line.close()

    run(scenario())


def test_while_the_layer_stays_away_sockets_are_looked_after_now_and_then(ann):
    async def scenario():
        line = await opened(LobbySocket)
        with healer_at_work():
            await until(lambda: len(line.wire.written) >= 3)
        await line.close()

    run(scenario(), LAYER_AWAY)


def rename(old, new):
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {old} RENAME TO {new}")


def test_a_gap_is_not_forgotten_while_the_database_is_away(caplog):
    async def scenario():
        line = await opened(LobbySocket)
        line.wire.written.clear()
        with healer_at_work() as healer:
            await asyncio.to_thread(rename, "games_challenge", "games_away")
            try:
                healer.recovered()
                await until(lambda: not healer._has_gap)
                await until(lambda: healer._has_gap)
            finally:
                await asyncio.to_thread(rename, "games_away", "games_challenge")
            assert line.wire.written == []
            await until(lambda: line.wire.written)
        await line.close()

    run(scenario())
    assert [record.message for record in caplog.records if record.name == "games.healing"] == []
