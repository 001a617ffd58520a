"""Maintenance at two processes: everybody is told by his own, and each game is held and let go once."""


def test_everybody_is_told_and_each_game_is_held_and_let_go_once(server, sit):
    matches = [sit() for _board in range(3)]
    for match in matches:
        match.play("@5")
    boards = [board for match in matches for board in match.everybody]
    server.change("INSERT INTO games_maintenance (id, since_ms, notice) VALUES (1, 1, 'Back at nine.')")
    for board in boards:
        assert board.receive_kind("notice")["text"] == "Back at nine."
        assert board.reach(2)["clock"]["paused"]["reason"] == "Back at nine."
    server.change("DELETE FROM games_maintenance")
    for board in boards:
        assert board.receive_kind("notice") == {"type": "notice", "maintenance": False, "text": ""}
        state = board.reach(3)
        assert (state["status"], state["seq"]) == ("live", 3)
        assert state["record"].endswith("{arbiter: pause} {arbiter: resume}")
    assert server.rows("SELECT count(*) FROM games_heldgame") == [(0,)]
    for match in matches:
        match.play("a1 R1")
