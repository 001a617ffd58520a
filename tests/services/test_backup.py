"""A backup of PostgreSQL in mid-play, restored into a database of its own."""

import subprocess

from tests.faults.test_backup import bickering
from tests.server import manage
from tests.services.machines import binary


def test_a_backup_in_mid_play_is_restored_and_verified(server, sit, postgres, tmp_path):
    archive = tmp_path / "copy"
    match = sit(draws_allowed=True)
    match.play("@5")
    with bickering(match) as players:
        players.wait_for(20)
        acknowledged = players.acknowledged
        made = server.manage("backup", str(archive))
        assert made.returncode == 0, made.stderr
    database = postgres.create("restored", template="template0")
    done = subprocess.run(
        [str(binary("pg_restore")), "--no-owner", "--exit-on-error", f"--dbname={database}", str(archive)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    proof = manage(database, "verify")
    assert proof.returncode == 0, proof.stdout
    rows = manage(database, "shell", "-v0", "-c", SEQ.format(match.id))
    assert int(rows.stdout) >= acknowledged


SEQ = "from games.models import Game; print(Game.objects.get(pk={0!r}).seq)"
