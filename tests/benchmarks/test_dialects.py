import json

import pytest

from benchmarks.dialects import OTHER, REFUSED, REPLY, STATE, Boardgame, Colyseus, Json, Place
from benchmarks.wire import BINARY, TEXT, masked
from games.frames import action_in, parse_frame
from games.judge import Action

PLACE = Place("ws://127.0.0.1/", 2, "secret", "m1")


def test_an_action_is_one_that_the_server_understands():
    frame = parse_frame(Json().action(PLACE, 7, {"do": "place", "square": "b2"}).decode())
    assert action_in(frame) == (Action("place", square="b2"), 7)
    assert frame["id"] == "7"


def test_an_action_is_a_move_of_boardgame_io():
    head, text = Boardgame().action(PLACE, 7, {"do": "place", "square": "b2"}).split(b",", 1)
    event, move, seq, game, player = json.loads(text)
    assert (head, event, seq, game, player) == (b"42/quarto", "update", 7, "m1", "1")
    assert move["payload"] == {"type": "place", "args": ["b2"], "playerID": "1", "credentials": "secret"}


def test_an_action_is_a_message_of_colyseus():
    frame = Colyseus().action(PLACE, 3, {"do": "give", "piece": "F"})
    assert frame == b"\x0d\xa6action\x84\xa2do\xa4give\xa5piece\xa1F\xa3seq\x03\xa2id\xa13"


@pytest.mark.parametrize(
    ("dialect", "frame", "told"),
    [
        (Json(), b'{"type":"state","id":"g1","seq":12,"status":"live"}', (STATE, 12)),
        (Json(), b'{"type": "state", "id": "g1", "seq": 3, "status": "live"}', (STATE, 3)),
        (Json(), b'{"type":"reply","id":"3","ok":true,"seq":4}', (REPLY, 4)),
        (Json(), b'{"type":"reply","id":"3","ok":false,"seq":4,"code":"stale"}', (REFUSED, 0)),
        (Json(), b'{"type":"presence","seats":[true,false],"watchers":2}', (OTHER, 0)),
        (Boardgame(), b'42/quarto,["update","m",{"G":{},"_redo":[],"_stateID":7},[]]', (STATE, 7)),
        (Boardgame(), b'42/quarto,["matchData","m",[]]', (OTHER, 0)),
        (Boardgame(), b"2", (OTHER, 0)),
        (Colyseus(), b"\x0f\x80\x02\x01\x00\x00\x86\xa3 b2", (STATE, 258)),
        (Colyseus(), b"\x0f\x85\x01\x80\x01\x00\x00\x00\x81\xa5place", (STATE, 1)),
        (Colyseus(), b"\x0d\xa5reply\xde\x00\x03\xa2id\xa10\xa2ok\xc3\xa3seq\x01", (REPLY, 1)),
        (Colyseus(), b"\x0d\xa5reply\xde\x00\x03\xa2id\xa10\xa2ok\xc2\xa3seq\x01", (REFUSED, 0)),
        (Colyseus(), b"\x12", (OTHER, 0)),
    ],
)
def test_a_frame_tells_its_kind_and_its_seq(dialect, frame, told):
    assert dialect.read(frame) == told


@pytest.mark.parametrize("size", [0, 5, 125, 126, 300])
@pytest.mark.parametrize("kind", [TEXT, BINARY])
def test_a_frame_is_masked_as_clients_must(size, kind):
    payload = bytes(n % 251 for n in range(size))
    frame = masked(payload, kind)
    head = 2 if size < 126 else 4
    length = frame[1] & 0x7F if size < 126 else int.from_bytes(frame[2:4], "big")
    mask, body = frame[head : head + 4], frame[head + 4 :]
    assert (frame[0], frame[1] >> 7, length) == (kind, 1, size)
    assert bytes(byte ^ mask[n % 4] for n, byte in enumerate(body)) == payload
