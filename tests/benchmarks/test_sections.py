import json
import re
from dataclasses import replace

import pytest

from benchmarks.run import SECTIONS, told
from benchmarks.sections import sweep
from benchmarks.servers import PEERS
from benchmarks.sizes import QUICK, Sizes
from benchmarks.tables import medians, percentile

LOAD = {"actions_per_s": 100.0, "cpu_us_per_action": 200.0, "load_cpu_us_per_action": 9.0, "ack_p50_ms": 1.0,
        "ack_p99_ms": 2.0, "last_p50_ms": 3.0, "last_p99_ms": 4.0, "cpu_us_per_watcher": 5.0}  # fmt: skip
SERVERS = ("naive", "quarto", "ceiling", "boardgame", "colyseus", "ws", "few", "many", "alone", "one", "two")


def test_every_section_reports_what_it_is_asked_for():
    season = {"players": 200, "rounds": 9, "pairing_s": [0.2, 0.4], "standings_ms": 9.0,
              "pages": [{"path": "/", "queries": 7, "ms": 3.0, "kb": 4.0}]}  # fmt: skip
    rows = {name: [{"server": server} | LOAD for server in SERVERS] for name in SECTIONS}
    rows["idle"] = [{"server": server, "kb_per_socket": 20.0} for server in SERVERS]
    rows["sweep"] = [
        {"late_p50_ms": 10, "late_p99_ms": 40, "late_most_ms": 50, "early": 0, "not_once": 0, "cpu_s": 1}
    ]
    rows["season"] = [season, season, season]
    rows["lists"] = [season, season]
    text = told(rows, Sizes())
    asked = text.partition("Asked for\n\n")[2].splitlines()
    assert len(asked) == 2 + 12
    assert {line.count("|") for line in asked} == {5}


@pytest.mark.parametrize(("percent", "value"), [(0, 1), (50, 3), (99, 4), (100, 4)])
def test_a_percentile_is_one_of_the_values(percent, value):
    assert percentile([4, 1, 3, 2], percent) == value


def test_medians_are_over_the_rows_of_one_server():
    rows = [{"server": "a", "round": n, "ms": ms} for n, ms in enumerate((5, 1, 3))] + [
        {"server": "b", "ms": 9}
    ]
    assert medians(rows, "a")["ms"] == 3


@pytest.mark.parametrize(
    ("heard", "row", "early", "not_once"),
    [
        ([(1260.0, "over")], (1, 1255, "no-show"), 0, 0),
        ([(1260.0, "over")], (1, 1249, "no-show"), 1, 0),
        ([(1260.0, "over"), (1300.0, "over")], (1, 1255, "no-show"), 0, 1),
        ([(1260.0, "over")], (2, 1255, "no-show"), 0, 1),
    ],
)
def test_a_deadline_is_settled_once_and_never_early(heard, row, early, not_once):
    found = sweep.summary({1: 1000}, {1: heard}, {1: row})
    assert (found["early"], found["not_once"], found["late_most_ms"]) == (early, not_once, 10)


def test_every_server_has_games_enough_for_all_sections():
    for sizes in (QUICK, Sizes(), replace(Sizes(), rounds=1)):
        same_load = (sizes.rounds * sizes.batches_at_most + 1) * sizes.games
        assert sizes.pool >= same_load + sizes.crowd_rounds + sizes.paced_rounds * sizes.paced_games + 20


def test_no_board_is_paced_beyond_its_last_action():
    for sizes in (QUICK, Sizes()):
        assert sizes.paced_per_s * sizes.paced_s <= 34 * sizes.paced_games
        assert sizes.crowd_actions <= 34


def test_the_peers_have_exact_versions():
    package = json.loads((PEERS / "package.json").read_text())
    versions = [*package["dependencies"].values(), *package["overrides"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
