"""What keeps `serve` from starting, in words and with an exit code."""

import socket
import sqlite3

import pytest
from django.core.management import CommandError, call_command

from tests.clients import Match, Person
from tests.server import manage, serving


def refusal(run):
    """What the command said; it must have failed, and not by an accident of the program."""
    assert run.returncode != 0
    assert "Traceback" not in run.stderr
    return run.stderr


def test_it_refuses_a_database_that_lacks_migrations(tmp_path):
    (tmp_path / "new.sqlite3").touch()
    said = refusal(manage(tmp_path / "new.sqlite3", "serve", "--bind", "127.0.0.1:0"))
    assert "lacks migrations" in said
    assert "manage.py migrate" in said


def test_it_refuses_a_database_that_lacks_one_migration(tmp_path, empty_database):
    database = tmp_path / "old.sqlite3"
    database.write_bytes(empty_database.read_bytes())
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("DELETE FROM django_migrations WHERE app = 'tournaments'")
    connection.close()
    assert "tournaments." in refusal(manage(database, "serve", "--bind", "127.0.0.1:0"))


@pytest.mark.parametrize(
    "bind", ["", "nonsense", "8000", ":8000", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536",
             "127.0.0.1:-1", "127.0.0.1:８０", "127.0.0.1:1 2"],
)  # fmt: skip
def test_it_refuses_an_address_that_is_none(bind):
    with pytest.raises(CommandError, match="HOST:PORT"):
        call_command("serve", bind=bind)


def test_it_says_so_where_it_cannot_listen(empty_database):
    assert "192.0.2.1" in refusal(manage(empty_database, "serve", "--bind", "192.0.2.1:0"))


def test_it_says_so_where_the_port_is_taken(empty_database):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refusal(manage(empty_database, "serve", "--bind", f"127.0.0.1:{port}"))
    assert str(port) in said


def test_a_second_server_on_the_port_leaves_the_first_alone(tmp_path, empty_database):
    with serving(tmp_path, empty_database) as server:
        said = refusal(manage(empty_database, "serve", "--bind", f"127.0.0.1:{server.port}"))
    assert str(server.port) in said


def test_one_server_uses_a_database_file_by_whatever_name(tmp_path, empty_database):
    with serving(tmp_path, empty_database) as server:
        ann, ben = Person(server, "ann"), Person(server, "ben")
        match = Match(server, ann.challenge(ben), ann, ben)
        match.play("@5 a1")
        other_name = tmp_path / "club.sqlite3"
        other_name.symlink_to(server.database)
        files = set(tmp_path.iterdir())
        for database in (server.database, other_name):
            assert "Another server uses" in refusal(manage(database, "serve", "--bind", "127.0.0.1:0"))
        assert set(tmp_path.iterdir()) == files
        assert match.play("@6 b1")["seq"] == 4
        match.close()
        ann.http.close(), ben.http.close()
        server.kill()
        server.start()


def test_it_says_so_where_it_cannot_lock_the_database_file(tmp_path, empty_database):
    database = tmp_path / "club.sqlite3"
    database.write_bytes(empty_database.read_bytes())
    (tmp_path / "club.sqlite3-serve").mkdir()
    assert "club.sqlite3-serve" in refusal(manage(database, "serve", "--bind", "127.0.0.1:0"))


def test_it_refuses_a_database_that_cannot_be_opened(tmp_path):
    said = refusal(manage(tmp_path / "no/such/folder.sqlite3", "serve", "--bind", "127.0.0.1:0"))
    assert "QUARTO_DATABASE_URL" in said


def test_it_refuses_a_file_that_is_no_database(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear club,\n" * 1_000)
    assert "QUARTO_DATABASE_URL" in refusal(manage(tmp_path / "letter.txt", "serve", "--bind", "127.0.0.1:0"))


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"secret_key": ""}, "QUARTO_SECRET_KEY"),
        ({"frames_burst": "0"}, "QUARTO_FRAMES_BURST"),
        ({"https": "perhaps"}, "QUARTO_HTTPS"),
        ({"log_level": "loud"}, "QUARTO_LOG_LEVEL"),
        ({"database_url": "nonsense"}, "QUARTO_DATABASE_URL"),
        ({"database_url": "oracle://club"}, "QUARTO_DATABASE_URL"),
    ],
)
def test_a_bad_setting_stops_the_start_with_its_name(empty_database, settings, named):
    run = manage(empty_database, "serve", "--bind", "127.0.0.1:0", **settings)
    assert run.returncode != 0
    assert named in run.stderr.splitlines()[-1]
