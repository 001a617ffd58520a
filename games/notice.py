"""What everybody at this process is told while the operator works on the site.

The referee keeps it up to date (`games.maintenance`), so that no page and no socket asks the database for it.
"""

from typing import Any

_text: str | None = None


def notice() -> str | None:
    """The notice, or None while nothing is the matter."""
    return _text


def change(text: str | None) -> bool:
    """Remembers the notice; whether it is another than before."""
    global _text
    before, _text = _text, text
    return text != before


def notice_frame() -> dict[str, Any]:
    """The frame that shows the notice, or takes it away."""
    return {"type": "notice", "maintenance": _text is not None, "text": _text or ""}
