"""One task on the event loop, for as long as the process serves."""

import asyncio


class Background:
    """Runs `_run` from `start` to `stop`."""

    _task: asyncio.Task[None] | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._task = loop.create_task(self._run())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        raise NotImplementedError
