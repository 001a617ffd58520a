import pytest

from games.frames import (
    BadFrame,
    action_in,
    board_frame,
    frame_for_its_id,
    game_frame,
    parse_frame,
    reply_id_of,
    seat_of,
    state_frame,
)
from games.judge import Action
from games.models import Game
from games.services.games import Terms, new_game
from tests.games.played import FULL, LINE, act, played


@pytest.mark.parametrize(
    "text",
    [
        None, "", " ", "nonsense", "null", "7", '"x"', "[]", "{", "{}}", "\ufeff{}", "{'a': 1}",
        '{"t": NaN}', '{"t": -Infinity}', '{"t": 1e400}', '{"t": 9007199254740992}',
        '{"t": -9007199254740992}', '{"t": ' + "9" * 5_000 + "}", "[" * 100_000, '{"a":' * 50_000,
    ],
    ids=lambda text: repr(text)[:30],
)  # fmt: skip
def test_a_text_that_is_no_json_object_is_a_bad_frame(text):
    with pytest.raises(BadFrame):
        parse_frame(text)


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("{}", {}),
        ('{"t": 9007199254740991}', {"t": 2**53 - 1}),
        ('{"t": -9007199254740991}', {"t": 1 - 2**53}),
        ('{"t": 1.5e3}', {"t": 1500.0}),
        (' {"id": "\\ud800", "x": [1, {"y": null}]} ', {"id": "\ud800", "x": [1, {"y": None}]}),
        ('{"seq": 1, "seq": 2}', {"seq": 2}),
    ],
)
def test_a_frame_is_any_json_object_whose_numbers_everybody_can_hold(text, frame):
    assert parse_frame(text) == frame


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e400", "9007199254740992", "9" * 5_000])
def test_a_frame_with_a_number_that_nobody_can_hold_still_says_its_id(number):
    assert frame_for_its_id('{"id": "c-17", "seq": ' + number + "}") == {"id": "c-17", "seq": None}


@pytest.mark.parametrize("text", [None, "", "nonsense", "[]", "7", "[" * 100_000])
def test_what_is_no_frame_says_no_id(text):
    assert frame_for_its_id(text) == {}


@pytest.mark.parametrize("reply_id", ["", "c-17", "x" * 64, "\ud800", 7, 0, -1])
def test_a_reply_carries_the_clients_own_id(reply_id):
    assert reply_id_of({"id": reply_id}) == reply_id


@pytest.mark.parametrize(
    "frame", [{}, {"id": None}, {"id": True}, {"id": 1.5}, {"id": ["c-17"]}, {"id": "x" * 65}]
)
def test_without_an_id_of_its_own_a_reply_has_none(frame):
    assert reply_id_of(frame) is None


def test_an_action_is_taken_as_it_came():
    frame = {"do": "claim", "line": {"odd": 1}, "piece": 5, "seq": 2**53, "id": "x", "more": True}
    assert action_in(frame) == (Action("claim", piece=5, square=None, line={"odd": 1}), 2**53)


@pytest.mark.parametrize(
    "change",
    [
        {"do": "dance"}, {"do": None}, {"do": ["give"]}, {"do": "sync"}, {"seq": None}, {"seq": "0"},
        {"seq": True}, {"seq": 0.0}, {"id": True}, {"id": "x" * 65},
    ],
    ids=str,
)  # fmt: skip
def test_a_frame_that_is_no_action_is_none(change):
    assert action_in({"do": "give", "piece": "5", "seq": 0, "id": "x"} | change) is None


@pytest.mark.parametrize("moves", [LINE, f"{LINE} 0", FULL])
def test_a_state_says_nothing_of_a_line_before_a_claim_has_won(moves):
    state = played(moves)
    assert state.position.claimable()
    frame = state_frame("k3J9xQ2a", state, at_ms=0)
    assert (frame["win_lines"], frame["result"], frame["termination"]) == ([], None, None)
    assert not any(line in str(frame) for line in state.position.claimable())


def test_a_won_state_names_the_lines():
    state = act(played(LINE), 1, "claim", "a1-d1").state
    assert state_frame("k3J9xQ2a", state, at_ms=0)["win_lines"] == ["a1-d1"]


def test_a_board_of_an_event_is_compact():
    frame = board_frame(
        "k3J9xQ2a", played("5 a1"), {"slug": "thursday-12", "name": "", "round": 2, "board": 1}
    )
    assert frame == {
        "type": "board", "round": 2, "board": 1, "game": "k3J9xQ2a", "seq": 2, "status": "live",
        "position": "..../..../..../5... - 2 G a1 - L:F", "to_act": 2, "deadline": 60_000, "result": None,
    }  # fmt: skip


def test_a_seat_is_a_players(ann, ben, cleo):
    game = Game(seat1=ann, seat2=ben)
    assert [seat_of(game, player) for player in (ann.pk, ben.pk, cleo.pk, None)] == [1, 2, None, None]


def test_a_game_shows_the_ratings_at_its_beginning(ann, ben):
    game = new_game(
        seat1=ann,
        seat2=ben,
        terms=Terms(rated=True),
        event={"slug": "t", "name": "T", "round": 1, "board": 2},
    )
    game.seat1_rating, game.seat1_provisional = 1723, False
    frame = game_frame(game, you=2)
    assert frame["players"] == [
        {"seat": 1, "player": "ann", "name": "Ann", "rating": 1723, "provisional": False},
        {"seat": 2, "player": "ben", "name": "Ben", "rating": 1500, "provisional": True},
    ]
    assert (frame["you"], frame["tournament"]["board"], frame["rated"]) == (2, 2, True)
