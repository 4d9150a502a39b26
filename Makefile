# Plyscope: `make run` shows the examples in a browser, `make test` runs every test. `make help` lists the rest.
SHELL := /bin/sh
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
FIND_PYTHON = for p in python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then command -v $$p; exit 0; fi; done; \
	echo 'plyscope: needs Python 3.11 or newer with pip and venv (Debian: apt-get install python3 python3-venv)' >&2; exit 1

.PHONY: help run test fast lint types-js bench screenshots wheel clean

help: ## list these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.run ## start the viewer on the bundled examples
	$(BIN)/plyscope view

test: $(VENV)/.test $(VENV)/.browser ## every test, the page in a real browser included
	$(BIN)/python -m pytest

fast: $(VENV)/.test ## the quick tests only: no browser, nothing slow
	$(BIN)/python -m pytest -m 'not page and not slow'

lint: $(VENV)/.test $(VENV)/.node ## ruff, mypy --strict, import floors, tsc --checkJs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) types-js

$(VENV)/.python:
	@python="$$($(FIND_PYTHON))" && "$$python" -m venv $(VENV)
	@touch $@

$(VENV)/.run: pyproject.toml | $(VENV)/.python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/.python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/.run

clean: ## remove the virtual environment and all that was built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
