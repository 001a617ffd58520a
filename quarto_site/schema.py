"""The schema of /api/: every operation names the refusals that any of its kind may answer."""

from collections.abc import Iterator
from typing import Any

from drf_spectacular.openapi import AutoSchema

from games.api.fields import refused

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


class Described(AutoSchema):
    """Adds what follows from authentication, address, parameters and body; what a view says itself stays."""

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        responses = super()._get_response_bodies(direction)
        for status, words in self._refusals():
            if status not in responses:
                responses[status] = self._get_response_for_code(refused(words), status, direction=direction)
        return dict(sorted(responses.items()))

    def _refusals(self) -> Iterator[tuple[str, str]]:
        places = {parameter["in"] for parameter in self._get_parameters()}
        has_body = self.method in ("POST", "PUT", "PATCH") and self.get_request_serializer() is not None
        if self.method in UNSAFE or "query" in places:
            yield "400", "`bad_request`: what is wrong, in words."
        if self.view.get_authenticators():
            yield "401", "`not_signed_in`: nobody is, or the token is not valid."
            if self.method in UNSAFE:
                yield "403", "`forbidden`"
        if places & {"path", "query"}:
            yield "404", "`not_found`, also for a page beyond the last."
        if self.method in UNSAFE and "path" in places:
            yield "409", "`state` and others: not now, and why not, in words."
        if has_body:
            yield "415", "`unsupported_media_type`: bodies are JSON."
        yield "503", "`unavailable`: the database is away. Try again."
