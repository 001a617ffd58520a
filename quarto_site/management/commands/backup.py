"""Copies the database while the site is played on."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from quarto_site.backup import NoBackup, backup


class Command(BaseCommand):
    help = "Copies the whole database into a new file, while the site may be played on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backup(settings.DATABASES["default"], options["file"])
        except NoBackup as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['file']}: {options['file'].stat().st_size} bytes")
