"""JSON as it is sent and stored: a frame and a batch are written out for every action."""

import json
from typing import Any

import orjson


def encode(value: Any) -> bytes:
    """A value as JSON in UTF-8, without spaces; raises TypeError for what is none.

    >>> encode({"ok": True, "name": "Zoë"}).decode()
    '{"ok":true,"name":"Zoë"}'
    """
    try:
        return orjson.dumps(value)
    except TypeError:
        # No UTF-8 holds half a surrogate pair, which a client's own id may be; an escape does.
        return json.dumps(value, separators=(",", ":")).encode()
