"""Settings, all from the environment. Every variable stands in the table of README.md."""

from hashlib import blake2s
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django.utils.translation import gettext_lazy as _

from quarto_site import environment

BASE_DIR = Path(__file__).resolve().parent.parent

DEBUG = environment.flag("QUARTO_DEBUG")
SECRET_KEY = environment.text("QUARTO_SECRET_KEY") or (get_random_secret_key() if DEBUG else "")
if not SECRET_KEY:
    raise ImproperlyConfigured("QUARTO_SECRET_KEY is missing (QUARTO_DEBUG=1 makes one up).")

ALLOWED_HOSTS = environment.words("QUARTO_ALLOWED_HOSTS", "localhost 127.0.0.1 [::1]")
ORIGINS = environment.words("QUARTO_ORIGINS")
HTTPS = environment.flag("QUARTO_HTTPS")
TRUSTED_PROXIES = environment.networks("QUARTO_TRUSTED_PROXIES")

INSTALLED_APPS = [
    "quarto_site.apps.QuartoSiteConfig",
    "tournaments",
    "games",
    "ratings",
    "channels",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "servestatic",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "quarto_site.apps.OwnStaticFilesConfig",
]

# Every middleware here can run async: one that cannot would cost a thread for each long poll.
MIDDLEWARE = [
    "quarto_site.requests.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "quarto_site.security.ContentSecurityPolicyMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "quarto_site.urls"
ASGI_APPLICATION = "quarto_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "quarto_site" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "quarto_site.views.with_notice",
            ],
        },
    },
]

# --- database ---
DATABASE_URL = environment.text("QUARTO_DATABASE_URL") or f"sqlite:///{BASE_DIR / 'quarto.sqlite3'}"
try:
    DATABASES = {"default": dj_database_url.parse(DATABASE_URL)}
except ValueError as error:
    raise ImproperlyConfigured("QUARTO_DATABASE_URL cannot be read.") from error
SQLITE_SYNCHRONOUS = environment.choice("QUARTO_SQLITE_SYNCHRONOUS", ("FULL", "NORMAL"))
DATABASE_POOL = environment.number("QUARTO_DATABASE_POOL", 20, least=8)
match DATABASES["default"]["ENGINE"]:
    case "django.db.backends.sqlite3":
        DATABASES["default"]["OPTIONS"] = {
            # Without IMMEDIATE, a transaction that reads before it writes fails under contention.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                f"PRAGMA journal_mode=WAL; PRAGMA synchronous={SQLITE_SYNCHRONOUS}; PRAGMA temp_store=MEMORY;"
            ),
        }
    case "django.db.backends.postgresql":
        DATABASES["default"]["CONN_MAX_AGE"] = 0  # the pool keeps the connections
        DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
        DATABASES["default"]["OPTIONS"] = {
            "connect_timeout": 3,
            # A machine that is gone says nothing: by itself the kernel would wait a quarter of an hour for it,
            # and whoever asks again after seconds finds the one that took its place.
            "tcp_user_timeout": 5_000,
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 2,
            # A process that freezes inside a transaction must not hold its games for ever.
            "options": "-c idle_in_transaction_session_timeout=5000",
            **DATABASES["default"].get("OPTIONS", {}),
            # After a short reconnect_timeout whoever asks next tries at once; the pool by itself would
            # wait longer after each failure, and go on waiting when the database is back.
            "pool": {"min_size": 2, "max_size": DATABASE_POOL, "timeout": 3, "reconnect_timeout": 2},
        }
    case _:
        raise ImproperlyConfigured("QUARTO_DATABASE_URL must be sqlite:///PATH or postgresql://...")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- several processes ---
REDIS_URL = environment.text("QUARTO_REDIS_URL")
CHANNEL_LAYERS = {}
if REDIS_URL:
    # Redis has one space of channels for all its databases: the prefix keeps sites apart.
    SITE_MARK = blake2s(f"{SECRET_KEY} {DATABASES['default']['NAME']}".encode(), digest_size=8).hexdigest()
    CHANNEL_LAYERS["default"] = {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [{"address": REDIS_URL, "socket_connect_timeout": 2, "socket_timeout": 5}],
            "prefix": f"quarto-{SITE_MARK}-",
        },
    }

