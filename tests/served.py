"""The settings of the tests' real servers: the site's own, but for a hasher that costs nothing."""

from quarto_site.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *PASSWORD_HASHERS]  # noqa: F405
