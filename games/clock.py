"""Time controls and the clock of a game. Every time is an integer of milliseconds and comes as an argument.

A turn is the unit: from receiving a piece until the next one is handed over. Placing and claiming do not stop
the clock, so the deadline does not move inside a turn. Grace is not the clock's business: whoever enforces a
deadline adds it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["waiting", "turn", "reply", "stopped"]

DEFAULT_REPLY_MS = 60_000
LONGEST_MS = 86_400_000

_SECONDS = r"([0-9]{1,5}(?:\.[0-9]{1,3})?)"
_CONTROL = re.compile(
    rf"(?=.)(?:turn={_SECONDS})?(?:(?:^|(?<=.) )bank={_SECONDS}(?: inc={_SECONDS})?)?", re.ASCII
)


class BadControl(ValueError):
    """A time control is turn=S, bank=S, bank=S inc=S, or turn=S and one of these; seconds up to a day."""


def parse_seconds(text: str) -> int:
    """Milliseconds of a decimal number of seconds.

    >>> parse_seconds("2.5")
    2500
    """
    whole, _, fraction = text.partition(".")
    return int(whole) * 1000 + int(fraction.ljust(3, "0"))


def write_seconds(ms: int) -> str:
    """Seconds to the millisecond, as a record writes them.

    >>> write_seconds(4012)
    '4.012'
    """
    return f"{ms // 1000}.{ms % 1000:03d}"


def _short_seconds(ms: int) -> str:
    return write_seconds(ms).rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """An allowance that comes back each turn, a bank for the game, and what a turn adds to the bank."""

    turn_ms: int = 0
    bank_ms: int = 0
    inc_ms: int = 0

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read a time control; raises BadControl.

        >>> str(TimeControl.parse("turn=30.50 bank=120 inc=2"))
        'turn=30.5 bank=120 inc=2'
        """
        match = _CONTROL.fullmatch(text) if isinstance(text, str) else None
        given = [None if part is None else parse_seconds(part) for part in match.groups()] if match else []
        if not given or any(ms is not None and not 0 < ms <= LONGEST_MS for ms in given):
            raise BadControl(BadControl.__doc__)
        return cls(*(ms or 0 for ms in given))

    @property
    def reply_ms(self) -> int:
        """The limit of the last window: the turn allowance, or a minute where there is none."""
        return self.turn_ms or DEFAULT_REPLY_MS

    def __str__(self) -> str:
        parts = (("turn", self.turn_ms), ("bank", self.bank_ms), ("inc", self.inc_ms))
        return " ".join(f"{name}={_short_seconds(ms)}" for name, ms in parts if ms)


class Clock(NamedTuple):
    """The running clock of one game, a tuple as the state that it is part of.

    `seat` is whose time runs, `kind` under which limit: `waiting` for the first give (no-show limit), a
    `turn`, the last `reply`, or `stopped`. `mark_ms` is the moment from which the next action's time counts,
    `spent_ms` what earlier actions of this turn have used. `paused` holds since when and why.
    """

    control: TimeControl
    banks: tuple[int, int]
    mark_ms: int
    spent_ms: int
    seat: int
    kind: Kind
    paused: tuple[int, str] | None
    no_show_ms: int
    reply_ms: int

    @classmethod
    def start(
        cls, control: TimeControl, *, at_ms: int, no_show_ms: int, reply_ms: int | None = None
    ) -> Clock:
        """The clock of a game that waits for its first give. `reply_ms` overrides the control's own."""
        banks = (control.bank_ms, control.bank_ms)
        reply_ms = control.reply_ms if reply_ms is None else reply_ms
        return cls(control, banks, at_ms, 0, 1, "waiting", None, no_show_ms, reply_ms)

    @property
    def limit_ms(self) -> int:
        """All the time of the running turn or window."""
        if self.kind == "waiting":
            return self.no_show_ms
        if self.kind == "reply":
            return self.reply_ms
        return self.control.turn_ms + self.banks[self.seat - 1]

    @property
    def deadline_ms(self) -> int | None:
        """The last moment that is in time, without grace; None while nothing runs."""
        if self.paused is not None or self.kind == "stopped":
            return None
        return self.mark_ms + self.limit_ms - self.spent_ms

    def used_ms(self, at_ms: int) -> int:
        """What an action at that moment uses: nothing where a credit has moved the mark into the future."""
        return max(0, at_ms - self.mark_ms)

    def act(self, at_ms: int) -> Clock:
        """Charge an action to the running turn."""
        used_ms = self.used_ms(at_ms)
        return self._replace(mark_ms=self.mark_ms + used_ms, spent_ms=self.spent_ms + used_ms)

    def end_turn(self, at_ms: int, *, kind: Kind) -> Clock:
        """Charge the bank, add the increment and start the other seat's turn or window at that moment."""
        banks = self._with_bank(self._bank_left() + self.control.inc_ms)
        return self._replace(banks=banks, mark_ms=at_ms, spent_ms=0, seat=3 - self.seat, kind=kind)

    def stop(self) -> Clock:
        """The clock of a finished game: what was recorded is charged, no increment."""
        banks = self._with_bank(self._bank_left())
        return self._replace(banks=banks, kind="stopped", paused=None)

    def run_out(self) -> Clock:
        """The clock of a game lost on time: nothing is left."""
        return self._replace(banks=self._with_bank(0), kind="stopped", paused=None)

    def pause(self, at_ms: int, reason: str) -> Clock:
        """Hold the clock."""
        return self._replace(paused=(at_ms, reason))

    def resume(self, at_ms: int) -> Clock:
        """Let the clock run on; the time since the pause is nobody's."""
        since_ms = at_ms if self.paused is None else self.paused[0]
        return self._replace(paused=None).credit(max(0, at_ms - since_ms))

    def credit(self, ms: int) -> Clock:
        """Move the running deadline by time that is nobody's."""
        return self._replace(mark_ms=self.mark_ms + ms)

    def add(self, seat: int, ms: int) -> Clock:
        """Give a seat more time in its bank."""
        first, second = self.banks
        return self._replace(banks=(first + ms, second) if seat == 1 else (first, second + ms))

    def _bank_left(self) -> int:
        bank_ms = self.banks[self.seat - 1]
        if self.kind != "turn":
            return bank_ms
        return max(0, bank_ms - max(0, self.spent_ms - self.control.turn_ms))

    def _with_bank(self, ms: int) -> tuple[int, int]:
        return (ms, self.banks[1]) if self.seat == 1 else (self.banks[0], ms)


def floor_face(remaining_ms: int) -> str:
    """Minutes and whole seconds, rounded down once, on the total.

    >>> floor_face(599_200)
    '9:59'
    """
    return _face(max(0, remaining_ms) // 1000)


def ceil_face(remaining_ms: int) -> str:
    """Minutes and whole seconds, rounded up once, on the total.

    >>> ceil_face(599_200)
    '10:00'
    """
    return _face(-(-max(0, remaining_ms) // 1000))


def _face(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"
