import asyncio

import pytest

from games.api.events import NextState


def heard(*pushes, since=3):
    """The frame that a long poll from `since` answers with, or None."""

    async def main():
        listener = NextState(since)
        for kind, frame in pushes:
            listener.push(kind, frame)
        return listener.frame.result() if listener.frame.done() else None

    return asyncio.run(main())


@pytest.mark.parametrize("seq", [0, 2, 3])
def test_a_state_that_is_not_newer_is_no_news(seq):
    """A crowd is served in portions, so that an older state may come after a newer one is known."""
    assert heard(("state", b'{"seq":%d}' % seq)) is None


def test_the_first_newer_state_is_the_answer():
    assert heard(("state", b'{"seq":3}'), ("state", b'{"seq":5}'), ("state", b'{"seq":6}')) == b'{"seq":5}'


def test_other_frames_are_no_news():
    assert heard(("presence", b'{"watchers":1}')) is None
