"""Maintenance at two processes: everybody is told by his own, and each game is held and let go once."""

import pytest


@pytest.fixture
def maintenance(server):
    """Begins it with a notice, and ends it; it is over after the test."""

    def begin(notice):
        server.change("INSERT INTO games_maintenance (id, since_ms, notice) VALUES (1, 1, ?)", notice)

    def end():
        server.change("DELETE FROM games_maintenance")

    yield begin, end
    end()


def test_everybody_is_told_and_each_game_is_held_and_let_go_once(server, sit, maintenance):
    begin, end = maintenance
    matches = [sit() for _board in range(3)]
    seqs = [match.play("@5")["seq"] for match in matches]
    begin("Back at nine.")
    for match, seq in zip(matches, seqs, strict=True):
        for board in match.everybody:
            assert board.receive_kind("notice")["text"] == "Back at nine."
            state = board.reach(seq + 1)
            assert (state["seq"], state["clock"]["paused"]["reason"]) == (seq + 1, "Back at nine."), state
    end()
    for match, seq in zip(matches, seqs, strict=True):
        for board in match.everybody:
            assert board.receive_kind("notice") == {"type": "notice", "maintenance": False, "text": ""}
            state = board.reach(seq + 2)
            assert (state["seq"], state["status"]) == (seq + 2, "live"), state
            assert state["record"].endswith("{arbiter: pause} {arbiter: resume}")
    assert server.rows("SELECT count(*) FROM games_heldgame") == [(0,)]
    for match in matches:
        match.play("a1 R1")
