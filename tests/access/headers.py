"""The headers that every answer of the site must have."""

from collections.abc import Iterable, Mapping
from http.cookies import Morsel

PROMISES = {
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NOBODY_ELSES = {"no-store", "private"}


def lacks(
    headers: Mapping[str, str], cookies: Iterable[Morsel] = (), *, is_public: bool = False
) -> list[str]:
    """What an answer lacks; one that is the same for everybody may be kept by anybody."""
    lacking = [name for name, value in PROMISES.items() if value not in headers.get(name, "")]
    if "frame-ancestors 'self'" not in headers.get("Content-Security-Policy", ""):
        lacking.append("frame-ancestors")
    if not is_public and not NOBODY_ELSES & set(headers.get("Cache-Control", "").replace(" ", "").split(",")):
        lacking.append("Cache-Control")
    for cookie in cookies:
        if cookie.value and (cookie["samesite"] != "Lax" or not cookie["httponly"]):
            lacking.append(f"a closed cookie {cookie.key}")
    return lacking
