"""Closes an account to its owner."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from quarto_site.accounts.services import AccountError
from quarto_site.management.migrated import refuse_missing_file
from quarto_site.services.bans import ban


class Command(BaseCommand):
    help = "Bans an account: it is signed out everywhere within two seconds and cannot sign in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--reason", default="", help="said to whoever signs in with the right password")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_missing_file()
        try:
            banned = ban(username=options["name"], reason=options["reason"])
        except AccountError as error:
            raise CommandError(str(error)) from error
        print(f"{banned.username} is banned.")
        print(f"Running games, which go on by their clocks: {banned.running_games}")
        print(f"Open challenges, now withdrawn: {banned.challenges}")
