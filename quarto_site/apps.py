from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class QuartoSiteConfig(AppConfig):
    name = "quarto_site"

    def ready(self) -> None:
        from django.db.backends.signals import connection_created

        from quarto_site.checks import register_all
        from quarto_site.texts import without_nul

        register_all()
        connection_created.connect(without_nul, dispatch_uid="quarto_site.without_nul")


class OwnStaticFilesConfig(StaticFilesConfig):
    """Leaves out what other packages bring and no page uses: htmx's extensions, a second API reader."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "redoc"]
