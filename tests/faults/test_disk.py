"""A full disk is an outage like any other: told, credited, and nothing acknowledged is lost."""

from tests.clients import sitting
from tests.faults.form import FORM
from tests.faults.test_outage import credits_in
from tests.faults.trial import trial
from tests.server import Server, let_pass, running
from tests.small_disk import small_disk


def test_while_the_disk_is_full_actions_are_unavailable_and_then_play_goes_on(
    empty_database, people, tmp_path
):
    with small_disk(tmp_path / "disk") as disk:
        server = Server(disk.folder, empty_database, log_name=str(tmp_path / "server.log"))
        server.may_log_errors = True
        with (
            running(server),
            sitting(server, *people(server)) as match,
            trial(server, "disk full (SQLite)", tables=2) as under,
        ):
            before = match.play("@5")
            for seq in range(1, FORM.full_disks + 1):
                under.go_on_to_some_moment()
                under.forget_what_was_told()
                disk.fill(server)
                under.wait_until(lambda: "unavailable" in under.told)
                let_pass(2.5)  # an outage
                with under.recovery():
                    disk.free(server)
                match.reach(seq + 1)
            state = match.watcher.state
            credited = credits_in(state["record"])
            assert len(credited) == FORM.full_disks
            assert state["clock"]["deadline"] == before["clock"]["deadline"] + sum(credited)
            match.play("a1 @6")
