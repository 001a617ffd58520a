"""A network that loses and doubles frames: a client that follows the protocol plays whole games through it."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.clients import Person
from tests.faults.form import FORM
from tests.faults.table import Table
from tests.faults.trial import Trial, prove
from tests.lossy import lossy

ASK_AGAIN_S = 0.1


def test_with_a_fifth_of_all_frames_lost_and_a_fifth_doubled_every_board_ends_equal(serve):
    """Each table compares both players' boards and a watcher's with what was acknowledged."""
    server = serve()
    with ExitStack() as stack:
        people = [Person(server, f"player{number}") for number in range(2 * FORM.tables)]
        for person in people:
            stack.callback(person.http.close)
        pool = stack.enter_context(ThreadPoolExecutor(FORM.tables))
        proxy = stack.enter_context(lossy(server, lost=0.2, doubled=0.2))
        tables = [
            Table(proxy, pair, ask_again_s=ASK_AGAIN_S)
            for pair in zip(people[::2], people[1::2], strict=True)
        ]
        under = Trial("20 % of frames lost, 20 % doubled", tables)
        under.start(pool, games=FORM.lossy_games)
        under.finish()
    under.verdict.tries = sum(table.games for table in tables)
    assert under.verdict.tries == FORM.tables * FORM.lossy_games
    assert min(proxy.counts.values()) > under.verdict.tries
    prove(server, under)
