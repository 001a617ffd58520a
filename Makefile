# `make run`: a server with a demo club. `make test`: the whole suite. Both start from a fresh checkout.

PYTHON ?= python3
PORT ?= 8000
BIND ?= 127.0.0.1:$(PORT)
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py

# More than the cores, since many tests wait for other processes.
WORKERS ?= 4

# The suite makes up its own environment; a server of yours must not leak into it.
unexport DJANGO_SETTINGS_MODULE

.PHONY: run test faults fuzz audit lint browser services bench clean

run: $(VENV)/installed var/secret-key
	@QUARTO_SECRET_KEY="$$(cat var/secret-key)" QUARTO_SIGNUPS_PER_HOUR=100000 sh -e -c '\
		$(MANAGE) migrate --verbosity 0; \
		$(MANAGE) collectstatic --no-input --verbosity 0; \
		$(MANAGE) demo; \
		exec $(MANAGE) serve --bind $(BIND)'

test: $(VENV)/installed-dev lint browser services
	$(BIN)/python -m pytest -n $(WORKERS)

# The tests of faults in their long form, some ten minutes, and the table of what came of them.
faults: $(VENV)/installed-dev services
	QUARTO_TESTS_FAULTS=long $(BIN)/python -m pytest -p no:randomly tests/faults tests/games/test_deadline_race.py \
		tests/live/test_double_clicks.py tests/services/test_faults.py tests/services/test_pool.py

lint: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	QUARTO_SECRET_KEY=lint $(BIN)/mypy .
	QUARTO_SECRET_KEY=lint QUARTO_DATABASE_URL=sqlite:///:memory: $(MANAGE) makemigrations --check --dry-run

# The browser tests drive Debian's Chromium. Where it is missing and cannot be installed they are
# skipped with a word, except where QUARTO_TESTS_SKIP_NOTHING is set.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
			&& apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
				chromium fonts-dejavu-core >/dev/null; } \
		|| [ -n "$$CI" ] \
		|| echo "Chromium is missing: the browser tests will be skipped (Debian: apt install chromium)."

# The tests of several processes start PostgreSQL and Redis of their own, and those of the proxies nginx and
# Caddy, from Debian's binaries; systemd and the kernel's filter are asked what they make of the shipped files.
# RUNLEVEL keeps the packages from starting services of their own.
SERVICES := postgresql redis-server nginx-light caddy nftables openssl systemd

services:
	@( PATH="$$PATH:/usr/sbin:/sbin"; for each in redis-server nginx caddy nft openssl systemd-analyze; do \
			command -v $$each || exit 1; done && ls /usr/lib/postgresql/*/bin/postgres ) >/dev/null 2>&1 \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
			&& apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq \
				--no-install-recommends $(SERVICES) >/dev/null; } \
		|| [ -n "$$CI" ] \
		|| echo "Some services are missing: the tests of several processes or of the proxies will be skipped" \
			"(Debian: apt install $(SERVICES))."

# Compares with servers from npm (Node.js 20 or newer). `make bench BENCH=--quick`, `make bench BENCH="--only sweep"`.
bench: $(VENV)/installed-bench
	$(BIN)/python -m benchmarks.run $(BENCH)

# The suite's hostile input, forty times as much of it (some ten minutes); `make fuzz FUZZ=2000` for a night.
FUZZ ?= 40
fuzz: $(VENV)/installed-dev
	QUARTO_TESTS_FUZZ=$(FUZZ) $(BIN)/python -m pytest tests/hostile -n 2 --dist loadfile

# Known vulnerabilities of what is pinned; says plainly where there was nobody to ask.
audit: $(VENV)/installed-dev
	$(BIN)/python -m tools.audit constraints.txt

clean:
	rm -rf $(VENV) var .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; $(PYTHON) is older (use make PYTHON=...)."; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "Python's venv module is missing (Debian: apt install python3-venv)."; exit 1; }

$(VENV)/installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(VENV)/installed $@

$(VENV)/installed-bench: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	@touch $(VENV)/installed $@

var/secret-key:
	@mkdir -p var
	@umask 077 && $(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(50))' > $@
