"""All addresses. Each app names its pages and what it has under /api/."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from games import urls as games
from quarto_site import health, views
from quarto_site.accounts import urls as accounts
from ratings import urls as ratings
from tournaments import urls as tournaments

api = [
    *accounts.api_urlpatterns,
    *games.api_urlpatterns,
    *tournaments.api_urlpatterns,
    *ratings.api_urlpatterns,
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("docs/", views.ApiDocs.as_view(), name="api_docs"),
    re_path("", views.nothing_here),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("rules/", views.rules, name="rules"),
    path("about/", views.about, name="about"),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    *accounts.urlpatterns,
    *games.urlpatterns,
    *tournaments.urlpatterns,
    *ratings.urlpatterns,
    path("api/", include(api)),
]

handler400 = "quarto_site.views.bad_request"
handler403 = "quarto_site.views.forbidden"
handler404 = "quarto_site.views.not_found"
handler500 = "quarto_site.views.server_error"
