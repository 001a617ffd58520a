"""Who is at a board, at this process and at the others."""

import asyncio
import json
from contextlib import contextmanager

import pytest

from games import presence
from games.hub import hub
from games.live import publisher

BOARD = "game:a"


class Ear:
    """A socket at a board; `seat` where a player's is."""

    def __init__(self, seat=None, room=BOARD):
        self.seat, self.room, self.heard = seat, room, []
        hub.join(self, room, first=seat is not None)

    def push(self, kind, frame):
        self.heard.append(json.loads(frame))

    def leave(self):
        hub.leave(self, self.room)
        presence.announce(self.room.partition(":")[2])


class Layer:
    """The way to other processes, as far as presence uses it."""

    away = False

    def __init__(self):
        self.said = []

    def send(self, room, kind, body, seq=None):
        assert kind == "seats"
        self.said.append((room, body))


@pytest.fixture(autouse=True)
def nobody(monkeypatch):
    monkeypatch.setattr(presence, "ANNOUNCED_AFTER_S", 0)
    yield
    for name in list(hub.rooms):
        for ear in list(hub.rooms[name]):
            hub.leave(ear, name)
    for kept in (presence._due, presence._told, presence._elsewhere):
        kept.clear()


@contextmanager
def serving(layer=None):
    """A loop as a process has it; what is yielded lets it turn until all is told that is due."""
    loop = asyncio.new_event_loop()
    publisher.start(loop, layer)

    async def turn(function=lambda *_arguments: None, *arguments):
        function(*arguments)
        while presence._due:  # noqa: ASYNC110 - the loop itself is what is tested
            await asyncio.sleep(0)

    try:
        yield lambda *call: loop.run_until_complete(turn(*call))
    finally:
        publisher.stop()
        loop.close()


def frame(one, two, watchers):
    return {"type": "presence", "seats": [one, two], "watchers": watchers}


def test_a_board_hears_who_is_there_once_for_many_changes():
    with serving() as turn:
        ann, watcher = Ear(1), Ear()

        def many():
            for _time in range(5):
                presence.announce("a")

        turn(many)
        assert ann.heard == watcher.heard == [frame(True, False, 1)]
        turn(watcher.leave)
        assert ann.heard[1:] == [frame(True, False, 0)]


def test_what_others_have_is_added():
    with serving(Layer()) as turn:
        ann = Ear(1)
        turn(presence.heard, BOARD, "one", [False, True, 3, False])
        turn(presence.heard, BOARD, "two", [True, False, 4, False])
        assert ann.heard == [frame(True, True, 3), frame(True, True, 7)]
        turn(presence.heard, BOARD, "one", [False, False, 1, False])
        assert ann.heard[2:] == [frame(True, False, 5)]


def test_others_hear_what_is_here_when_it_changes_and_are_asked_once():
    layer = Layer()
    with serving(layer) as turn:
        ann = Ear(1)
        turn(presence.announce, "a")
        turn(presence.announce, "a")
        watcher = Ear()
        turn(presence.announce, "a")
        assert layer.said == [(BOARD, [True, False, 0, True]), (BOARD, [True, False, 1, False])]
        turn(watcher.leave)
        turn(ann.leave)
        assert layer.said[2:] == [(BOARD, [True, False, 0, False]), (BOARD, [False, False, 0, False])]
        Ear()
        turn(presence.announce, "a")
        assert layer.said[4:] == [(BOARD, [False, False, 1, True])]


def test_whoever_asks_is_answered_with_what_is_here_and_not_asked_back():
    layer = Layer()
    with serving(layer) as turn:
        Ear(2)
        turn(presence.announce, "a")
        turn(presence.heard, BOARD, "one", [True, False, 0, True])
        turn(presence.heard, BOARD, "one", [True, False, 1, False])  # asks nothing
        assert layer.said[1:] == [(BOARD, [False, True, 0, False])]


def test_a_board_that_nobody_looks_at_here_is_not_remembered():
    layer = Layer()
    with serving(layer) as turn:
        turn(presence.heard, BOARD, "one", [True, True, 5, True])
        ann = Ear(1)
        turn(presence.announce, "a")
        assert ann.heard == [frame(True, False, 0)]
        turn(presence.heard, BOARD, "one", [True, True, 5, False])
        turn(ann.leave)
        ben = Ear(2)
        turn(presence.announce, "a")
        assert ben.heard == [frame(False, True, 0)]


def test_a_process_that_has_gone_takes_its_sockets_along():
    with serving(Layer()) as turn:
        ann, elsewhere = Ear(1), Ear(1, "game:b")
        turn(presence.heard, BOARD, "one", [False, True, 3, False])
        turn(presence.heard, BOARD, "two", [False, False, 2, False])
        turn(presence.forget, "one")
        assert ann.heard[-1] == frame(True, False, 2)
        turn(presence.forget, "one")
        assert [len(ear.heard) for ear in (ann, elsewhere)] == [3, 0]


def test_after_a_gap_every_board_is_told_and_asked_anew():
    layer = Layer()
    with serving(layer) as turn:
        Ear(1)
        Ear(2, "game:b")
        Ear(None, "lobby")
        for game in ("a", "b"):
            turn(presence.announce, game)
        told = sorted(layer.said)
        turn(presence.tell_again)
        assert (
            sorted(layer.said[2:])
            == told
            == [(BOARD, [True, False, 0, True]), ("game:b", [False, True, 0, True])]
        )