# --- people ---
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
AUTHENTICATION_BACKENDS = [
    "quarto_site.accounts.backends.Accounts",
    "django.contrib.auth.backends.ModelBackend",  # of sessions from before there was the one above
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
SIGNUPS_PER_HOUR = environment.number("QUARTO_SIGNUPS_PER_HOUR", 200)  # for one address
SIGN_INS_PER_MINUTE = environment.number("QUARTO_SIGN_INS_PER_MINUTE", 300)  # for one address

# --- security ---
CSRF_TRUSTED_ORIGINS = ORIGINS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True  # pages find the token in their own head
X_FRAME_OPTIONS = "SAMEORIGIN"
SECURE_REFERRER_POLICY = "same-origin"
if HTTPS:
    SECURE_HSTS_SECONDS = 31_536_000
SILENCED_SYSTEM_CHECKS = [
    "security.W005", "security.W021",  # whether all subdomains have TLS is for their owner to say
    "security.W008",  # the proxy sends plain HTTP to HTTPS
    "security.W019",  # own pages may frame own pages
]  # fmt: skip
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000

# --- live games ---
FRAMES_PER_SECOND = environment.number("QUARTO_FRAMES_PER_SECOND", 20, least=1)
FRAMES_BURST = environment.number("QUARTO_FRAMES_BURST", 60, least=1)
FRAME_LIMIT_BYTES = 8 * 1024
PING_SECONDS = environment.number("QUARTO_PING_SECONDS", 20, least=1)

# --- languages and static files ---
USE_TZ = True
TIME_ZONE = environment.text("QUARTO_TIME_ZONE", "UTC")
LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", _("English"))]
LOCALE_PATHS = [BASE_DIR / "quarto_site" / "locale"]
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "quarto_site.storage.HashedStorage"},
}
SERVESTATIC_USE_FINDERS = DEBUG
SERVESTATIC_AUTOREFRESH = DEBUG

# --- programs ---
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "quarto_site.rest.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_PARSER_CLASSES": ["quarto_site.rest.ObjectParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_METADATA_CLASS": None,  # the schema describes the interface; OPTIONS is not allowed
    "DEFAULT_PAGINATION_CLASS": "quarto_site.rest.Pages",
    "DEFAULT_SCHEMA_CLASS": "quarto_site.schema.Described",
    "EXCEPTION_HANDLER": "quarto_site.rest.refusal",
    "PAGE_SIZE": 50,
}
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_TTL": None}
SPECTACULAR_SETTINGS = {
    "TITLE": "Quarto tournament server",
    "DESCRIPTION": "Tournaments, rated live games and the missed-Quarto rule.",
    "VERSION": "1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "games.api.events.add_to_schema",
    ],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "quarto_site.logs.TextFormatter"},
        "json": {"()": "quarto_site.logs.JsonFormatter"},
    },
    "filters": {
        "strangers": {"()": "quarto_site.security.WithoutStrangersTraces"},
        "request": {"()": "quarto_site.logs.WithRequest"},
        "unalarmed": {"()": "quarto_site.logs.Unalarmed"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": environment.choice("QUARTO_LOG_FORMAT", ("TEXT", "JSON")).lower(),
            "filters": ["strangers", "request"],
        }
    },
    "root": {
        "handlers": ["console"],
        "level": environment.choice("QUARTO_LOG_LEVEL", ("INFO", "DEBUG", "WARNING")),
    },
    "loggers": {
        # Django's own handler, active while debugging, would say everything twice and with traces.
        "django": {"handlers": [], "level": "INFO"},
        "django.request": {"level": "ERROR", "filters": ["unalarmed"]},
        "daphne": {"level": "WARNING"},
        "psycopg.pool": {"level": "ERROR"},  # the referee says once that the database is away
        "channels_redis": {"level": "CRITICAL"},  # the relay says once that the layer is away
        # These would write each token that `simulate` sends.
        "httpcore": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
        "websockets": {"level": "WARNING"},
    },
}
