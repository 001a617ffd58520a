import asyncio
import threading

import pytest

from games import live
from games.hub import hub
from games.live import Publisher, Update, close, publish, publisher


def update(seq, board=b"board", slug=None):
    return Update("1", seq, b"state %d" % seq, slug, board)


class Ear:
    def __init__(self, room):
        self.heard = []
        hub.join(self, room)

    def push(self, kind, frame):
        self.heard.append((kind, frame))

    def shut(self, code):
        self.heard.append(code)


@pytest.fixture
def ear():
    ears = []

    def join(room):
        ears.append((Ear(room), room))
        return ears[-1][0]

    yield join
    for one, room in ears:
        hub.leave(one, room)


def on_a_loop(function, turns=3):
    """Runs a function in another thread while a loop runs here, as a server does."""

    async def main():
        publisher.start(asyncio.get_running_loop())
        await asyncio.to_thread(function)
        for _turn in range(turns):
            await asyncio.sleep(0)

    try:
        asyncio.run(main())
    finally:
        publisher.stop()


def test_where_no_sockets_are_served_nothing_happens(ear):
    one = ear("lobby")
    publish("lobby", {"type": "seeks"})
    close("lobby", 4001)
    Publisher().updates([lambda: one.shut(1)], [update(1)])
    assert one.heard == []


def test_a_frame_from_any_thread_is_delivered_on_the_loop(ear):
    one, threads = ear("lobby"), []
    one.push = lambda kind, frame: threads.append((threading.current_thread(), kind, frame))
    on_a_loop(lambda: publish("lobby", {"type": "seeks", "seeks": []}))
    assert threads == [(threading.main_thread(), "seeks:", b'{"type":"seeks","seeks":[]}')]


def test_news_of_two_games_do_not_replace_each_other(ear):
    one = ear("player:1")
    on_a_loop(lambda: [publish("player:1", {"type": "game_start", "game": game}) for game in ("a", "b")])
    assert [kind for kind, _frame in one.heard] == ["game_start:a", "game_start:b"]


def test_the_answer_comes_before_the_state(ear):
    one = ear("game:1")
    on_a_loop(lambda: publisher.updates([lambda: one.heard.append("answer")], [update(1)]))
    assert one.heard == ["answer", ("state", b"state 1")]


def test_a_room_is_closed(ear):
    one = ear("session:x")
    on_a_loop(lambda: close("session:x", 4001))
    assert one.heard == [4001]


def test_after_the_loop_has_gone_nothing_happens(ear):
    one = ear("lobby")
    loop = asyncio.new_event_loop()
    publisher.start(loop)
    loop.close()
    publish("lobby", {"type": "seeks"})
    publisher.stop()
    assert one.heard == []


def test_a_board_of_an_event_is_shown_at_once_and_then_the_latest_of_each_while(ear, monkeypatch):
    monkeypatch.setattr(live, "BOARD_EVERY_S", 0.02)
    one = ear("event:thursday-12")
    states = [update(seq, b"board %d" % seq, "thursday-12") for seq in range(1, 6)]

    async def main():
        publisher.start(asyncio.get_running_loop())
        publisher.updates([], states[:1])
        publisher.updates([], states[1:4])
        while len(one.heard) < 2:  # noqa: ASYNC110 - the publisher tells nobody but the ear
            await asyncio.sleep(0.001)
        publisher.updates([], states[4:])
        while len(one.heard) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.001)

    try:
        asyncio.run(main())
    finally:
        publisher.stop()
    assert one.heard == [("board:1", b"board 1"), ("board:1", b"board 4"), ("board:1", b"board 5")]


def test_a_board_without_an_event_is_shown_to_no_event(ear):
    one = ear("event:thursday-12")
    on_a_loop(lambda: publisher.updates([], [update(1), update(2, slug="friday-1")]))
    assert one.heard == []
