"""Proves that games, ratings and tournaments agree with their records."""

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quarto_site.management.migrated import refuse_unapplied_migrations
from quarto_site.verification import differences


class Command(BaseCommand):
    help = (
        "Replays every stored game from its record, recomputes every rating and every finished "
        "tournament's standings, prints counts, and exits 1 on a difference."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unapplied_migrations()
        counts: Counter[str] = Counter()
        found = 0
        for difference in differences(counts):
            found += 1
            self.stdout.write(difference)
        for what, number in counts.items():
            self.stdout.write(f"{what}: {number}")
        self.stdout.write(f"differences: {found}")
        if found:
            raise CommandError("What is stored does not agree.", returncode=1)
