"""Judge a file of stored cases with the code that judges live games. Needs no database."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from games.cases import BadCase, differences, judge_case

LARGEST_FILE = 16_000_000
TOO_LARGE = object()


class Command(BaseCommand):
    """Prints a JSON object a line; exits 1 where `--check` finds differences, 2 for a file it cannot read."""

    help = "Judges a JSON list of cases and prints what comes of each, one JSON object a line."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a JSON list of cases, or - for standard input")
        parser.add_argument("--check", action="store_true", help="compare with what is expected")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            cases = _read(options["file"])
            answers = [judge_case(case, number) for number, case in enumerate(cases, start=1)]
            found = [
                differences(*pair) if options["check"] else {} for pair in zip(cases, answers, strict=True)
            ]
        except BadCase as error:
            raise CommandError(str(error), returncode=2) from error
        for answer, differing in zip(answers, found, strict=True):
            self.stdout.write(json.dumps(answer | ({"differences": differing} if differing else {})))
        if any(found):
            raise CommandError(_("Some cases come out otherwise than expected."), returncode=1)


def _read(name: str) -> list[Any]:
    try:
        text = _text(name)
        cases = json.loads(text) if len(text) <= LARGEST_FILE else TOO_LARGE
    except (OSError, ValueError, RecursionError) as error:
        raise BadCase(f"{name}: {error}") from error
    if cases is TOO_LARGE:
        raise BadCase(f"{name}: {_('the file is too large')}")
    if not isinstance(cases, list):
        raise BadCase(f"{name}: {_('a list of cases is expected')}")
    return cases


def _text(name: str) -> str:
    if name == "-":
        return sys.stdin.read(LARGEST_FILE + 1)
    with Path(name).open(encoding="utf-8") as file:
        return file.read(LARGEST_FILE + 1)
