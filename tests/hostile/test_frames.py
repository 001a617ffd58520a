"""Whatever comes in by a socket is answered as the protocol says, and changes nothing that it may not."""

import json
import re
from random import Random
from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

from games.board import line_name, parse_line
from tests.hostile.amount import TIMES, examples
from tests.hostile.mutants import some_frame
from tests.hostile.oracle import CODES, Wanted, token, wanted
from tests.hostile.table import ON_A_GAME, SEATS, Field, answers

EXAMPLES, FRAMES = 84, 60  # 5,040 frames
EACH = 8  # between two frames of the honest game
WARM_AFTER = 20
GROWTH_KB = 12_000

# Part of a game, so that what is nearly right finds every phase.
HONEST = [
    ("one", '{"do": "give", "piece": "5", "seq": 0, "id": "h0"}'),
    ("two", '{"do": "place", "square": "a1", "seq": 1, "id": "h1"}'),
    ("two", '{"do": "give", "piece": "6", "seq": 2, "id": "h2"}'),
    ("one", '{"do": "place", "square": "b1", "seq": 3, "id": "h3"}'),
    ("one", '{"do": "give", "piece": "7", "seq": 4, "id": "h4"}'),
    ("two", '{"do": "place", "square": "c1", "seq": 5, "id": "h5"}'),
]


class Sent(list[tuple[str, str | bytes]]):
    """Who sent what, in order; long frames are cut where they are shown."""

    def __repr__(self) -> str:
        return "\n".join(f"{who}: {frame[:200]!r} ({len(frame)})" for who, frame in self)


def traffic(chance: Random) -> Sent:
    """Hostile frames by everybody, and an honest game that begins among them."""
    who = ["one", "two", "one", "two", "one", "two", "player", "watcher", "lobby", "me", "event"]
    honest = chance.randrange(len(HONEST) + 1)
    sent = Sent()
    for number in range(FRAMES):
        sent.append((chance.choice(who), some_frame(chance, min(number // EACH, honest))))
        if number % EACH == EACH - 1 and number // EACH < honest:
            sent.append(HONEST[number // EACH])
    return sent


def test_every_frame_is_answered_as_the_protocol_says_and_the_record_holds_what_was_accepted(field):
    tried, memory = [0], [0]  # counted inside

    @examples(EXAMPLES)
    @given(st.randoms(use_true_random=False))
    def holds(chance: Random) -> None:
        # Here and not in a strategy: the sockets' threads use chance too, which no strategy may.
        sent = traffic(chance)
        note(repr(sent))
        game_id = field.game()
        with field.sockets(game_id) as opened:
            for who, frame in sent:
                opened[who].send(frame)
            accepted: dict[int, tuple[int, dict[str, Any]]] = {}
            for who, wire in opened.items():
                own = [frame for sender, frame in sent if sender == who]
                check_answers(who, own, answers(wire), accepted)
            check_game(field, game_id, accepted)
        tried[0] += 1
        if tried[0] == WARM_AFTER:
            memory[0] = field.server.status("VmRSS")

    holds()
    assert field.server.status("VmRSS") < memory[0] + GROWTH_KB * TIMES**0.5
    assert field.bystanders.play("@6 b1")["seq"] == 4
    proof = field.server.manage("verify")
    assert proof.returncode == 0, proof.stdout + proof.stderr


def check_answers(
    who: str, sent: list[str | bytes], heard: list[dict[str, Any]], accepted: dict[int, tuple[int, dict]]
) -> None:
    """Each frame has its answer, in order among those of its kind; what was accepted goes to `accepted`."""
    wants = [(frame, wanted(frame, on_a_game=who in ON_A_GAME)) for frame in sent]
    replies = [frame for frame in heard if frame["type"] == "reply"]
    asked = [(frame, want) for frame, want in wants if want.kind in ("action", "refusal")]
    assert [reply["id"] for reply in replies] == [want.echo for _frame, want in asked]
    for (frame, want), reply in zip(asked, replies, strict=True):
        check_reply(who, frame, want, reply, accepted)
    pongs = [frame["t"] for frame in heard if frame["type"] == "pong"]
    assert pongs == [want.echo for _frame, want in wants if want.kind == "pong"]
    states = [frame for frame in heard if frame["type"] == "state"]
    assert len(states) >= sum(want.kind == "state" for _frame, want in wants)


def check_reply(
    who: str, frame: str | bytes, want: Wanted, reply: dict[str, Any], accepted: dict[int, tuple[int, dict]]
) -> None:
    if reply["ok"]:
        assert set(reply) == {"type", "id", "ok", "seq"}
        assert want.kind == "action" and who in SEATS
        action = (SEATS[who], understood(frame))
        assert accepted.setdefault(reply["seq"], action) == action, "an action under another's seq"
        assert action[1]["seq"] == reply["seq"] - 1
        return
    assert reply["code"] in CODES and reply["detail"]
    assert want.kind == "action" or reply["code"] == "bad_request"
    assert who in SEATS or reply["code"] in ("bad_request", "not_a_player")
    if who in ON_A_GAME:
        assert reply["state"]["seq"] == reply["seq"]
    else:
        assert set(reply) == {"type", "id", "ok", "code", "detail"}


CANONICAL = {"piece": str.upper, "square": str.lower, "line": lambda text: line_name(parse_line(text))}


def understood(frame: str | bytes) -> dict[str, Any]:
    """The action, without what is no part of it: a repeat may write it otherwise."""
    read = json.loads(frame)
    own = {"give": "piece", "place": "square", "claim": "line"}.get(read["do"])
    action = {"do": read["do"], "seq": read["seq"]}
    return action if own is None else action | {own: CANONICAL[own](read[own])}


def check_game(field: Field, game_id: str, accepted: dict[int, tuple[int, dict[str, Any]]]) -> None:
    """The stored game is what the accepted actions make, one by one."""
    [(seq, record)] = field.server.rows("SELECT seq, record FROM games_game WHERE id = ?", game_id)
    assert sorted(accepted) == list(range(1, seq + 1))
    written = [re.sub(r"^\d+\.|\{.*?\}", "", item) for item in record.split()]
    for item, at in zip(written, sorted(accepted), strict=True):
        assert item.startswith(token(*accepted[at])), (record, accepted)
