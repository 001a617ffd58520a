"""Every migration since the previous release, forwards on PostgreSQL, with its rows in place."""

import sqlite3
from contextlib import closing

import psycopg
from psycopg import sql

from tests.server import manage
from tests.services.people import verified_at
from tests.upgrade.release import restore

BACK_THEN = """
from django.core.management import call_command
for app, name in {0!r}:
    call_command("migrate", app, name, verbosity=0)
"""
LATEST = "SELECT app, max(name) FROM django_migrations GROUP BY app"
COLUMNS = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s"
TABLES = """
SELECT name FROM sqlite_master
WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'django_migrations'
"""
SERIAL = """SELECT setval(pg_get_serial_sequence({name}, 'id'), (SELECT max(id) FROM {table}))"""


def test_a_database_of_the_previous_release_is_upgraded(postgres, tmp_path):
    old = tmp_path / "old.sqlite3"
    restore(old)
    database = postgres.create("upgraded")
    with closing(sqlite3.connect(old)) as source, psycopg.connect(database) as target:
        latest = source.execute(LATEST).fetchall()
        made = manage(database, "shell", "-v0", "-c", BACK_THEN.format(latest))
        assert made.returncode == 0, made.stderr
        copy_rows(source, target)
    assert "lacks migrations" in manage(database, "serve", "--bind", "127.0.0.1:0").stderr
    upgraded = manage(database, "migrate", "--verbosity", "0")
    assert upgraded.returncode == 0, upgraded.stderr
    counts = verified_at(database)
    assert (counts["differences"], counts["games"]) == ("0", "65")


def copy_rows(source, target):
    """Everything, past what points where: PostgreSQL reads each value from its text."""
    target.execute("SET session_replication_role = replica")
    target.execute("SET TimeZone = 'UTC'")
    tables = [name for (name,) in source.execute(TABLES)]
    target.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(map(sql.Identifier, tables))))
    for table in tables:
        kinds = dict(target.execute(COLUMNS, [table]).fetchall())
        columns = [name for _n, name, *_rest in source.execute(f"PRAGMA table_info({table})")]
        named = sql.SQL(", ").join(map(sql.Identifier, columns))
        values = sql.SQL(", ").join(sql.Placeholder() * len(columns))
        insert = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), named, values)
        rows = [
            [as_text(value, kinds[name]) for name, value in zip(columns, row, strict=True)]
            for row in source.execute(f"SELECT * FROM {table}")
        ]
        with target.cursor() as cursor:
            cursor.executemany(insert, rows)
        if kinds.get("id") in ("integer", "bigint") and rows:
            target.execute(sql.SQL(SERIAL).format(name=sql.Literal(table), table=sql.Identifier(table)))


def as_text(value, kind):
    return None if value is None else str(bool(value)) if kind == "boolean" else str(value)
