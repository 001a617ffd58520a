"""Holds all games while the operator works on the site."""

import time
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import get_current_timezone

from games.queries.maintenance import Upkeep, upkeep
from games.services import maintenance
from quarto_site.management.migrated import refuse_missing_file

PATIENCE_S = 15.0
LOOK_EVERY_S = 0.1


class Command(BaseCommand):
    help = (
        "`on` pauses all games, refuses new ones and shows everybody a notice, `off` lets them go on with the "
        "time they had, `status` says how things are. It outlasts a restart of the server."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("do", choices=("on", "off", "status"))
        parser.add_argument("--notice", default="", help="one line for everybody, with `on`")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_missing_file()
        match options["do"]:
            case "on":
                self._begin(options["notice"])
            case "off":
                self._end()
            case _:
                self._tell(upkeep())

    def _begin(self, notice: str) -> None:
        try:
            maintenance.begin(notice=notice)
        except maintenance.BadNotice as error:
            raise CommandError(str(error)) from error
        self._tell(_settled())

    def _end(self) -> None:
        if not maintenance.end():
            self.stdout.write("There was no maintenance.")
        self._tell(_settled())

    def _tell(self, now: Upkeep) -> None:
        if now.notice is None:
            self.stdout.write("maintenance: off")
        else:
            since = datetime.fromtimestamp((now.since_ms or 0) / 1000, tz=get_current_timezone())
            self.stdout.write(f"maintenance: on since {since:%Y-%m-%d %H:%M:%S %Z}")
            self.stdout.write(f"notice: {now.notice}")
        self.stdout.write(f"games held: {now.held}")
        self.stdout.write(f"games running: {now.running}")
        if not now.is_judged:
            self.stdout.write("No server judges at the moment. The next one to start brings it about.")
        elif not now.is_settled:
            raise CommandError("The games are not yet as they should be: look again with `status`.")


def _settled() -> Upkeep:
    """How things are once the servers have done their part, or when that takes too long."""
    limit = time.monotonic() + PATIENCE_S
    while (now := upkeep()).is_judged and not now.is_settled and time.monotonic() < limit:
        time.sleep(LOOK_EVERY_S)
    return now
