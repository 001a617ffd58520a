"""A client that does not read costs neither the server its memory nor anybody else his time."""

import json

from tests.clients import Match
from tests.stubborn import masked, never_reading

# Refused, so that the answer is ten times as long as the question.
QUESTION = masked(json.dumps({"do": "dance", "id": "x" * 60}).encode())
QUESTIONS = 20_000
GROWTH_KB = 15_000


def test_a_client_that_never_reads_is_put_out_and_nobody_else_notices(serve, people):
    server = serve()
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben), ann, ben)
    board_of_the_slow = ann.challenge(ben)
    before = server.status("VmRSS")
    with never_reading(server, f"/ws/games/{board_of_the_slow}/") as slow:
        slow_watch = Match(server, board_of_the_slow, ann, ben)
        try:
            for _part in range(QUESTIONS // 100):
                slow.sendall(QUESTION * 100)
        except (ConnectionError, TimeoutError):
            pass  # put out already
        match.play("@5 a1 @6 b1 @7 c1")
        presence = {"watchers": 2}
        while presence["watchers"] > 1:
            presence = slow_watch.watcher.receive_kind("presence")
        assert server.status("VmRSS") < before + GROWTH_KB
        assert match.play("@8 d1 @9")["seq"] == 9
        slow_watch.close()
    match.close()
