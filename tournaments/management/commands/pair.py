"""Pairs the next Swiss round of a report file."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from tournaments.pairing import Pairing, PairingError
from tournaments.pairing.swiss import baku_acceleration, pair_round
from tournaments.trf import TournamentReport, TrfError, read_trf
from tournaments.trf.reader import LARGEST_FILE

DUTCH = frozenset(("", "FIDE_DUTCH", "FIDE_DUTCH_2025", "FIDE_DUTCH_2026"))
"""Type codes (192) of the Dutch system in force since 1 February 2026; FIDE's tables disagree on the year."""

UNPAIRABLE, UNREADABLE = 1, 2


class Command(BaseCommand):
    """Exit code 1: nothing can be paired; 2: the file cannot be read. Needs no database."""

    help = "Reads a TRF (16 or 26) and prints the next round: starter and second player, the bye with a 0."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a report file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        pairing = self._paired(self._read(options["file"]))
        boards = [*pairing.boards, *([(pairing.bye, 0)] if pairing.bye else [])]
        self.stdout.write("\n".join(f"{starter} {second}" for starter, second in boards))

    def _read(self, file: str) -> TournamentReport:
        try:
            return read_trf(_content(file))
        except (OSError, TrfError) as error:
            raise CommandError(f"{file}: {error}", returncode=UNREADABLE) from error

    def _paired(self, report: TournamentReport) -> Pairing:
        code = report.type_code.upper()
        if code.removesuffix("_BAKU") not in DUTCH:
            words = _("%(code)s is not the Swiss system that is paired here.")
            raise CommandError(words % {"code": code}, returncode=UNREADABLE)
        if report.rounds_total is None:
            raise CommandError(_("The number of rounds (142 or XXR) is missing."), returncode=UNREADABLE)
        acceleration = report.acceleration
        if code.endswith("_BAKU") and not acceleration:
            numbers = [entry.number for entry in report.contestants]
            acceleration = baku_acceleration(numbers, report.rounds_total, report.points)
        try:
            return pair_round(
                report.contestants,
                round_number=report.coming_round,
                rounds_total=report.rounds_total,
                first_seat=report.first_seat or report.inferred_first_seat,
                absent=report.absent,
                forbidden=report.forbidden,
                acceleration=acceleration,
                points=report.points,
            )
        except PairingError as error:
            raise CommandError(str(error), returncode=UNPAIRABLE) from error


def _content(file: str) -> bytes:
    """As much of it as a report may have, and one byte more."""
    if file == "-":
        return sys.stdin.buffer.read(LARGEST_FILE + 1)
    with Path(file).open("rb") as source:
        return source.read(LARGEST_FILE + 1)
