"""Games in every phase in which an upgrade may find them, and how they end after it."""

from dataclasses import dataclass, field
from typing import Any

from tests.positions import DARK_ROW, FULL_WITH_LINE_AT_THE_END, FULL_WITHOUT_LINE, NO_LINE, filling


@dataclass(frozen=True)
class Phase:
    """`before` is played in the old release and `after` in the new one, as `tests.clients.Match.play` reads it."""

    before: str
    after: str
    result: str
    termination: str
    terms: dict[str, Any] = field(default_factory=dict)


PHASES = {
    "waiting": Phase("", "@5 a1 R2", "1-0", "resign"),
    "to give": Phase("@5 a1", "@6 b1 R1", "0-1", "resign"),
    "to place": Phase("@5", "a1 @6 b1 R2", "1-0", "resign", {"rated": True}),
    "on a bank": Phase("@5 a1 @6", "b1 R1", "0-1", "resign", {"control": "bank=3600 inc=2"}),
    "with a line to call": Phase(DARK_ROW, "Q1(a1-d1)", "1-0", "quarto-placer", {"rated": True}),
    "with a missed line": Phase(f"{DARK_ROW} @6", "Q2(a1-d1)", "0-1", "quarto-opponent", {"rated": True}),
    "with a window closed": Phase(f"{NO_LINE} Q1(a1-d1)", "@6 a2 R1", "0-1", "resign", {"claims": "void"}),
    "with an offer": Phase("@5 D2?", "D1=", "1/2-1/2", "agreement", {"draws_allowed": True}),
    "in the last window but one": Phase(filling(FULL_WITHOUT_LINE), "-- --", "1/2-1/2", "board-full"),
    "in the last window": Phase(
        f"{filling(FULL_WITH_LINE_AT_THE_END)} --", "Q2(a4-d4)", "0-1", "quarto-opponent"
    ),
}
USUAL = {"control": "turn=3600", "claims": "lose"}
PAUSED, OVER = "paused", "over"
