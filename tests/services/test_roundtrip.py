"""What a batch says to PostgreSQL in one turn: begun, guarded and ended with it, and never more than that."""

import json

import pytest

from tests.server import manage

GUARDED = """
import json
from django.db import DatabaseError, connection, transaction
from games import roundtrip
from games.models import Heartbeat

UPDATE = "UPDATE games_heartbeat SET beat_ms = {} WHERE id = 1 RETURNING 1"

def changed(ms, *, nested=False, undone=False, **terms):
    Heartbeat.objects.update_or_create(pk=1, defaults={"beat_ms": 0})
    try:
        with transaction.atomic():
            if nested:
                with transaction.atomic():
                    done = roundtrip.change(UPDATE.format(ms), **terms)
            else:
                done = roundtrip.change(UPDATE.format(ms), **terms)
            if undone or not done:
                raise KeyError
    except KeyError:
        pass
    return done, Heartbeat.objects.get(pk=1).beat_ms

def failed(statement):
    try:
        with transaction.atomic():
            roundtrip.rows(statement)
    except DatabaseError as error:
        return type(error).__name__, getattr(error.__cause__, "sqlstate", None)

print(json.dumps({
    "literal": roundtrip.rows("SELECT " + ", ".join(map(roundtrip.literal, ["it's", "a\\\\b", "{0}%s", "a\\0b"]))),
    "types": roundtrip.rows("SELECT 1, true, NULL, 'x'"),
    "alone": changed(1, count=1),
    "wrong count": changed(2, count=2),
    "wrong count at the end": changed(3, count=2, commits=True),
    "undone": changed(4, count=1, undone=True),
    "ended before": changed(5, count=1, undone=True, commits=True),
    "not ended from within": changed(6, count=1, undone=True, commits=True, nested=True),
    "error": failed("SELECT 'x'::text::int"),
    "afterwards": roundtrip.rows("SELECT 7"),
    "autocommit": connection.get_autocommit(),
    "ended by the server": failed("SELECT pg_terminate_backend(pg_backend_pid())"),
    "back": roundtrip.rows("SELECT 9"),
}))
"""


@pytest.fixture(scope="module")
def answers(postgres):
    told = manage(
        postgres.create("roundtrip", template="empty"), "shell", "--no-imports", "--command", GUARDED
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ("literal", [["it's", "a\\b", "{0}%s", "a"]]),
        ("types", [[1, True, None, "x"]]),
        ("alone", [True, 1]),
        ("wrong count", [False, 0]),
        ("wrong count at the end", [False, 0]),
        ("undone", [True, 0]),
        ("ended before", [True, 5]),
        ("not ended from within", [True, 0]),
        ("error", ["DataError", "22P02"]),
        ("afterwards", [[7]]),
        ("autocommit", True),
        ("ended by the server", ["OperationalError", None]),
        ("back", [[9]]),
    ],
)
def test_a_turn_says(answers, what, answer):
    assert answers[what] == answer
