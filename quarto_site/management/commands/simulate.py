"""Plays a whole tournament against a running server and checks everything it sees."""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from quarto_site.simulation.plan import FORMATS, MOST_PLAYERS, Plan
from quarto_site.simulation.run import simulate
from quarto_site.simulation.site import Trouble
from quarto_site.simulation.summary import in_words

_DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Plan)}


class Command(BaseCommand):
    help = (
        "Plays a tournament against a running server over its public interfaces. "
        "Exits 1 if anything contradicts the rules, 2 if it cannot be played."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", required=True, help="such as http://127.0.0.1:8000")
        parser.add_argument("--players", type=_between(2, MOST_PLAYERS), default=_DEFAULTS["players"])
        parser.add_argument("--format", choices=FORMATS, default=_DEFAULTS["format"])
        parser.add_argument(
            "--rounds",
            type=_between(1, 100),
            default=_DEFAULTS["rounds"],
            help="of a Swiss; a round robin has its own",
        )
        parser.add_argument(
            "--rules", type=_rules, default=_DEFAULTS["rules"], help="LINES:MASK, such as L:F"
        )
        parser.add_argument(
            "--turn", type=_between(1, 3600), default=_DEFAULTS["turn"], help="seconds a turn"
        )
        parser.add_argument("--seed", type=int, default=_DEFAULTS["seed"])
        parser.add_argument(
            "--miss", type=_probability, default=_DEFAULTS["miss"], help="of overlooking a line, 0 to 1"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        plan = Plan(**{name: options[name] for name in _DEFAULTS})
        try:
            summary = asyncio.run(simulate(plan))
        except Trouble as trouble:
            raise CommandError(str(trouble), returncode=2) from None
        except KeyboardInterrupt:
            raise CommandError(_("Interrupted."), returncode=130) from None
        self.stdout.write(json.dumps(summary, ensure_ascii=False) if options["json"] else in_words(summary))
        if summary["contradictions"]:
            sys.exit(1)


def _between(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(
                _("must be a whole number from %(least)s to %(most)s") % {"least": least, "most": most}
            )
        return int(text)

    return number


def _rules(text: str) -> str:
    if not re.fullmatch("(L|LS|OS):[1-9A-F]", text):
        raise argparse.ArgumentTypeError(_("must be L, LS or OS, a colon and a digit from 1 to F"))
    return text


def _probability(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(_("must be a number from 0 to 1"))
    return share
