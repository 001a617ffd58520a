"""What keeps a backup from being made; tests/faults and tests/services make some and restore them."""

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
