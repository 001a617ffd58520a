"""The simulation against a real server, and what it says when that is not possible."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from quarto_site.simulation.summary import COUNTS


def simulate(*arguments):
    out = StringIO()
    call_command("simulate", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.server
@pytest.mark.parametrize(
    ("form", "players", "rules", "games"),
    [("swiss", "5", "L:F", 6), ("round_robin", "4", "LS:3", 6)],
)
def test_a_tournament_is_played_and_nothing_contradicts(server, form, players, rules, games):
    arguments = ["--url", server.url, "--format", form, "--players", players, "--rules", rules, "--json"]
    summary = json.loads(simulate(*arguments))
    assert summary["contradictions"] == []
    assert summary["games"] == games
    assert set(COUNTS) <= set(summary)
    assert summary["table"][0]["rank"] == 1
    assert len(summary["table"]) == int(players)


@pytest.mark.server
def test_people_get_a_table_and_counts(server):
    printed = simulate("--url", server.url, "--players", "4", "--rounds", "1", "--miss", "1")
    assert "claims_by_placer: 0" in printed
    assert "draws: 2" in printed
    assert "Nothing contradicts the rules." in printed


def test_a_server_that_is_not_there_is_named():
    with pytest.raises(CommandError, match="cannot be reached") as refusal:
        simulate("--url", "http://127.0.0.1:1")
    assert refusal.value.returncode == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--url", "nowhere"),
        ("--url", "http://127.0.0.1:1", "--players", "1"),
        ("--url", "http://127.0.0.1:1", "--miss", "2"),
        ("--url", "http://127.0.0.1:1", "--miss", "nan"),
        ("--url", "http://127.0.0.1:1", "--rules", "L:0"),
        ("--url", "http://127.0.0.1:1", "--format", "knockout"),
        (),
    ],
)
def test_bad_arguments_are_refused_in_words(arguments):
    with pytest.raises(CommandError, match=r"address|must|choice|required"):
        simulate(*arguments)
