"""A fault under load: tables are played at while it happens, and at the end everything is proved.

What was acknowledged is in its record once, nothing else is, every rated game that ended has changed
two ratings once, nobody lost on time, and `verify` finds no difference.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from tests.clients import Person
from tests.faults.form import FORM
from tests.faults.table import GIVE_UP_S, Table, tokens_of
from tests.server import Server, let_pass

ENDS_OF_THE_SCRIPT = {None, "quarto-placer", "board-full"}
A_MOMENT_S = 0.03
CHANGES = "SELECT game_id, count(*) FROM ratings_ratingchange GROUP BY game_id"
BEGUN = "SELECT id, record, result, termination FROM games_game WHERE rated = ? AND acted1 = ?"


@dataclass(slots=True)
class Verdict:
    """What a fault did. `recoveries_ms` are the times from when its cause was gone until everything agreed."""

    fault: str
    tries: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    recoveries_ms: list[float] = field(default_factory=list)

    def row(self) -> str:
        times = self.recoveries_ms
        cells = (
            self.fault, self.tries, f"{self.acknowledged:,}", self.lost, self.doubled,
            f"{statistics.median(times):,.0f}" if times else "-", f"{max(times):,.0f}" if times else "-",
        )  # fmt: skip
        return f"| {' | '.join(str(cell) for cell in cells)} |"


HEAD = """\
| fault | tries | acknowledged actions | lost | doubled | consistent after, ms: median | worst |
|---|---|---|---|---|---|---|"""
verdicts: list[Verdict] = []


class Trial:
    """Tables at which people play, and what is asked of them while something breaks."""

    def __init__(self, fault: str, tables: Sequence[Table]) -> None:
        self.verdict = Verdict(fault)
        self.tables = tables
        self._playing: list[Future[None]] = []

    @property
    def told(self) -> set[str]:
        """The codes of every refusal so far."""
        return set().union(*(table.told for table in self.tables))

    def forget_what_was_told(self) -> None:
        for table in self.tables:
            table.told.clear()

    @property
    def acks(self) -> int:
        return sum(table.acks for table in self.tables)

    def go_on(self) -> None:
        """Lets them play: two more actions at each table."""
        goals = [(table, table.acks + 2) for table in self.tables]
        self.wait_until(lambda: all(table.acks >= goal for table, goal in goals))

    def go_on_to_some_moment(self) -> None:
        wanted = self.acks + random.randint(5, 40)
        self.wait_until(lambda: self.acks >= wanted)
        let_pass(random.random() * A_MOMENT_S)  # or it would always be just after an acknowledgement

    def wait_until(self, true: Callable[[], bool]) -> None:
        limit = time.monotonic() + GIVE_UP_S
        while not true():
            for playing in self._playing:
                if playing.done():
                    playing.result()
            assert time.monotonic() < limit, [table.acks for table in self.tables]
            let_pass(0.005)

    @contextmanager
    def recovery(self) -> Iterator[None]:
        """From when the cause is taken away (in the block) until every table goes on."""
        begun = time.monotonic()
        yield
        self.go_on()
        self.recovered(begun)

    def recovered(self, begun: float) -> None:
        self.verdict.tries += 1
        self.verdict.recoveries_ms.append((time.monotonic() - begun) * 1000)

    def start(self, pool: ThreadPoolExecutor, games: int | None = None) -> None:
        self._playing = [pool.submit(table.play, games) for table in self.tables]

    def finish(self) -> None:
        """What is under way is played; afterwards nobody plays. A table gives up by itself where nothing comes."""
        for playing in self._playing:
            playing.result()

    def stop(self) -> None:
        for table in self.tables:
            table.stopping = True


@contextmanager
def trial(server: Server, fault: str, *, tables: int = FORM.tables, names: str = "player") -> Iterator[Trial]:
    """Two new people at each of so many tables, playing for the time of the block; then the proof."""
    with ExitStack() as stack:
        people = [Person(server, f"{names}{number}") for number in range(2 * tables)]
        for person in people:
            stack.callback(person.http.close)
        pairs = zip(people[::2], people[1::2], strict=True)
        under = Trial(fault, [Table(server, pair) for pair in pairs])
        pool = stack.enter_context(ThreadPoolExecutor(tables))
        under.start(pool)
        try:
            yield under
        finally:
            under.stop()
        under.finish()
        prove(server, under)


def prove(server: Server, under: Trial) -> None:
    """Fills in the verdict and asserts that it is a good one."""
    verdict = under.verdict
    begun = {row[0]: row[1:] for row in server.rows(BEGUN, True, True)}
    changed = dict(server.rows(CHANGES))
    for table in under.tables:
        for game_id, acknowledged in table.acknowledged.items():
            if not acknowledged:
                continue
            record, result, termination = begun[game_id]
            verdict.acknowledged += len(acknowledged)
            lost, doubled = _compare(acknowledged, tokens_of(record))
            verdict.lost, verdict.doubled = verdict.lost + lost, verdict.doubled + doubled
            assert termination in ENDS_OF_THE_SCRIPT, (record, termination)
            assert changed.get(game_id, 0) == (0 if result is None else 2), record
    verdicts.append(verdict)
    assert (verdict.lost, verdict.doubled) == (0, 0)
    assert verdict.acknowledged
    verified = server.manage("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def _compare(acknowledged: list[str], recorded: list[str]) -> tuple[int, int]:
    """How many actions a record lacks and how many it has too many."""
    same = 0
    while same < min(len(acknowledged), len(recorded)) and acknowledged[same] == recorded[same]:
        same += 1
    return len(acknowledged) - same, len(recorded) - same
