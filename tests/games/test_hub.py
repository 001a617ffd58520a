import asyncio

import pytest

from games.hub import PORTION, Hub


class Ear:
    def __init__(self, heard, name):
        self.heard, self.name = heard, name

    def push(self, kind, frame):
        self.heard.append((self.name, kind, frame))

    def shut(self, code):
        self.heard.append((self.name, code))


@pytest.fixture
def heard():
    return []


@pytest.fixture
def hub():
    return Hub()


def test_players_hear_before_watchers(hub, heard):
    for name in ("watcher", "player", "other watcher"):
        hub.join(Ear(heard, name), "game:1", first=name == "player")
    hub.deliver("game:1", "state", b"{}")
    assert [name for name, *_what in heard] == ["player", "watcher", "other watcher"]


def test_only_the_room_hears(hub, heard):
    hub.join(Ear(heard, "ann"), "game:1")
    hub.join(Ear(heard, "ben"), "game:2")
    hub.deliver("game:2", "state", b"{}")
    assert heard == [("ben", "state", b"{}")]
    hub.deliver("game:3", "state", b"{}")


def test_who_is_seated_moves_to_the_front_and_is_there_once(hub, heard):
    ann, ben = Ear(heard, "ann"), Ear(heard, "ben")
    hub.join(ben, "game:1")
    hub.join(ann, "game:1")
    hub.join(ann, "game:1", first=True)
    assert len(hub.rooms["game:1"]) == 2
    hub.deliver("game:1", "state", b"{}")
    assert [name for name, *_what in heard] == ["ann", "ben"]


def test_an_empty_room_is_forgotten(hub, heard):
    ann = Ear(heard, "ann")
    hub.join(ann, "game:1", first=True)
    hub.leave(ann, "game:1")
    hub.leave(ann, "game:1")
    assert hub.rooms == {}


def test_everybody_in_a_room_is_shut(hub, heard):
    for name in ("ann", "ben"):
        hub.join(Ear(heard, name), "user:1")
    hub.close("user:1", 4001)
    hub.close("user:2", 4001)
    assert heard == [("ann", 4001), ("ben", 4001)]


def test_a_room_knows_the_seq_it_has_heard(hub, heard):
    hub.join(Ear(heard, "ann"), "game:1")
    hub.deliver("game:1", "state", b"{}", seq=7)
    hub.deliver("game:1", "presence", b"{}")
    assert hub.rooms["game:1"].seq == 7


def test_who_leaves_while_a_frame_is_delivered_disturbs_nobody(hub, heard):
    class Leaver(Ear):
        def push(self, kind, frame):
            super().push(kind, frame)
            hub.leave(self, "game:1")

    for name in ("ann", "ben", "cleo"):
        hub.join(Leaver(heard, name), "game:1")
    hub.deliver("game:1", "state", b"{}")
    assert [name for name, *_what in heard] == ["ann", "ben", "cleo"]


def test_a_crowd_is_served_in_portions_and_in_order(hub, heard):
    """Between the portions the loop has its turn, so that a thousand watchers delay no other board."""
    crowd = 3 * PORTION + 7
    for number in range(crowd):
        hub.join(Ear(heard, number), "game:1")
    hub.join(Ear(heard, "elsewhere"), "game:2")

    async def deliver():
        hub.deliver("game:1", "state", b"1")
        hub.deliver("game:1", "state", b"2")
        hub.deliver("game:2", "state", b"3")
        while len(heard) < 2 * crowd + 1:  # noqa: ASYNC110 - the loop itself is what is tested
            await asyncio.sleep(0)

    asyncio.run(deliver())
    assert heard.index(("elsewhere", "state", b"3")) < 2 * PORTION + 1
    for number in range(crowd):
        assert [frame for name, _kind, frame in heard if name == number] == [b"1", b"2"]


def test_a_state_is_news_to_a_room_where_somebody_may_lack_it(hub, heard):
    assert not hub.is_news("game:1", 1)
    hub.join(Ear(heard, "ann"), "game:1")
    assert hub.is_news("game:1", 7)
    hub.deliver("game:1", "state", b"{}", seq=7)
    assert [hub.is_news("game:1", seq) for seq in (6, 7, 8)] == [False, False, True]


def test_whoever_asks_is_told_of_the_beginning_and_the_end_of_a_room(hub, heard):
    told = []
    hub.on_change = lambda name: told.append((name, name in hub.rooms))
    ann, ben = Ear(heard, "ann"), Ear(heard, "ben")
    for ear in (ann, ben):
        hub.join(ear, "game:1")
    for ear in (ann, ben):
        hub.leave(ear, "game:1")
    assert told == [("game:1", True), ("game:1", False)]
