"""Whose database connection is whose."""

from django.db import connection


def leave_the_pool() -> None:
    """Gives this thread a connection of its own, beside those that a process's threads share.

    Called before the thread first asks the database anything. Whoever judges must not wait in a
    queue behind everybody who reads.
    """
    options = {name: value for name, value in connection.settings_dict["OPTIONS"].items() if name != "pool"}
    connection.settings_dict = connection.settings_dict | {"OPTIONS": options}
