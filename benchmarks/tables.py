"""Medians, percentiles and tables."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of what is asked for: what was measured, what is the least and what the aim."""

    what: str
    measured: str
    at_least: str
    aim: str


def percentile(values: Sequence[float], percent: int) -> float:
    """The value below which so many percent of the values are.

    >>> percentile(range(1, 201), 99)
    199
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def medians(rows: Sequence[dict[str, Any]], server: str) -> dict[str, float]:
    """The median of each figure over a server's rows."""
    own = [row for row in rows if row["server"] == server]
    return {key: median(row[key] for row in own) for key in own[0] if key not in ("server", "section")}


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """
    >>> print(table(["a", "b"], [["1", "2"]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    rows = [heads, ["---"] * len(heads), *lines]
    texts = ["| " + " | ".join(row) + " |" for row in rows]
    texts[1] = "|---" * len(heads) + "|"
    return "\n".join(texts)


def say(words: str) -> None:
    """Tells how far the measuring is."""
    print(words, file=sys.stderr, flush=True)
