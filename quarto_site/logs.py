"""The two forms of a line in the log: a text for people, JSON for programs.

Law: one event is one line, whatever people's names and texts contain. In a text, what could end a
line, move the cursor or turn the direction of reading is written as an escape, and the lines of a
traceback begin with a bar. What happened to whom stands in fields of their own beside the sentence.
"""

import json
import logging
import re
import secrets
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from http import HTTPStatus

FIELDS = (
    "request", "method", "route", "status", "ms", "socket", "address", "player", "game", "seat", "action",
    "do", "seq", "code",
)  # fmt: skip
"""What a line may carry beside its sentence, in this order; `extra={"game": ...}` sets it."""

_PLAIN = re.compile(r"[\w.:<>/+-]+", re.ASCII)

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The request that is being answered."""


def new_request_id() -> str:
    return secrets.token_hex(6)


class WithRequest(logging.Filter):
    """Adds the request that a line belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "request") or not isinstance(record.request, str):
            record.request = request_id.get()
        return True


class Unalarmed(logging.Filter):
    """Says with less alarm that a request was refused for the moment: why, was said where that was found."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", None) == HTTPStatus.SERVICE_UNAVAILABLE:
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class TextFormatter(logging.Formatter):
    """`2026-11-30 20:15:00,123 WARNING games.referee: the sentence [game=k3J9xQ2a seat=1 action=c-17]`."""

    def format(self, record: logging.LogRecord) -> str:
        head = f"{self.formatTime(record)} {record.levelname} {record.name}: {one_line(record.getMessage())}"
        fields = " ".join(f"{name}={_value(value)}" for name, value in _fields_of(record))
        trace = "".join(f"\n  | {one_line(line)}" for line in _trace_of(self, record).splitlines())
        return f"{head} [{fields}]{trace}" if fields else head + trace


class JsonFormatter(logging.Formatter):
    """One object a line: time (UTC), level, logger, message, the fields, and the trace of an error."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **dict(_fields_of(record)),
        }
        trace = _trace_of(self, record)
        return json.dumps(line | {"error": trace} if trace else line, default=str)


def one_line(text: str) -> str:
    """The text with everything that is not printable as escapes.

    >>> one_line("ann\\n2026-11-30 ERROR")
    'ann\\\\n2026-11-30 ERROR'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _fields_of(record: logging.LogRecord) -> Iterator[tuple[str, object]]:
    for name in FIELDS:
        value = getattr(record, name, None)
        if isinstance(value, str | int | float):
            yield name, value


def _value(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else one_line(json.dumps(text, ensure_ascii=False))


def _trace_of(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    return formatter.formatException(record.exc_info) if record.exc_info else ""
