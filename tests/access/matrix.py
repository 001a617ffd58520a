"""The tables of docs/permissions.md, and what there is to be in them."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.urls import get_resolver

from games.frames import ACTIONS
from games.sockets import Socket
from quarto_site.asgi import sockets

DOCUMENT = Path(__file__).parent.parent.parent / "docs/permissions.md"
ROLES = ("anonymous", "player", "seat", "opponent", "organiser", "other organiser", "arbiter", "staff")
HEADER = ["method", "address", "where", *ROLES]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
ANYTHING = "<anything>"
LIVE = "/ws/"
LONG_POLL = "/api/games/<game_id>/events/"


@dataclass(frozen=True)
class Row:
    """`where` names the situation, and after a colon which of several requests it is."""

    method: str
    address: str
    where: str
    answers: dict[str, str]

    @property
    def situation(self) -> str:
        return self.where.partition(":")[0]

    @property
    def is_live(self) -> bool:
        return self.address.startswith(LIVE) or self.address == LONG_POLL

    def __str__(self) -> str:
        return f"{self.method} {self.address} ({self.where})"


def rows() -> list[Row]:
    found, inside = [], False
    for line in DOCUMENT.read_text().splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        if cells == HEADER:
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not set(line) <= set("|-"):
            method, address, where, *answers = cells
            found.append(Row(method, address, where, dict(zip(ROLES, answers, strict=True))))
    return found


ROWS = rows()


def addresses(patterns: list[Any], before: str = "/") -> Iterator[str]:
    """Every address below these patterns, its variables as `<name>`; what takes anything as `<anything>`."""
    for pattern in patterns:
        part = re.sub(r"<\w+:(\w+)>", r"<\1>", str(pattern.pattern))
        if hasattr(pattern, "url_patterns"):
            yield from addresses(pattern.url_patterns, before + part)
        else:
            yield before + (part or ANYTHING if before != "/" else part)


def socket_addresses() -> set[str]:
    """The last of the routes takes whatever no other did."""
    *named, anything = addresses(sockets.routes)
    return {*named, f"{LIVE}{ANYTHING}"} if anything == "/" else {*named, anything}


def commands_of(socket: type[Socket]) -> set[str]:
    """What a client may send on this socket: the words that its `receive_frame` looks for, and actions."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(socket.receive_frame)))
    words = {node.value.value for node in ast.walk(tree) if isinstance(node, ast.MatchValue)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return words | (ACTIONS if "action_in" in names else set())


def site_addresses() -> set[str]:
    return set(addresses(get_resolver().url_patterns))
