#!/usr/bin/env python
"""The command line of the site."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

NEED_NO_SECRET = ("pair", "referee", "simulate")

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quarto_site.settings")
    if sys.argv[1:2] and sys.argv[1] in NEED_NO_SECRET:
        os.environ.setdefault("QUARTO_SECRET_KEY", "signs nothing")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")
