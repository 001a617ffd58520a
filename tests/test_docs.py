"""The documents say what is: examples parse, settings are listed, links lead somewhere."""

import json
import re
from pathlib import Path

import pytest

from games.clock import TimeControl
from games.frames import parse_frame
from games.notation import read_position, read_record, write_record
from games.rules import ClaimPolicy, Rules

ROOT = Path(__file__).parent.parent
PROTOCOL = (ROOT / "docs/protocol.md").read_text()
RULES = (ROOT / "docs/rules.md").read_text()
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PROTOCOL, re.DOTALL)]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example)[:40])
def test_each_example_of_the_protocol_is_a_frame_or_a_body(example):
    assert parse_frame(json.dumps(example)) == example
    if "position" in example:
        read_position(example["position"])
    if "control" in example:
        assert str(TimeControl.parse(example["control"])) == example["control"]
        assert str(Rules.parse(example["rules"])) == example["rules"]
        assert str(ClaimPolicy.parse(example["claims"])) == example["claims"]


def test_the_record_in_the_rules_is_read_and_written_byte_for_byte():
    text = re.search(r"```\n(\[Event.*?)```", RULES, re.DOTALL)[1]
    assert write_record(read_record(text)) == text


def test_the_position_in_the_rules_is_a_position():
    read_position(re.search(r"such as `([^`]* L:F)`", RULES)[1])


def test_every_setting_of_the_environment_is_in_the_table_of_the_readme():
    code = "\n".join(path.read_text() for path in sorted((ROOT / "quarto_site").glob("*.py")))
    named = set(re.findall(r'environment\.\w+\(\s*"(QUARTO_\w+)"', code))
    table = set(re.findall(r"^\| `(QUARTO_\w+)`", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert named == table


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_documents_leads_to_a_file(page):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []
