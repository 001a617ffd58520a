"""A mistyped name of the database file is said, and makes no empty database."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from tests.server import manage

COMMANDS = (["verify"], ["serve"], ["maintenance", "on"], ["ban", "ann"], ["unban", "ann"], ["demo"])


@pytest.fixture
def missing(tmp_path, monkeypatch):
    """The name of a file that is not there, as the database's."""
    connection = connections["default"]
    path = tmp_path / "quatro.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", path)
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command_says_that_the_file_is_missing(missing, command):
    with pytest.raises(CommandError, match=r"There is no database .*quatro\.sqlite3.*QUARTO_DATABASE_URL"):
        call_command(*command)
    assert not missing.exists()


def test_it_makes_no_file(tmp_path):
    run = manage(tmp_path / "quatro.sqlite3", "verify")
    assert run.returncode == 1
    assert run.stderr.startswith("CommandError: There is no database")
    assert list(tmp_path.iterdir()) == []
