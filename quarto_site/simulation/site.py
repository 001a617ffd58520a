"""The site as a stranger sees it: its REST addresses and its sockets, nothing else."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.utils.translation import gettext as _
from websockets.asyncio.client import ClientConnection, connect

TIMEOUT_S = 60.0
LONGEST_WAIT_S = 90.0
TRIES = 6


class Trouble(Exception):
    """The tournament cannot go on: why, in words for whoever started it."""


class Refused(Trouble):
    """The site answered something else than what was asked for; `status` and `code` are its own."""

    def __init__(self, request: str, status: int, code: str, detail: str) -> None:
        super().__init__(
            _("%(request)s was refused: %(status)s %(code)s: %(detail)s")
            % {"request": request, "status": status, "code": code, "detail": detail}
        )
        self.status, self.code = status, code


class Site:
    """Calls to one server. Close it when done."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise Trouble(_("%(url)s is no address of a site, such as http://127.0.0.1:8000.") % {"url": url})
        self._sockets = f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}{parts.path}"
        limits = httpx.Limits(max_connections=32, max_keepalive_connections=32)
        self._client = httpx.AsyncClient(base_url=self.url, timeout=TIMEOUT_S, limits=limits, trust_env=False)

    async def close(self) -> None:
        await self._client.aclose()

    async def get(self, path: str, token: str | None = None) -> Any:
        return (await self._call("GET", path, token, None)).json()

    async def get_text(self, path: str) -> str:
        return (await self._call("GET", path, None, None)).text

    async def post(self, path: str, body: dict[str, Any], token: str | None = None) -> Any:
        return (await self._call("POST", path, token, body)).json()

    def game_socket(self, game_id: str, token: str | None) -> connect:
        """A connection to a game's socket, anonymous without a token; to be awaited or entered."""
        return connect(
            f"{self._sockets}/ws/games/{game_id}/",
            additional_headers={"Authorization": f"Bearer {token}"} if token else None,
            open_timeout=TIMEOUT_S,
            ping_interval=None,
            compression=None,
            max_size=None,
            proxy=None,
        )

    async def _call(
        self, method: str, path: str, token: str | None, body: dict[str, Any] | None
    ) -> httpx.Response:
        """One request; waits where the site asks for patience. Raises Trouble, Refused."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = f"{method} {path}"
        for attempt in range(1, TRIES + 1):
            try:
                response = await self._client.request(method, path, headers=headers, json=body)
            except httpx.HTTPError as error:
                raise Trouble(
                    _("%(url)s cannot be reached (%(request)s): %(error)s")
                    % {"url": self.url, "request": request, "error": str(error) or type(error).__name__}
                ) from None
            if response.is_success:
                return response
            wait_s = _patience_s(response, attempt)
            if wait_s is None or attempt == TRIES:
                raise _refusal(request, response)
            await asyncio.sleep(wait_s)
        raise AssertionError


def _patience_s(response: httpx.Response, attempt: int) -> float | None:
    """How long to wait before the same request again; None where waiting does not help."""
    if response.status_code not in (429, 503):
        return None
    told = response.headers.get("Retry-After", "")
    wait_s = float(told) if told.isdecimal() else 0.25 * 2.0**attempt
    return wait_s if wait_s <= LONGEST_WAIT_S else None


def _refusal(request: str, response: httpx.Response) -> Refused:
    try:
        body = response.json()
        code, detail = str(body["code"]), str(body["detail"])
    except (ValueError, TypeError, KeyError):
        code, detail = "?", response.text[:200]
    return Refused(request, response.status_code, code, detail)


__all__ = ["ClientConnection", "Refused", "Site", "Trouble"]
