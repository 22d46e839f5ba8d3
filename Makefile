# Brocante: `make play` and `make test` do everything, on a machine with Python 3.11 or later and make.

PYTHON ?= python3
BIN = .venv/bin

.PHONY: play terminal serve test lint bench bench-live bench-floods bench-page pictures lock clean help

help:
	@echo "make play      set everything up and open the page in the browser"
	@echo "make terminal  set everything up and play in the terminal"
	@echo "make serve     the same server as make play's, and no browser"
	@echo "make test      set everything up, then lint, check types and run the tests"
	@echo "make lint      formatting, lint and types only"
	@echo "make bench     every speed we claim, measured here (installs OpenSpiel to compare with)"
	@echo "make bench-live  live tables under load, beside boardgame.io and Colyseus (needs npm)"
	@echo "make bench-floods  what players notice of attacks on their server"
	@echo "make bench-page  how heavy and how quick the page is; BESIDE=COMMIT compares it with an earlier one"
	@echo "make pictures  draw the pictures of the documents anew"
	@echo "make lock      choose anew what a release is installed with (deploy/requirements.lock)"
	@echo "make clean     remove what was set up"

play: .venv/play
	@$(BIN)/brocante serve --open

terminal: .venv/play
	@$(BIN)/brocante play

serve: .venv/play
	@$(BIN)/brocante serve

# Two workers more than there are cores: many tests wait for others. Tests are handed out one by one, the
# longest first (tests/conftest.py).
test: lint
	@$(BIN)/python -m tests.web.chromium
	@$(BIN)/brocante compile port & $(BIN)/brocante compile antiques collection vinto; wait
	$(BIN)/pytest -n $$(($$($(BIN)/python -c 'import os; print(os.cpu_count())') + 2)) --maxschedchunk 1 $(ARGS)

lint: .venv/dev .venv/npm
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/node node_modules/prettier/bin/prettier.cjs --check --log-level warn "brocante/web/**/*.{js,css,ts}" "brocante/games/*/web/*"
	$(BIN)/node node_modules/typescript/bin/tsc

bench: .venv/bench
	$(BIN)/python benchmarks/random_play.py

bench-live: .venv/bench
	$(BIN)/python -m benchmarks.live_tables

bench-floods: .venv/dev
	$(BIN)/python -m benchmarks.floods

bench-page: .venv/dev
	@$(BIN)/python -m tests.web.chromium
	$(BIN)/python -m benchmarks.page $(if $(BESIDE),--beside $(BESIDE))
	$(BIN)/python -m benchmarks.first_minute

pictures: .venv/dev
	@$(BIN)/python -m tests.web.chromium
	$(BIN)/python docs/images/draw.py
	$(BIN)/python -m docs.images.screens

# What a release is built and run with, for every system and Python that it runs on.
lock: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check 'uv>=0.9'
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' | \
		$(BIN)/uv pip compile --quiet --no-config --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
		--custom-compile-command 'make lock' --extra server --extra postgres --output-file deploy/requirements.lock pyproject.toml -

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Brocante needs Python 3.11 or later; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "$(PYTHON) cannot make a virtual environment here; on Debian: apt install python3-venv"; exit 1; }

.venv/play: .venv/bin/python pyproject.toml
	@echo "Setting up Brocante in .venv (once) ..."
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[all]'
	@touch $@

.venv/dev: .venv/bin/python pyproject.toml
	@echo "Setting up Brocante and its tests in .venv (once) ..."
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/play

.venv/npm: .venv/dev package-lock.json
	$(BIN)/npm ci --loglevel=error
	@touch $@

.venv/bench: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	@touch $@

clean:
	rm -rf .venv node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
