import yaml
from django.core.management import call_command
from django.urls import get_resolver

from quarto_site.security import SITE_POLICY


def test_the_schema_is_valid_and_without_warnings(tmp_path):
    file = tmp_path / "schema.yml"
    call_command("spectacular", "--fail-on-warn", "--validate", "--file", str(file))
    paths = yaml.safe_load(file.read_text())["paths"]
    assert {f"/{path}" for path in api_paths()} <= paths.keys()


def api_paths():
    """Every address under /api/ as a schema writes it, but for the schema and its page."""
    api = next(entry for entry in get_resolver().url_patterns if str(entry.pattern) == "api/")
    for entry in api.url_patterns:
        path = "api/" + str(entry.pattern)
        if path not in ("api/", "api/schema/", "api/docs/"):
            yield path.replace("<str:", "{").replace("<slug:", "{").replace("<int:", "{").replace(">", "}")


def test_the_schema_is_served(client, db):
    response = client.get("/api/schema/", headers={"Accept": "application/json"})
    assert response.status_code == 200
    assert response.json()["openapi"].startswith("3.")


def test_the_page_of_the_schema_has_a_policy_of_its_own_and_loads_nothing_foreign(client, db):
    response = client.get("/api/docs/")
    assert response.status_code == 200
    assert response["Content-Security-Policy"] == SITE_POLICY.replace(
        "style-src 'self'", "style-src 'self' 'unsafe-inline'"
    )
    page = response.content.decode()
    assert "//" not in page
    script = client.get("/api/docs/?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert "/api/schema/" in script.content.decode()
