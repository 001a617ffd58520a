"""What the judging thread has answered so far."""

import time

from games.rulings import Ruling

PATIENCE_S = 20


class Answers:
    """What the referee answers, in its order."""

    def __init__(self, ears) -> None:
        self.rulings: list[tuple[object, Ruling]] = []
        self._ear = ears.to("nowhere")

    def to(self, name):
        return lambda ruling: self.rulings.append((name, ruling))

    def wait_for(self, count):
        limit = time.monotonic() + PATIENCE_S
        while len(self.rulings) < count:
            assert time.monotonic() < limit, self.rulings
            self._ear.hear()

    @property
    def codes(self):
        return {name: ruling.code for name, ruling in self.rulings}
