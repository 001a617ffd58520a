"""What `make` says where something is missing that only some of the tests need."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("target", ["browser", "services"])
def test_what_is_missing_and_cannot_be_installed_is_named_and_stops_nothing(target, tmp_path):
    make = shutil.which("make")
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "MAKEFLAGS")}
    run = subprocess.run(
        [make, "--silent", target], cwd=ROOT, env=environment | {"PATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "will be skipped" in run.stdout
    assert "Debian: apt install" in run.stdout
