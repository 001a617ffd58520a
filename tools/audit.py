"""Asks pip-audit whether anything that is pinned has a known vulnerability: `python -m tools.audit constraints.txt`.

pip-audit calls a package clean of which the advisory service knows nothing. Here that is no answer: where the
service cannot be reached, or does not know the first package that is asked for, nothing was audited, and the
last line says so. Exit code 0: clean, or not audited at all; 1: a vulnerability, or a gap.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

UNREACHABLE = "Not audited: the advisory service cannot be reached."
PATIENCE_S = 300

Report = dict[str, Any]


def verdict(report: Report | None) -> tuple[int, str]:
    """The exit code and the words for what pip-audit found; None where it could not ask.

    >>> verdict({"dependencies": [{"name": "django", "version": "5.2.19", "vulns": []}]})
    (0, 'Audited: 1 pinned packages, none with a known vulnerability.')
    >>> verdict(None)
    (0, 'Not audited: the advisory service cannot be reached.')
    """
    found = report["dependencies"] if report else []
    unknown = [one["name"] for one in found if "skip_reason" in one]
    if len(unknown) == len(found):
        return 0, UNREACHABLE
    faults = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'no version'}"
        for one in found
        for fault in one.get("vulns", ())
    ]
    faults += [f"{name}: not audited, the advisory service does not know it" for name in unknown]
    if faults:
        return 1, "\n".join(faults)
    return 0, f"Audited: {len(found)} pinned packages, none with a known vulnerability."


def ask(pins: list[str]) -> Report | None:
    """What pip-audit says of these pins, None where it says nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "pins.txt")
        file.write_text("\n".join(pins))
        said = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "pip_audit",
                    "--requirement",
                    str(file),
                    "--no-deps",
                    "--disable-pip",
                ),
                *("--format", "json", "--progress-spinner", "off", "--strict"),
            ],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    return json.loads(said.stdout) if said.stdout.startswith("{") else None


def audit(file: Path) -> tuple[int, str]:
    """The verdict on a file of pins. One is asked for alone at first: where that fails, the others are not tried."""
    pins = file.read_text().split()
    if not pins:
        return 1, f"{file}: there are no pins."
    first = verdict(ask(pins[:1]))
    return first if first == (0, UNREACHABLE) else verdict(ask(pins))


if __name__ == "__main__":
    code, words = audit(Path(sys.argv[1]))
    print(words)
    sys.exit(code)
