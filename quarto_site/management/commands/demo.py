"""Demo data: a club, its people, and tournaments in every state."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from quarto_site.demo.club import NamesTaken, make_demo_club
from quarto_site.demo.people import FEWEST, MOST, ORGANISER
from quarto_site.management.migrated import refuse_missing_file


class Command(BaseCommand):
    help = "Makes a demo club once, and prints the log-ins. A second call changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=16, help=f"{FEWEST} to {MOST}")
        parser.add_argument("--seed", type=int, default=7, help="of the made-up games")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_missing_file()
        if not FEWEST <= options["players"] <= MOST:
            raise CommandError(
                _("--players must be between %(fewest)d and %(most)d.") % {"fewest": FEWEST, "most": MOST}
            )
        try:
            club = make_demo_club(players=options["players"], seed=options["seed"])
        except NamesTaken as error:
            raise CommandError(str(error)) from error
        if not club.made:
            self.stdout.write(_("The demo club is there already: nothing was changed."))
        self.stdout.write(_("Log-ins (the same password for all, unless it was changed):"))
        width = max(map(len, club.names))
        for name in club.names:
            note = _("organiser") if name == ORGANISER else ""
            self.stdout.write(f"  {name.ljust(width)}  {club.password}  {note}".rstrip())
