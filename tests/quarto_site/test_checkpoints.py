import sqlite3
import threading
import time
from contextlib import closing
from types import SimpleNamespace

import pytest
from django.db import connections

from quarto_site import checkpoints
from quarto_site.checkpoints import BOUND_PAGES, LARGE_BYTES, Checkpoints, leave_to_the_thread, move
from tests.server import let_pass

PATIENCE_S = 20
ROW = b"x" * 100_000


@pytest.fixture
def database(tmp_path):
    """A file with a log that no commit moves."""
    path = tmp_path / "site.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript("PRAGMA journal_mode=WAL; CREATE TABLE rows (content)")
        yield path


@pytest.fixture
def writer(database):
    with closing(sqlite3.connect(database, isolation_level=None, timeout=PATIENCE_S)) as writer:
        writer.executescript("PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=OFF")
        yield writer


def write(writer, rows):
    for _row in range(rows):
        writer.execute("INSERT INTO rows VALUES (?)", [ROW])


def log_size(database):
    return database.with_name("site.sqlite3-wal").stat().st_size


def test_a_log_that_was_moved_begins_anew(database, writer):
    write(writer, 5)
    assert log_size(database) > 5 * len(ROW)
    assert move(database)
    assert log_size(database) == 0
    assert writer.execute("SELECT count(*) FROM rows").fetchone() == (5,)


def test_a_reader_of_an_old_state_prevents_it_and_nobody_waits_for_him(database, writer):
    with closing(sqlite3.connect(database, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM rows").fetchone()
        write(writer, 5)
        assert not move(database)
        write(writer, 1)
        reader.execute("COMMIT")
    assert move(database)


def test_a_writer_who_is_in_the_middle_is_not_disturbed(database, writer):
    writer.execute("BEGIN IMMEDIATE")
    write(writer, 1)
    assert not move(database)
    writer.execute("COMMIT")
    assert move(database)


def test_steady_writing_is_not_disturbed_and_the_log_is_emptied_afterwards(database, writer, monkeypatch):
    monkeypatch.setattr(checkpoints, "LARGE_BYTES", 5 * len(ROW))
    thread = Checkpoints(database, look_every_s=0.001)
    thread.start()
    try:
        write(writer, 200)
        give_up_at = time.monotonic() + PATIENCE_S
        while log_size(database) and time.monotonic() < give_up_at:
            let_pass(0.005)
        assert log_size(database) == 0
    finally:
        thread.stop()
    assert writer.execute("SELECT count(*) FROM rows").fetchone() == (200,)
    assert writer.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_without_the_thread_a_commit_bounds_the_log(database, writer):
    writer.execute(f"PRAGMA wal_autocheckpoint={BOUND_PAGES // 10}")
    bound = BOUND_PAGES // 10 * 4_096
    write(writer, 3 * bound // len(ROW))
    assert bound <= log_size(database) < 2 * bound


def test_a_small_log_is_left_alone_and_a_failure_is_said_once(database, writer, monkeypatch, caplog):
    tried, enough = [], threading.Event()

    def fails(path):
        tried.append(path)
        if len(tried) == 3:
            enough.set()
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(checkpoints, "move", fails)
    write(writer, 1)
    thread = Checkpoints(database, look_every_s=0.001)
    thread.start()
    assert not enough.wait(0.05)
    assert tried == []
    write(writer, 1 + LARGE_BYTES // len(ROW))
    assert enough.wait(PATIENCE_S)
    thread.stop()
    assert caplog.text.count("could not be moved: disk I/O error") == 1


def test_commits_leave_the_log_to_the_thread_up_to_a_bound(tmp_path, transactional_db):
    thread = Checkpoints(tmp_path / "site.sqlite3")
    thread.start()
    try:
        assert asked_in_a_new_connection("PRAGMA wal_autocheckpoint") == BOUND_PAGES
    finally:
        thread.stop()
    assert asked_in_a_new_connection("PRAGMA wal_autocheckpoint") == 1_000
    leave_to_the_thread(SimpleNamespace(vendor="postgresql"))


def asked_in_a_new_connection(question):
    own = connections["default"].copy()
    try:
        with own.cursor() as cursor:
            return cursor.execute(question).fetchone()[0]
    finally:
        own.close()
