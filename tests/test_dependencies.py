"""What is installed is what is pinned, each for a reason and under a free licence; and how an audit ends."""

import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.audit import UNREACHABLE, verdict

ROOT = Path(__file__).parent.parent
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().split())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OWN = canonicalize_name(PROJECT["name"])
TOOLS = {"pip", "setuptools", "wheel"}  # which come with a virtual environment
# Of the benchmarks alone, which are installed by themselves.
BENCHMARKS = {"picows", "aiofastnet", "multidict", "python-socks"}
# Of Redis before Python 3.11.3, as Debian 12 has it.
OLDER_PYTHONS = {"async-timeout"}

FREE = re.compile(
    r"MIT|BSD|Apache|ISC|PSF-|Python Software Foundation|MPL|Mozilla Public|LGPL-3\.0|ZPL|TCL|Unlicense|0BSD"
)


@cache
def installed() -> dict[str, Distribution]:
    found = {canonicalize_name(one.metadata["Name"]): one for one in distributions()}
    return {name: one for name, one in found.items() if name not in TOOLS | {OWN}}


def pinned() -> dict[str, str]:
    return {canonicalize_name(name): version for name, version in PINS.items()}


def wanted() -> set[str]:
    """Everything that the project asks for, directly or through what it asks for."""
    names: set[str] = set()
    groups = PROJECT["optional-dependencies"]
    waiting = [Requirement(text) for text in (*PROJECT["dependencies"], *groups["dev"], *groups["bench"])]
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        key = f"{name}[{','.join(sorted(one.extras))}]"
        if key in names or name not in installed():
            names |= {name}
            continue
        names |= {name, key}
        for text in distribution(name).requires or ():
            inner = Requirement(text)
            if inner.marker is None or any(
                inner.marker.evaluate({"extra": extra}) for extra in (one.extras or {""})
            ):
                waiting.append(inner)
    return {name for name in names if "[" not in name}


def test_everything_that_is_installed_is_pinned_as_it_is():
    assert {name: one.version for name, one in installed().items() if pinned().get(name) != one.version} == {}


def test_every_pin_is_there_for_something():
    assert set(pinned()) - wanted() - BENCHMARKS - OLDER_PYTHONS == set()


def test_the_pins_are_sorted_and_name_no_address():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert lines == sorted(lines, key=str.lower)
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)


def test_what_is_installed_fits_together():
    checked = subprocess.run(
        [sys.executable, "-m", "pip", "check"], capture_output=True, text=True, timeout=60, check=False
    )
    assert checked.returncode == 0, checked.stdout


def licence(one: Distribution) -> str:
    """What a distribution says of its licence: the expression, the classifiers, the first line of either text."""
    words = one.metadata
    classifiers = [text for text in words.get_all("Classifier", []) if text.startswith("License ::")]
    return (
        words.get("License-Expression")
        or "; ".join(classifiers)
        or words.get("License", "").partition("\n")[0]
        or (one.read_text("licenses/LICENSE") or "").strip().partition("\n")[0]
    )


def test_every_licence_is_a_free_one():
    assert {name: licence(one) for name, one in installed().items() if not FREE.search(licence(one))} == {}


def known(name: str, *faults: str) -> dict[str, object]:
    vulns = [{"id": fault, "fix_versions": ["2.0"]} for fault in faults]
    return {"name": name, "version": "1.0", "vulns": vulns}


UNKNOWN = {"name": "other", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("report", "code", "words"),
    [
        (None, 0, UNREACHABLE),
        ({"dependencies": []}, 0, UNREACHABLE),
        ({"dependencies": [UNKNOWN]}, 0, UNREACHABLE),
        ({"dependencies": [known("one"), known("two")]}, 0, "Audited: 2 pinned packages"),
        ({"dependencies": [known("one", "PYSEC-1"), known("two")]}, 1, "one 1.0: PYSEC-1, mended in 2.0"),
        ({"dependencies": [known("one"), UNKNOWN]}, 1, "other: not audited"),
    ],
    ids=["nothing said", "nothing asked", "nothing known", "clean", "a fault", "a gap"],
)
def test_an_audit_that_did_not_happen_is_not_called_clean(report, code, words):
    ended, said = verdict(report)
    assert (ended, said.startswith(words)) == (code, True)
