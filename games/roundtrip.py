"""Statements that go to PostgreSQL together, in one turn.

What a batch costs there is mostly its turns: each puts the thread to sleep and wakes it with a cold cache, and
psycopg's cursor takes longer than the judging. Here a transaction begins with its first statement and ends with
its last, by libpq's own call, for which parameters have to be literals. Errors are Django's all the same.
"""

from contextlib import suppress
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DataError, connections
from psycopg import errors
from psycopg.adapt import Transformer
from psycopg.pq import ConnStatus, Escaping, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

DONE = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)


def literal(text: str) -> str:
    """A text as it stands in a statement; cut off at a NUL, which PostgreSQL's texts cannot have."""
    connection = connections[DEFAULT_DB_ALIAS]
    connection.ensure_connection()
    return Escaping(connection.connection.pgconn).escape_literal(text.encode()).decode()


def rows(statement: str) -> list[tuple[Any, ...]]:
    """What a statement gives; within `atomic` the transaction begins with it, where it has not begun yet."""
    result = _turn(statement)
    transformer = Transformer(connections[DEFAULT_DB_ALIAS].connection)
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, tuple)


def change(statement: str, *, count: int, commits: bool = False) -> bool:
    """Whether a statement with RETURNING changed so many rows; where it did not, the transaction is lost.

    With `commits` and outside of any other `atomic` than one, the transaction ends here.
    """
    ends = "; COMMIT" if commits and not connections[DEFAULT_DB_ALIAS].savepoint_ids else ""
    guarded = f"WITH changed AS ({statement}) SELECT 1 / (count(*) = {count:d})::int FROM changed{ends}"  # noqa: S608
    try:
        _turn(guarded)
    except DataError as error:
        if isinstance(error.__cause__, errors.DivisionByZero):
            return False
        raise
    return True


def _turn(statements: str) -> PGresult:
    """The result of the last of these statements, or the error of the first that failed."""
    connection = connections[DEFAULT_DB_ALIAS]  # once: Django's own `connection` looks it up at every turn
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    pgconn = connection.connection.pgconn
    with connection.wrap_database_errors:
        if connection.in_atomic_block and pgconn.transaction_status == TransactionStatus.IDLE:
            statements = f"BEGIN; {statements}"
        result = None
        with suppress(MemoryError):  # what is said where libpq gives no result: it could not send
            result = pgconn.exec_(statements.encode())
        if result is None or pgconn.status != ConnStatus.OK:
            raise errors.OperationalError(pgconn.get_error_message())
        if result.status not in DONE:
            raise errors.error_from_result(result)
    return result
