"""What Prometheus is told: right numbers after real play, every one of them documented, on a port of its own."""

import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from django.core.management import CommandError, call_command
from prometheus_client.parser import text_string_to_metric_families

from games.live import publisher
from games.relay import Ears, Relay
from quarto_site.metrics import Surroundings
from tests.clients import Match, Person, Wire
from tests.server import ROOT, Server, manage, running

OPERATION = (ROOT / "docs/operation.md").read_text()
ELSEWHERE = {"quarto_layer_heard", "quarto_database_connections", "quarto_database_waiting"}
"""Those of several processes."""


class Numbers:
    """What a server tells at one moment."""

    def __init__(self, text: str) -> None:
        self.families = {family.name: family for family in text_string_to_metric_families(text)}

    def __call__(self, sample: str, **labels: str) -> float:
        """The sum of the samples of this name with these labels."""
        return sum(
            one.value
            for family in self.families.values()
            for one in family.samples
            if one.name == sample and one.labels.items() >= labels.items()
        )


class Metered(Server):
    """A server that tells its numbers."""

    def __init__(self, folder: Path, database: Path) -> None:
        super().__init__(folder, database, arguments=("--metrics", "127.0.0.1:0"))

    @property
    def metrics_port(self) -> int:
        return int(re.search(r"metrics are shown on http://127\.0\.0\.1:(\d+)/metrics", self.log())[1])

    def numbers(self) -> Numbers:
        return Numbers(httpx.get(f"http://127.0.0.1:{self.metrics_port}/metrics", trust_env=False).text)


@pytest.fixture
def metered(tmp_path: Path, empty_database: Path) -> Iterator[Metered]:
    with running(Metered(tmp_path, empty_database)) as server:
        yield server


def test_after_real_play_the_numbers_are_what_happened(metered):
    ann, ben = Person(metered, "ann"), Person(metered, "ben")
    lobby, mine = Wire(metered, "/ws/lobby/"), Wire(metered, "/ws/me/", Authorization=f"Bearer {ann.token}")
    match = Match(metered, ann.challenge(ben), ann, ben)
    match.play("@5 a1 @6 b1")
    assert match.two.act("give", piece="7")["code"] == "not_your_turn"
    short = Match(metered, ann.challenge(ben, control="turn=0.001"), ann, ben)
    short.play("@5")
    short.reach(2)  # lost on time
    metered.change("UPDATE games_heartbeat SET beat_ms = beat_ms - 60000")
    match.reach(5)  # credited
    numbers = metered.numbers()
    assert set(numbers.families) >= documented() - ELSEWHERE
    assert {name for name in numbers.families if name.startswith("quarto_")} <= documented() - ELSEWHERE

    assert numbers("quarto_actions_total", outcome="ok") == 5
    assert (
        numbers("quarto_actions_total", outcome="not_your_turn") == numbers("quarto_actions_total") - 5 == 1
    )
    assert numbers("quarto_batch_actions_sum") == 6
    batches = numbers("quarto_batch_actions_count")
    assert batches == numbers("quarto_batch_seconds_count") == numbers("quarto_commit_seconds_count") == 6
    assert 0 < numbers("quarto_commit_seconds_sum") < numbers("quarto_batch_seconds_sum")
    assert numbers("quarto_sweep_late_seconds_count") == 1
    assert numbers("quarto_sockets", kind="game") == 6
    assert numbers("quarto_sockets", kind="lobby") == numbers("quarto_sockets", kind="me") == 1
    assert numbers("quarto_referee_queue") == 0
    # On a busy machine there may be a short one beside it, of two seconds or three.
    assert numbers("quarto_outages_total") >= numbers("quarto_outage_games_total") >= 1
    assert 60 <= numbers("quarto_outage_seconds_total") < 90
    posted = numbers("quarto_request_seconds_count", route="api/accounts/", status="201")
    assert posted == 2
    assert numbers("process_resident_memory_bytes") > 0

    for wire in (lobby, mine, *short.everybody, *match.everybody):
        wire.close()
    with closing(Wire(metered, "/ws/games/nothing/")) as nowhere:
        assert nowhere.close_code() == 4004
    numbers = metered.numbers()
    while numbers("quarto_sockets"):
        numbers = metered.numbers()
    assert numbers("quarto_sockets_closed_total", code="1000") == 8
    assert (
        numbers("quarto_sockets_closed_total", code="4004") == numbers("quarto_sockets_closed_total") - 8 == 1
    )
    told = " ".join(
        label for family in numbers.families.values() for s in family.samples for label in s.labels.values()
    )
    assert not [secret for secret in (match.id, "ann", "ben") if re.search(rf"\b{secret}\b", told)]
    with httpx.Client(trust_env=False) as stranger:
        assert stranger.get(f"{metered.url}/metrics").status_code == 404  # not on the public port
    ann.http.close(), ben.http.close()


def documented() -> set[str]:
    """The families in the table of docs/operation.md, as Prometheus's parser names them."""
    return {name.removesuffix("_total") for name in re.findall(r"^\| `(quarto_\w+)", OPERATION, re.MULTILINE)}


def test_the_alerts_ask_for_numbers_that_there_are():
    asked = re.findall(
        r"\b(quarto_\w+?)(?:_count|_sum|_bucket|_total)?\b", OPERATION.partition("## Metrics")[2]
    )
    assert set(asked) <= documented()


def test_what_a_process_needs_of_others_is_told_where_there_are_any():
    def told():
        return {family.name: family.samples[0].value for family in Surroundings().collect()}

    assert told() == {}
    publisher.relay = Relay(None, Ears(*[print] * 5))
    try:
        assert told() == {"quarto_layer_heard": 0}
        publisher.relay.away = False
        assert told() == {"quarto_layer_heard": 1}
    finally:
        publisher.relay = None


@pytest.mark.parametrize("address", ["9100", "nonsense", "127.0.0.1:", "127.0.0.1:65536"])
def test_an_address_of_the_metrics_that_is_none_is_refused(address):
    with pytest.raises(CommandError, match="--metrics must be HOST:PORT"):
        call_command("serve", metrics=address)


def test_a_port_of_the_metrics_that_is_taken_stops_the_start(empty_database):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        run = manage(empty_database, "serve", "--bind", "127.0.0.1:0", "--metrics", address)
    assert run.returncode != 0
    assert f"The metrics cannot be shown on {address}" in run.stderr and "Traceback" not in run.stderr
