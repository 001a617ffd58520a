"""The referee: one thread a process that judges every action and every deadline.

Actions wait in one queue. Each pass takes all that are there, judges them in one transaction
(group commit: at rest that is one action, under load many share one write), and only after the
commit answers and publishes. Between passes it settles the games whose time is up: after the
grace and a further 250 ms, and only when every action received until then has been judged.
"""

import logging
import queue
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from games import watch
from games.bench import Bench
from games.collisions import again
from games.connections import leave_the_pool
from games.errors import Unavailable
from games.frames import seat_of
from games.live import Update, publisher
from games.maintenance import Caretaker
from games.pulse import Pulse
from games.refusals import REFUSALS
from games.rulings import NO_SUCH_GAME, UNAVAILABLE, Command, Ruling
from games.servertime import now_ms
from games.sweep import Sweep

logger = logging.getLogger(__name__)

BATCH_AT_MOST = 128
TAKEN_AT_MOST = 1_024
ASK_LIMIT_S = 30.0
STOP_LIMIT_S = 10.0
AWAY_PAUSE_S = 0.2
LINGER_S = 0.001
LINGER_AFTER = range(3, 25)  # actions in a pass


def judge_batch(commands: Sequence[Command]) -> tuple[list[Ruling], list[Update]]:
    """Judges commands in order, in one transaction; returns the answers and what is to be published
    once it has been committed. Raises DatabaseError when nothing was judged."""
    with watch.Batch(len(commands)) as batch, transaction.atomic():
        bench = Bench(command.game_id for command in commands)
        rulings = [_rule(bench, command) for command in commands]
        batch.judged()
        bench.write(commits=True)
    return rulings, bench.updates


def _rule(bench: Bench, command: Command) -> Ruling:
    game_id = command.game_id
    game = bench.games.get(game_id)
    if game is None:
        return NO_SUCH_GAME
    seat, code = seat_of(game, command.player_id), "bad_request"
    if command.action is not None:
        judgement = bench.judge(game_id, seat, command.action, command.seq, command.received_ms)
        if judgement.code is None or judgement.repeat:
            return Ruling(None, "", judgement.state.seq, None, seat)
        code = judgement.code
    return Ruling(code, str(REFUSALS[code]), bench.states[game_id].seq, bench.state_bytes(game_id), seat)


class Referee:
    """The queue and its thread.

    `_waiting` are the commands taken from the queue and not yet answered, in their order: each gets
    one answer, whatever fails.
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._waiting: list[Command] = []
        self._stopping = self._away = False
        self._sweep = Sweep()
        self._taken_ms = 0
        self._taken = 0  # in the last pass

    @property
    def waiting(self) -> int:
        """How many actions were received and are not yet answered, about."""
        return self._queue.qsize() + len(self._waiting)

    def start(self) -> None:
        self._queue = queue.SimpleQueue()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="referee", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Judges what is in the queue and ends the thread."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._queue.put(None)
            thread.join(STOP_LIMIT_S)

    def submit(self, command: Command) -> None:
        """Queues a command; its answer comes after the commit, on the publisher's loop."""
        if self._thread is None:
            watch.judged([command], [UNAVAILABLE])
            publisher.call(command.answer, UNAVAILABLE)
        else:
            self._queue.put(command)

    def ask(self, command: Command) -> Ruling:
        """Judges a command and waits for the answer. Raises Unavailable."""
        if self._thread is None:
            return _judge_here(command)
        answered: Future[Ruling] = Future()
        self._queue.put(command._replace(answer=answered.set_result))
        try:
            return answered.result(ASK_LIMIT_S)
        except TimeoutError as error:
            raise Unavailable from error

    # --- the thread ---

    def _run(self) -> None:
        leave_the_pool()
        pulse, caretaker = Pulse(), Caretaker()
        while not (self._stopping and self._queue.empty()):
            self._pass(pulse, caretaker)
        connection.close()

    def _pass(self, pulse: Pulse, caretaker: Caretaker) -> None:
        self._take()
        try:
            caretaker.look()
            if not pulse.beat():  # credits an outage before anything is judged by the clock
                self._look_again_soon()
                return
            while self._waiting:
                self._judge(self._waiting[:BATCH_AT_MOST])
                pulse.beat()  # many batches may take longer than what is an outage
            caretaker.tend()
            if time.monotonic() >= self._sweep.at_s:
                self._sweep.go(self._taken_ms)
            self._away = False
        except (OperationalError, InterfaceError) as error:
            if not self._away:
                logger.error("the database is away: %s", error)
            self._away = True
            self._give_up()
        except Exception:
            logger.exception("the judging failed")
            self._give_up()

    def _look_again_soon(self) -> None:
        """It is not known yet whether there was an outage: what has come in waits, or is told to."""
        self._sweep.later()
        if self._stopping:
            self._answer([UNAVAILABLE] * len(self._waiting), [])

    def _take(self) -> None:
        """Takes all that waits, or the first to come until the next sweep is due.

        After a pass that took several, not many, it rests for less than a commit takes: a batch has its price,
        whatever is in it, and so has each waking. With few actions, and where the batches are large already,
        nothing waits on purpose.
        `_taken_ms` is a moment by which everything received has been taken.
        """
        if self._taken in LINGER_AFTER and not self._stopping:
            time.sleep(LINGER_S)
        wait_s = 0.0 if self._stopping else max(0.0, self._sweep.at_s - time.monotonic())
        while len(self._waiting) < TAKEN_AT_MOST:
            self._taken_ms = now_ms()
            timeout_s, wait_s = wait_s, 0.0
            try:
                command = self._queue.get(timeout=timeout_s)
            except queue.Empty:
                if timeout_s:
                    continue  # that moment was before the wait
                break
            if command is None:
                self._stopping = True
            else:
                self._waiting.append(command)
        self._taken = len(self._waiting)

    def _judge(self, commands: list[Command]) -> None:
        """Judges a batch; where one command spoils it, each alone, so that it spoils nothing else."""
        try:
            rulings, updates = again(judge_batch, commands)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            if len(commands) > 1:
                for command in commands:
                    self._judge([command])
                return
            watch.failed(commands[0])
            rulings, updates = [UNAVAILABLE], []
        self._answer(rulings, updates)

    def _answer(self, rulings: list[Ruling], updates: list[Update]) -> None:
        """Answers the first of those that wait."""
        answered, self._waiting = self._waiting[: len(rulings)], self._waiting[len(rulings) :]
        watch.judged(answered, rulings)
        answers = [partial(c.answer, ruling) for c, ruling in zip(answered, rulings, strict=True)]
        publisher.updates(answers, updates)

    def _give_up(self) -> None:
        """Nothing more can be judged in this pass: says so, and leaves the database a moment."""
        connection.close()
        self._answer([UNAVAILABLE] * len(self._waiting), [])
        time.sleep(AWAY_PAUSE_S)


def _judge_here(command: Command) -> Ruling:
    try:
        with transaction.atomic():
            rulings, updates = judge_batch([command])
            transaction.on_commit(partial(publisher.updates, [], updates))
    except DatabaseError as error:
        raise Unavailable from error
    return rulings[0]


referee = Referee()
