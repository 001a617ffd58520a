"""Files that are none: a sentence and an exit code, never a traceback, within bounds of time and memory."""

import io
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile.amount import examples
from tests.hostile.mutants import some_value
from tests.server import ROOT
from tests.tournaments.fields import CASES, PAIRING_CASES

EXAMPLES = 200
REPORTS = [PAIRING_CASES / folder / f"{name}.trf" for folder in (".", "trf26") for name in CASES]
SMALL_REPORTS = [text for text in (path.read_bytes() for path in REPORTS) if len(text) < 6_000]
RULES = json.loads((ROOT / "tests/data/rules.json").read_text())
PATIENCE_S, MEMORY = 60, 1_500_000_000

PUT = [
    b"",
    b"\0",
    b"\r",
    b"\n",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\xff",
    "é".encode(),
    b" ",
    b"9" * 400,
    b"-1",
    b"1e9",
    b".",
]
LINES = [
    b"001", b"XXR 99999999999999999999", b"142 " + b"9" * 5_000, b"XXR -1", b"XXS W=" + b"9" * 5_000, b"XXS W=1e9",
    b"XXA    1 " + b" 99.5" * 500, b"XXP " + b"1 2 3 " * 600, b"XXZ 9999", b"240 F 999    1", b"192 FIDE_DUTCH_BAKU",
    b"250      99.5   1 999    1    2", b"260   1 999    1    2", b"299 W       -9.5  999    1", b"013 team", b"152 X",
    b"162  W99.5", b"XXC rank", b"132" + b"\xc2\xa0" * 200, b"\xed\xa0\x80", b"12 " * 900, "٣٤٥ " .encode() * 90,
]  # fmt: skip


def report(chance: Random) -> bytes:
    """A report file with some of its bytes, or lines, changed."""
    text = chance.choice(SMALL_REPORTS)
    for _change in range(chance.choice([1, 1, 2, 5])):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(6):
            case 0:
                text = text[:at] + chance.choice(PUT) + text[at + chance.randrange(4) :]
            case 1:
                text = text[:at]
            case 2:
                lines = text.splitlines(keepends=True) or [b""]
                lines.insert(chance.randrange(len(lines) + 1), chance.choice(LINES) + b"\r")
                text = b"".join(lines)
            case 3:
                lines = text.splitlines(keepends=True) or [b""]
                lines.append(chance.choice(lines))
                text = b"".join(lines)
            case 4 if at < len(text):
                text = text[:at] + bytes([chance.choice(b"0123456789wb-+=?UFHZX .,\t")]) + text[at + 1 :]
            case 5:
                text = text[:at] + chance.randbytes(chance.choice([1, 2, 30])) + text[at:]
    return text


def case(chance: Random) -> str:
    """A stored case with some of its values changed, or what is hardly JSON."""
    found = json.loads(json.dumps(chance.choice(RULES)))
    for _change in range(chance.choice([1, 1, 2, 4])):
        where: Any = found
        while isinstance(where, dict | list) and where and chance.random() < 0.75:
            name = chance.choice(list(where) if isinstance(where, dict) else range(len(where)))
            if not isinstance(where[name], dict | list) or chance.random() < 0.25:
                where[name] = some_value(chance)
                break
            where = where[name]
    text = json.dumps([found])
    return text if chance.random() < 0.9 else text[: chance.randrange(len(text))]


def judged(command: str, content: bytes, file: Path) -> str:
    """What it printed, or why not."""
    file.write_bytes(content)
    out = io.StringIO()
    refused: CommandError | None = None
    try:
        call_command(command, str(file), stdout=out)
    except CommandError as error:
        refused = error
    if refused is None:
        return out.getvalue()
    assert refused.returncode in (1, 2)
    assert str(refused) and len(str(refused)) < 2_000
    return str(refused)


@pytest.mark.parametrize(
    ("command", "contents"),
    [("pair", report), ("referee", lambda chance: case(chance).encode())],
    ids=["pair", "referee"],
)
def test_a_file_with_mistakes_is_judged_or_refused_in_words(
    command: str, contents: Callable[[Random], bytes], tmp_path: Path
) -> None:
    @examples(EXAMPLES)
    @given(st.randoms(use_true_random=False).map(contents))
    def holds(content: bytes) -> None:
        judged(command, content, tmp_path / "hostile")

    holds()


HEAD = b"012 Thursday\rXXR 9\r001    1      Ann\r001    2      Ben\r"


@pytest.mark.parametrize(
    ("command", "content", "words"),
    [
        ("pair", b"", "no player"),
        ("pair", b"\0" * 1_000, "no player"),
        ("pair", b"\xff\xfe0\x000\x001\x00", "not UTF-8"),
        ("pair", HEAD + b"001 " + b"9" * 50_000_000, "too large"),
        ("pair", HEAD + b"001    3      Cleo".ljust(30_000), "too long"),
        ("pair", HEAD + b"XXR " + b"9" * 6_000, "too large"),
        ("pair", HEAD + b"XXR 1000", "at most 999 rounds"),
        ("pair", HEAD + b"XXS W=" + b"9" * 6_000, "points in halves"),
        ("pair", HEAD + b"### x\r" * 100_000, None),
        ("pair", HEAD + b"XXP 1 2\r" * 40_000, None),
        ("pair", HEAD + b"299 W        9.5    1    1\r" * 10_000, "more than 1000"),
        ("pair", HEAD + b"250       1.0   1 999    1 9999\r" * 1_000, "virtual points"),
        ("referee", b"", "Expecting value"),
        ("referee", b"\xff", "utf-8"),
        ("referee", b"[" * 1_000_000, "recursion"),
        ("referee", b"[" + b"9" * 1_000_000 + b"]", "digits"),
        ("referee", b'["' + b"x" * 50_000_000 + b'"]', "too large"),
        ("referee", b"[]" + b" " * 50_000_000, "too large"),
        ("referee", b'{"id": "x"}', "list of cases"),
        ("referee", b'[{"id": "\\ud800", "options": {"rules": 1}}]', "wrong type"),
    ],
    ids=lambda value: repr(value)[:40],
)  # fmt: skip
def test_what_no_event_is_like_is_refused(command, content, words, tmp_path):
    said = judged(command, content, tmp_path / "hostile")
    assert words is None or words in said


@pytest.mark.parametrize(
    ("command", "content", "code"),
    [
        ("pair", HEAD + b"001 " + b"9" * 50_000_000, 2),
        ("referee", b"[" * 15_000_000, 2),
    ],
    ids=["pair", "referee"],
)
def test_the_command_itself_stays_within_its_bounds(command, content, code, tmp_path):
    file = tmp_path / "hostile"
    file.write_bytes(content)
    ran = subprocess.run(
        [sys.executable, "manage.py", command, str(file)],
        cwd=ROOT,
        env={"QUARTO_DEBUG": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (code, "")
    assert "Traceback" not in ran.stderr and len(ran.stderr) < 1_000
