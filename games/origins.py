"""Which pages may open a socket: those of the request's own host and of QUARTO_ORIGINS."""

from django.conf import settings
from django.http.request import split_domain_port, validate_host


def allowed_origin(headers: dict[bytes, bytes]) -> bool:
    """No Origin at all is a program, not a page, and is allowed; "null" never is."""
    origin = headers.get(b"origin")
    if origin is None:
        return True
    host = headers.get(b"host", b"").decode("latin1").lower()
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    scheme = "https" if settings.HTTPS else "http"
    own = f"{scheme}://{host}"
    return origin.decode("latin1").lower() in {own, *(o.lower() for o in settings.ORIGINS)}
