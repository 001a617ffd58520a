"""What the naive server and the ceiling share: settings without the site, and their games."""

from pathlib import Path


def configure(database: Path) -> None:
    """Sets up Django with the games' tables alone; the database is set up as the real server's."""
    import django
    from django.conf import settings

    settings.configure(
        SECRET_KEY="only for a benchmark",
        INSTALLED_APPS=["channels", "games", "ratings", "django.contrib.auth", "django.contrib.contenttypes"],
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": str(database),
                "OPTIONS": {
                    "transaction_mode": "IMMEDIATE",
                    "timeout": 20,
                    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
                },
            }
        },
        CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
    )
    django.setup()


def create_games(count: int) -> tuple[int, int]:
    """Games `g0`, `g1`, ... between two players, in a new database; returns the players' ids."""
    from django.core.management import call_command

    from games.services.games import Terms, new_games, start_games
    from ratings.models import Player

    call_command("migrate", verbosity=0)
    ann, ben = (Player.objects.create(username=name, name=name) for name in ("ann", "ben"))
    terms = Terms(claims="void", control="turn=3600", no_show_ms=3_600_000)
    games = new_games([(ann, ben, None)] * count, terms)
    for number, game in enumerate(games):
        game.pk = f"g{number}"
    start_games(games)
    return ann.pk, ben.pk
