"""The rows of a batch, read by one statement and written by another, past the ORM.

Judging reads and writes every game of every batch, and for so few columns compiling a query and filling
a model costs more than the judging itself. Everything else reads `games.models.Game`.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from games import roundtrip
from games.encoding import encode


class LostUpdate(Exception):
    """A row changed between its reading and its writing, which its lock should have prevented."""


class StoredGame(NamedTuple):
    """What a game's row says to a judge, as the database gives it: `event` is a JSON text, and SQLite's truth
    values are numbers. A tuple, because a row is one already. From `seq` on, it is what is `WRITTEN`."""

    id: str
    seat1_id: int
    seat2_id: int
    claims: str
    control: str
    rated: bool
    draws_allowed: bool
    grace_ms: int
    no_show_ms: int
    event: str | None
    seq: int
    position: str
    record: str
    offer: int | None
    false_claims1: int
    false_claims2: int
    acted1: bool
    acted2: bool
    last_action: str
    mark_ms: int
    spent_ms: int
    bank1_ms: int
    bank2_ms: int
    paused_ms: int | None
    pause_reason: str
    deadline_ms: int | None
    status: str
    result: str | None
    termination: str | None
    win_lines: str

    def after(self, written: tuple[Any, ...]) -> "StoredGame":
        """The row once this has been written."""
        return StoredGame._make((*self[:_UNCHANGED], *written[:-1]))


_UNCHANGED = StoredGame._fields.index("seq")
_COLUMNS = ", ".join(StoredGame._fields)
# On SQLite the ids come as one value, so that the statement is the same for every batch and prepared once.
_SELECT = f"SELECT {_COLUMNS} FROM games_game WHERE id IN (SELECT value FROM json_each(%s)) ORDER BY id"  # noqa: S608
_SELECT_LOCKED = f"SELECT {_COLUMNS} FROM games_game WHERE id IN ({{}}) ORDER BY id FOR NO KEY UPDATE"  # noqa: S608
_SELECT_LOCKED_FREE = f"{_SELECT_LOCKED} SKIP LOCKED"


def read(game_ids: Collection[str], *, skip_locked: bool = False) -> dict[str, StoredGame]:
    """Those of these games that there are, in order of their ids, locked until the transaction ends.

    With `skip_locked`, without those that another transaction has locked. SQLite has one writer at a time
    and locks no rows.
    """
    ids = list(game_ids)
    if not ids:
        return {}
    if connection.vendor == "postgresql":
        rows = roundtrip.rows((_SELECT_LOCKED_FREE if skip_locked else _SELECT_LOCKED).format(_literals(ids)))
    else:
        with connection.cursor() as cursor:
            rows = cursor.execute(_SELECT, [json.dumps(ids)]).fetchall()
    return {row[0]: StoredGame._make(row) for row in rows}


def _literals(texts: Iterable[str]) -> str:
    return ", ".join(map(roundtrip.literal, texts))


_DUE = (
    "SELECT id, deadline_ms + grace_ms FROM games_game WHERE deadline_ms < %s AND deadline_ms <= %s - grace_ms"
    " AND id NOT IN (SELECT value FROM json_each(%s)) ORDER BY deadline_ms LIMIT %s"
)
_DUE_POSTGRESQL = (
    "SELECT id, deadline_ms + grace_ms FROM games_game WHERE deadline_ms < {0:d}"
    " AND deadline_ms <= {0:d} - grace_ms AND id NOT IN ({1}) ORDER BY deadline_ms LIMIT {2:d}"
)


def due(until_ms: int, *, except_for: Collection[str], at_most: int) -> list[tuple[str, int]]:
    """The running games whose deadline and grace will have passed by that moment, each with the moment at
    which they will; the earliest deadlines first."""
    others = list(except_for)
    if connection.vendor == "postgresql":
        return roundtrip.rows(_DUE_POSTGRESQL.format(until_ms, _literals(others or [""]), at_most))
    with connection.cursor() as cursor:
        return cursor.execute(_DUE, [until_ms, until_ms, json.dumps(others), at_most]).fetchall()


WRITTEN = {
    "seq": "int", "position": "text", "record": "text", "offer": "smallint",
    "false_claims1": "smallint", "false_claims2": "smallint", "acted1": "bool", "acted2": "bool",
    "last_action": "text", "mark_ms": "bigint", "spent_ms": "bigint", "bank1_ms": "bigint",
    "bank2_ms": "bigint", "paused_ms": "bigint", "pause_reason": "text", "deadline_ms": "bigint",
    "status": "text", "result": "text", "termination": "text", "win_lines": "text", "ended_ms": "bigint",
}  # fmt: skip
"""The columns that change, with their types in PostgreSQL. From `status` on, only with the status."""

_STATUS = tuple(WRITTEN).index("status")


def _update(names: Iterable[str]) -> str:
    return f"UPDATE games_game SET {', '.join(f'{name} = %s' for name in names)} WHERE id = %s AND seq = %s"  # noqa: S608


_UPDATE = _update(WRITTEN)
# A column that is named costs its index and its constraints, even where its value stays as it was.
_UPDATE_GOING_ON = _update(tuple(WRITTEN)[:_STATUS])
# The same for a whole batch, which arrives as one text: dumping an array for each column costs more.
_UPDATE_BATCH = (
    f"UPDATE games_game AS game SET {', '.join(f'{name} = new.{name}' for name in WRITTEN)} "  # noqa: S608
    f"FROM json_to_recordset({{}}) AS new({', '.join(f'{name} {kind}' for name, kind in WRITTEN.items())}, "
    "id text, seq_before int) WHERE game.id = new.id AND game.seq = new.seq_before RETURNING 1"
)
_ROW = (*WRITTEN, "id", "seq_before")


def write(changes: Sequence[tuple[StoredGame, tuple[Any, ...]]], *, commits: bool = False) -> None:
    """Writes changed rows: each as it was read, and what is `WRITTEN` of it now. The seq that it was read with
    guards it: raises LostUpdate where that is not so any more. `commits`: see `Bench.write`.
    """
    if not changes:
        return
    if connection.vendor == "postgresql":
        text = roundtrip.literal(_as_json([(*values, game.id, game.seq) for game, values in changes]))
        if not roundtrip.change(_UPDATE_BATCH.format(text), count=len(changes), commits=commits):
            raise LostUpdate
        return
    going_on, others = [], []
    for game, values in changes:
        if game.status == values[_STATUS] != "over":
            going_on.append((*values[:_STATUS], game.id, game.seq))
        else:
            others.append((*values, game.id, game.seq))
    with connection.cursor() as cursor:
        for statement, rows in ((_UPDATE_GOING_ON, going_on), (_UPDATE, others)):
            if rows:
                cursor.executemany(statement, rows)
                if cursor.rowcount != len(rows):
                    raise LostUpdate


def _as_json(rows: Sequence[Sequence[Any]]) -> str:
    """A text of one object a row. PostgreSQL knows no NUL in a text: see `quarto_site.texts`."""
    batch = encode([dict(zip(_ROW, row, strict=True)) for row in rows]).decode()
    if "\\u0000" in batch:
        cleaned = [[v.replace("\0", "\ufffd") if isinstance(v, str) else v for v in row] for row in rows]
        batch = encode([dict(zip(_ROW, row, strict=True)) for row in cleaned]).decode()
    return batch
