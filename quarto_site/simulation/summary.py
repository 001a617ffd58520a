"""What a simulated tournament ends with: the final table, counts, and everything that contradicted itself."""

from collections.abc import Iterable
from math import ceil
from typing import Any

from django.utils.translation import gettext as _

from quarto_site.simulation.event import Event
from quarto_site.simulation.replay import Onlooker

COUNTS = (
    *("games", "claims_by_placer", "claims_by_opponent", "dead_lines", "draws", "timeouts"),
    *("acks_p50_ms", "acks_p99_ms"),
)


SHOWN = 30
"""How many contradictions people are shown; JSON has all."""


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least that share of the values do not exceed, to a tenth; 0 without values.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.0
    """
    ordered = sorted(values)
    return round(ordered[max(0, ceil(len(ordered) * share) - 1)], 1) if ordered else 0.0


def summarise(event: Event, rows: list[dict[str, Any]], replays: list[Onlooker]) -> dict[str, Any]:
    """One object with everything, fit for JSON."""
    endings = [game.termination for game in replays]
    acks_ms = [ms for table in event.tables for ms in table.acks_ms]
    return {
        "tournament": {
            "slug": event.slug,
            "name": event.name,
            "url": f"{event.plan.url.rstrip('/')}/tournaments/{event.slug}/",
            "format": event.plan.format,
            "players": len(event.people),
            "rounds": event.rounds,
        },
        "games": len(event.tables),
        "claims_by_placer": endings.count("quarto-placer"),
        "claims_by_opponent": endings.count("quarto-opponent"),
        "dead_lines": sum(game.dead_lines for game in replays),
        "draws": sum(game.result == "1/2-1/2" for game in replays),
        "timeouts": sum(ending in ("time", "no-show") for ending in endings),
        "acks_p50_ms": percentile(acks_ms, 0.5),
        "acks_p99_ms": percentile(acks_ms, 0.99),
        "table": rows,
        "contradictions": event.doubts.found,
    }


def in_words(summary: dict[str, Any]) -> str:
    """The same for people: a table, one count a line, then what contradicts."""
    codes = list(summary["table"][0]["tiebreaks"]) if summary["table"] else []
    head = [_("Rank"), _("Player"), _("Points"), *codes, _("Rating")]
    body = [
        [row["rank"], row["name"], row["points"], *(row["tiebreaks"][code] for code in codes), row["rating"]]
        for row in summary["table"]
    ]
    lines = [summary["tournament"]["name"], "", *_columns([head, *body]), ""]
    lines += [f"{name}: {summary[name]}" for name in COUNTS]
    found = summary["contradictions"]
    if not found:
        return "\n".join([*lines, "", _("Nothing contradicts the rules.")])
    lines += ["", _("Contradictions: %(count)s") % {"count": len(found)}, *found[:SHOWN]]
    return "\n".join(lines if len(found) <= SHOWN else [*lines, "..."])


def _columns(rows: list[list[Any]]) -> list[str]:
    """Text to the left, numbers to the right."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index == 1 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    ]
