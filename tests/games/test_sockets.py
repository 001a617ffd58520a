import json

import pytest

from games import sockets
from games.hub import hub
from games.identity import Identity
from games.live import close, publish
from games.notice import change
from games.sockets import Allowance, Refused
from tests.games.socket_line import Echo, Line, Wire, run, turn, until, with_line


def test_an_allowance_is_a_burst_and_then_a_rate_by_the_moments_of_receipt(settings):
    settings.FRAMES_BURST, settings.FRAMES_PER_SECOND = 3, 20
    allowance = Allowance(1_000)
    assert [allowance.spend(1_000) for _frame in range(4)] == [True, True, True, False]
    assert [allowance.spend(1_000 + ms) for ms in (10, 50, 60, 100, 100)] == [False, True, False, True, False]
    assert [allowance.spend(60_000) for _frame in range(4)] == [True, True, True, False]


def test_a_clock_that_stands_still_gives_nothing(settings):
    settings.FRAMES_BURST, settings.FRAMES_PER_SECOND = 1, 20
    allowance = Allowance(1_000)
    assert [allowance.spend(ms) for ms in (1_000, 990, 1_000)] == [True, False, False]


def test_it_opens_and_answers_and_survives_bad_frames():
    async def scenario(line, wire):
        for text in ('{"id": "a"}', "nonsense", '{"bad": 1, "id": "b"}', '{"id": "c"}'):
            line.receive(text=text)
        line.receive(bytes=b"\x00")
        await turn()
        assert [frame.get("type", frame) for frame in wire.written] == [
            "greeting", {"id": "a"}, "reply", "reply", {"id": "c"}, "reply",
        ]  # fmt: skip
        assert [(frame["id"], frame["code"]) for frame in wire.written if frame.get("type") == "reply"] == [
            (None, "bad_request"), ("b", "bad_request"), (None, "bad_request"),
        ]  # fmt: skip

    with_line(scenario)


def test_frames_are_taken_at_once_only_while_nothing_else_is_in_hand():
    async def scenario(line, wire):
        await turn()
        assert wire.on_text('{"id": "a"}', 1) is None
        assert wire.written[1:] == [{"id": "a"}]
        line.receive(**{"quarto.later": wire.on_text('{"later": 1}', 2)})
        line.receive(text='{"id": "b"}')
        await turn()
        assert wire.written[2:] == [{"later": 1}, {"id": "b"}]
        assert wire.on_text is not None

    with_line(scenario)


def test_without_a_wire_of_its_own_it_sends_as_any_application():
    async def main():
        line = await Line().open()
        line.receive(text='{"id": "a"}')
        await turn()
        assert [message.get("text") for message in line.sent] == [None, '{"type":"greeting"}', '{"id": "a"}']
        await line.close()

    run(main())


def test_too_many_frames_end_it(settings):
    settings.FRAMES_BURST, settings.FRAMES_PER_SECOND = 5, 1

    async def scenario(line, wire):
        for number in range(9):
            line.receive(text=json.dumps({"id": str(number)}))
        await turn()
        assert [frame["id"] for frame in wire.written[1:]] == ["0", "1", "2", "3", "4"]
        assert line.closed_with == [4029]

    with_line(scenario)


def test_whoever_comes_during_maintenance_is_told_after_the_opening():
    async def scenario(line, wire):
        assert wire.written == [
            {"type": "greeting"},
            {"type": "notice", "maintenance": True, "text": "Back at nine."},
        ]

    change("Back at nine.")
    try:
        with_line(scenario)
    finally:
        change(None)


def test_it_listens_before_it_reads_so_that_nothing_falls_in_between():
    class Late(Echo):
        __slots__ = ()

        def opening(self, identity):
            publish("echo", {"type": "state", "seq": 1})
            return [{"type": "greeting"}]

    async def scenario(line, wire):
        await turn()
        assert wire.written == [{"type": "greeting"}, {"type": "state", "seq": 1}]

    with_line(scenario, kind=Late)


def test_a_credential_that_is_revoked_while_it_is_looked_up_opens_nothing(monkeypatch):
    """The socket listens for the sign-out of its session before it reads who that is."""

    def signed_out_in_between(headers):
        close("session:k", 4001)
        return Identity(player_id=1, user_id=1)

    monkeypatch.setattr(sockets, "identify", signed_out_in_between)

    async def main():
        line = Line(wire=Wire(), headers=[(b"cookie", b"sessionid=k")])
        await until(lambda: line.closed_with)
        await turn()
        line.receive(text="{}")
        await line.close()
        assert (line.wire.written, line.closed_with) == ([], [4001])

    run(main())
    assert not hub.rooms


@pytest.mark.parametrize("code", [4001, 4004])
def test_what_cannot_be_opened_is_accepted_and_closed_with_its_code(code):
    """A close before the accept would reach nobody but as HTTP 403."""

    class Closed(Echo):
        __slots__ = ()

        def opening(self, identity):
            raise Refused(code)

    async def main():
        line = Line(kind=Closed, wire=Wire())
        await until(lambda: line.closed_with)
        line.receive(text="{}")
        await turn()
        assert [message["type"] for message in line.sent] == ["websocket.accept", "websocket.close"]
        assert line.closed_with == [code]
        assert line.wire.written == []
        await line.close()

    run(main())


def test_a_foreign_origin_is_refused_before_the_accept():
    async def main():
        line = Line(wire=Wire(), headers=[(b"host", b"club.example"), (b"origin", b"http://evil.example")])
        await line.running
        assert line.sent == [{"type": "websocket.close"}]

    run(main())
