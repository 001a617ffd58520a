from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class QuartoSiteConfig(AppConfig):
    name = "quarto_site"


class OwnStaticFilesConfig(StaticFilesConfig):
    """Leaves out what other packages bring and no page uses: htmx's extensions, a second API reader."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "redoc"]
