"""What every middleware of the site is made of."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

Finish = Callable[[HttpResponseBase], HttpResponseBase]


class Middleware:
    """Looks at a request before it is answered, and at its answer; the same in a thread and on the loop."""

    sync_capable = True
    async_capable = True

    def __init__(
        self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]
    ) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def begin(self, request: HttpRequest) -> Finish:
        """Returns what is to be done to the answer."""
        raise NotImplementedError

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        finish = self.begin(request)
        answer = self.get_response(request)
        return finish(answer) if isinstance(answer, HttpResponseBase) else _later(answer, finish)


async def _later(answer: Awaitable[HttpResponseBase], finish: Finish) -> HttpResponseBase:
    return finish(await answer)
