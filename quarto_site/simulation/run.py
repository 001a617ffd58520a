"""One simulation from beginning to end."""

from typing import Any

from quarto_site.simulation.audit import audit
from quarto_site.simulation.event import play_event
from quarto_site.simulation.plan import Plan
from quarto_site.simulation.site import Site
from quarto_site.simulation.summary import summarise
from quarto_site.simulation.witness import Doubts


async def simulate(plan: Plan) -> dict[str, Any]:
    """Play a tournament and check it; returns the summary. Raises Trouble where that is not possible."""
    site = Site(plan.url)
    try:
        event = await play_event(site, plan, Doubts())
        rows, replays = await audit(site, event) if not event.stuck else ([], [])
    finally:
        await site.close()
    return summarise(event, rows, replays)
