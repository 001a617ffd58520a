"""Opens an account again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from quarto_site.accounts.services import AccountError
from quarto_site.management.migrated import refuse_missing_file
from quarto_site.services.bans import unban


class Command(BaseCommand):
    help = "Takes a ban back: the account can sign in again. Its tokens have to be made anew."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_missing_file()
        try:
            name = unban(username=options["name"])
        except AccountError as error:
            raise CommandError(str(error)) from error
        print(f"{name} may sign in again.")
