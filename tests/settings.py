"""The site's settings with what tests need: a fast hasher, plain static files, an own database."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("QUARTO_SECRET_KEY", "only-for-tests")
os.environ.setdefault("QUARTO_SQLITE_SYNCHRONOUS", "NORMAL")

from quarto_site.settings import *  # noqa: F403 - the environment must be set first

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {  # noqa: F405
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
ALLOWED_HOSTS = ["*"]
SIGNUPS_PER_HOUR = SIGN_INS_PER_MINUTE = 1_000_000

# A file, since threads cannot share a database in memory without locking each other's tables out.
DATABASES["default"]["TEST"] = {  # noqa: F405
    "NAME": str(Path(tempfile.gettempdir()) / f"quarto-test-{os.getpid()}.sqlite3")
}

# Static files are served from there by the tests' real servers; importing the site asks that it exists.
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405
