"""A backup is proven by restoring it: made while the site is played on, verified, and played on itself."""

import threading
from contextlib import contextmanager

from tests.clients import Match
from tests.faults.test_outage import BONUS_MS, credits_in
from tests.server import PATIENCE_S, Server, manage, running

HOURS_MS = 3 * 3_600_000


class Bickering(threading.Thread):
    """Two players who offer a draw and decline it, for ever; `acknowledged` is the seq of the last reply."""

    def __init__(self, match):
        super().__init__()
        self.match, self.acknowledged, self.moved = match, 0, threading.Condition()
        self._stopped = False

    def run(self):
        while not self._stopped:
            for board, do in ((self.match.two, "offer_draw"), (self.match.one, "decline_draw")):
                reply = board.act(do)
                assert reply["ok"], reply
                self.match.reach(reply["seq"])
                with self.moved:
                    self.acknowledged = reply["seq"]
                    self.moved.notify_all()

    def wait_for(self, seq):
        with self.moved:
            assert self.moved.wait_for(lambda: self.acknowledged >= seq, PATIENCE_S)

    def stop(self):
        self._stopped = True
        self.join(PATIENCE_S)


@contextmanager
def bickering(match):
    players = Bickering(match)
    players.start()
    try:
        yield players
    finally:
        players.stop()


def test_a_backup_in_mid_play_has_all_that_was_acknowledged_and_can_be_played_on(serve, people, tmp_path):
    server = serve()
    ann, ben = people(server)
    match = Match(server, ann.challenge(ben, draws_allowed=True), ann, ben)
    match.play("@5")
    copy = tmp_path / "copy.sqlite3"
    with bickering(match) as players:
        players.wait_for(20)
        acknowledged = players.acknowledged
        made = server.manage("backup", str(copy))
        assert made.returncode == 0, made.stderr
        players.wait_for(players.acknowledged + 1)  # nobody was kept waiting for ever
    match.close()
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir() if "copy" in path.name] == ["copy.sqlite3"]
    proof = manage(copy, "verify")
    assert proof.returncode == 0, proof.stdout

    (tmp_path / "restored").mkdir()
    restored = Server(tmp_path / "restored", copy)
    [(seq,)] = restored.rows("SELECT seq FROM games_game WHERE id = ?", match.id)
    assert seq >= acknowledged
    restored.change("UPDATE games_heartbeat SET beat_ms = beat_ms - ?", HOURS_MS)  # restored some hours later
    with running(restored):
        again = Match(restored, match.id, *(person_at(restored, person) for person in match.persons.values()))
        [credit] = credits_in(again.watcher.reach(seq + 1)["record"])
        assert credit >= HOURS_MS + BONUS_MS
        assert again.play("a1 R1")["result"] == "0-1"
        again.close()
    proof = restored.manage("verify")
    assert proof.returncode == 0, proof.stdout


def person_at(server, person):
    """The same person, with the same token, at another server."""
    other = object.__new__(type(person))
    vars(other).update(vars(person))
    other.server = server
    return other
