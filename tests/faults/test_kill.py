"""A process that is killed in the middle of play loses nothing that it has acknowledged."""

from tests.faults.form import FORM
from tests.faults.trial import trial


def test_kills_at_random_moments_lose_and_double_nothing_acknowledged(serve):
    server = serve()
    with trial(server, "`kill -9` of the only process") as under:
        for _kill in range(FORM.kills):
            under.go_on_to_some_moment()
            server.kill()
            with under.recovery():
                server.start()
