"""Two relays on one layer, each with a hub's rooms of its own."""

import asyncio
from types import SimpleNamespace

import pytest

from games import relay as module
from games.hub import Hub
from games.relay import Ears, Relay

WAIT_LIMIT_S = 5


class Layer:
    """A channel layer in this process; `down` makes everything fail, `deaf` loses what is sent."""

    def __init__(self):
        self.queues, self.groups, self.sent = {}, {}, []
        self.down = self.deaf = False

    def end(self):
        """One connection to it."""
        return SimpleNamespace(
            new_channel=self.new_channel,
            group_add=self.group_add,
            group_send=self.group_send,
            receive=self.receive,
            flush=self.flush,
        )

    def _answer(self):
        if self.down:
            raise ConnectionError

    async def flush(self):
        self._answer()

    async def new_channel(self):
        self._answer()
        name = f"channel-{len(self.queues)}"
        self.queues[name] = asyncio.Queue()
        return name

    async def group_add(self, group, channel):
        self._answer()
        self.groups.setdefault(group, []).append(channel)

    async def group_send(self, group, message):
        self._answer()
        await asyncio.sleep(0)
        if "parts" in message:
            self.sent += [(group, *part[:2]) for part in message["parts"]]
        for channel in () if self.deaf else self.groups.get(group, ()):
            self.queues[channel].put_nowait(message)

    async def receive(self, channel):
        return await self.queues[channel].get()


class Ear:
    def push(self, kind, frame):
        pass

    def shut(self, code):
        pass


class Process:
    def __init__(self, layer, hub):
        self.hub, self.heard, self.gone, self.opened, self.recoveries = hub, [], [], [], 0
        self.relay = Relay(
            layer.end(),
            Ears(
                lambda *said: self.heard.append(said),
                lambda *said: self.heard.append(said),
                self.gone.append,
                self.opened.append,
                self._recovered,
            ),
        )

    def _recovered(self):
        self.recoveries += 1


async def until(fact):
    async with asyncio.timeout(WAIT_LIMIT_S):
        while not fact():  # noqa: ASYNC110 - the relay tells nobody else
            await asyncio.sleep(0.001)


@pytest.fixture
def hub(monkeypatch):
    """The rooms of the first process; the second has nobody who listens."""
    hub = Hub()
    monkeypatch.setattr(module, "hub", hub)
    for name in ("BEAT_EVERY_S", "RETRY_S"):
        monkeypatch.setattr(module, name, 0.01)
    monkeypatch.setattr(module, "SILENT_FOR_S", 0.2)
    return hub


def together(hub, story):
    """Runs a story of a process with sockets, and another that has none and tells things."""

    async def main():
        layer = Layer()
        one, two = Process(layer, hub), Process(layer, hub)
        for process in (two, one):
            process.relay.start(asyncio.get_running_loop())
        await until(lambda: not one.relay.away and not two.relay.away)
        await until(
            lambda: one.relay.process in two.relay._wanted_by and two.relay.process in one.relay._wanted_by
        )
        try:
            await story(layer, one, two)
        finally:
            await one.relay.stop()
            await two.relay.stop()

    asyncio.run(main())


def test_a_state_goes_to_those_who_show_the_board(hub):
    async def story(layer, one, two):
        two.relay.send("game:a", "state", b"nobody looks", 1)
        ear = Ear()
        hub.join(ear, "game:a")
        await until(lambda: "game:a" in two.relay._wanted_by[one.relay.process])
        assert one.opened == ["game:a"]
        two.relay.send("game:a", "state", b"2", 2)
        await until(lambda: one.heard)
        assert one.heard == [("game:a", "state", b"2", 2)]
        hub.leave(ear, "game:a")
        await until(lambda: "game:a" not in two.relay._wanted_by[one.relay.process])

    together(hub, story)


def test_what_is_rare_goes_to_everybody(hub):
    async def story(layer, one, two):
        for room, kind, body in (
            ("lobby", "seeks:", b"{}"),
            ("session:x", "close", 4001),
            ("event:t", "round:", b""),
        ):
            two.relay.send(room, kind, body)
        await until(lambda: len(one.heard) == 3)
        assert [said[:2] for said in one.heard] == [
            ("lobby", "seeks:"),
            ("session:x", "close"),
            ("event:t", "round:"),
        ]
        assert two.heard == []  # nobody hears himself
        assert {target for target, room, _kind in layer.sent if room == "session:x"} == {"all"}

    together(hub, story)


def test_while_the_layer_is_away_the_latest_of_each_kind_waits(hub):
    async def story(layer, one, two):
        layer.down = True
        await until(lambda: one.relay.away and two.relay.away)
        recoveries = one.recoveries
        for body in (b"1", b"2", b"3"):
            two.relay.send("lobby", "seeks:", body)
        layer.down = False
        await until(lambda: one.recoveries > recoveries and not two.relay.away)
        await until(lambda: ("all", "lobby", "seeks:") in layer.sent)
        assert layer.sent.count(("all", "lobby", "seeks:")) == 1
        assert one.heard in ([], [("lobby", "seeks:", b"3", None)])  # not heard yet means: healed

    together(hub, story)


def test_a_layer_that_loses_everything_is_away_until_it_is_heard(hub):
    async def story(layer, one, two):
        layer.deaf = True
        await until(lambda: one.relay.away)
        recoveries, layer.deaf = one.recoveries, False
        await until(lambda: one.recoveries > recoveries)
        assert not one.relay.away

    together(hub, story)


def test_a_process_that_beats_no_more_has_gone(hub, monkeypatch):
    monkeypatch.setattr(module, "GONE_AFTER_S", 0.05)

    async def story(layer, one, two):
        await two.relay.stop()
        await until(lambda: one.gone)
        assert one.gone == [two.relay.process]
        assert two.relay.process not in one.relay._wanted_by

    together(hub, story)
