"""The referee command, which needs no database."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

CASES = Path(__file__).parents[1] / "data" / "rules.json"
CASE = {
    "id": "x",
    "kind": "play",
    "actions": [{"by": 1, "do": "give", "piece": "5"}, {"by": 1, "do": "place", "square": "a1"}],
    "expected": {"accepted": [True, False], "rejected": {"1": "not_your_turn"}, "termination": None},
}


def referee(*args):
    out = io.StringIO()
    call_command("referee", *args, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture
def write(tmp_path):
    def write(value):
        path = tmp_path / "cases.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return str(path)

    return write


def test_it_prints_one_object_a_line(write):
    assert referee(write([CASE, {"id": "y", "kind": "rematch"}])) == [
        {
            "id": "x",
            "accepted": [True, False],
            "rejected": {"1": "not_your_turn"},
            "result": None,
            "termination": None,
            "final_position": "..../..../..../.... 5 2 P - - L:F",
            "win_lines": [],
        },
        {"id": "y", "skipped": "rematch"},
    ]


def test_it_reads_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps([CASE])))
    assert [answer["id"] for answer in referee("-")] == ["x"]


def test_the_stored_cases_pass_the_check():
    assert len(referee(str(CASES), "--check")) == 65


def test_the_check_prints_what_differs_and_fails(write):
    wrong = CASE | {"expected": CASE["expected"] | {"termination": "time", "mood": "good"}}
    out = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("referee", write([CASE, wrong]), "--check", stdout=out)
    assert caught.value.returncode == 1
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert "differences" not in first
    assert second["differences"] == {
        "termination": {"expected": "time", "got": None},
        "mood": {"expected": "good", "got": None},
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{}",
        "5",
        '["x"]',
        "[{}]",
        '[{"id": "x", "actions": 5}]',
        '[{"id": "x", "expected": 5}]',
        "[" * 100_000,
    ],
    ids=["empty", "broken", "object", "number", "word", "no id", "no actions", "no expectation", "deep"],
)
def test_a_file_that_cannot_be_read_is_refused(write, text):
    with pytest.raises(CommandError) as caught:
        referee(write(text), "--check")
    assert caught.value.returncode == 2


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path):
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00")
    for name in ("nowhere", "picture", "."):
        with pytest.raises(CommandError) as caught:
            referee(str(tmp_path / name))
        assert caught.value.returncode == 2
