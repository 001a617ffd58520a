"""What keeps a backup from being made; tests/faults and tests/services make some and restore them."""

import os

import pytest

from quarto_site.backup import NoBackup, backup


@pytest.mark.parametrize(
    ("name", "said"),
    [("there", "is there already"), ("nowhere/copy", "No such file or directory"), ("copy", "no database")],
)
def test_a_backup_replaces_nothing_leaves_nothing_half_done_and_says_why(tmp_path, name, said):
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "none"}
    (tmp_path / "there").write_text("a letter")
    with pytest.raises(NoBackup, match=said):
        backup(database, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert (tmp_path / "there").read_text() == "a letter"


def test_a_postgresql_that_is_away_is_said_without_its_password(tmp_path):
    database = {
        "ENGINE": "django.db.backends.postgresql", "NAME": "club", "HOST": "127.0.0.1", "PORT": "1",
        "USER": "quarto", "PASSWORD": "four in a row", "OPTIONS": {},
    }  # fmt: skip
    with pytest.raises(NoBackup, match="pg_dump") as refused:
        backup(database, tmp_path / "copy")
    assert "four in a row" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


POSTGRESQL = {"ENGINE": "django.db.backends.postgresql", "NAME": "club", "OPTIONS": {}}


@pytest.fixture
def dump(tmp_path, monkeypatch):
    """Puts a script in the place of the program that dumps PostgreSQL; `$file` is what it is to write."""

    def put(script):
        program = tmp_path / "bin/pg_dump"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nfile="${{3#--file=}}"\n{script}\n')
        program.chmod(0o700)
        monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)

    return put


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "backups"
    path.mkdir()
    return path


def test_a_backup_that_another_one_overtakes_does_not_replace_it(folder, dump):
    copy = folder / "copy"
    dump(f'echo ours > "$file"; echo theirs > "{copy}"')
    with pytest.raises(NoBackup, match="is there already"):
        backup(POSTGRESQL, copy)
    assert [path.name for path in folder.iterdir()] == ["copy"]
    assert copy.read_text() == "theirs\n"


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_system_without_links_takes_a_backup_too(folder, dump, monkeypatch, has_links):
    def refuse(*_names):
        raise PermissionError("Operation not permitted")

    dump('echo ours > "$file"')
    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    backup(POSTGRESQL, folder / "copy")
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("copy", "ours\n")]
