# Everything heavy lives outside the checkout, so that a second run is quick.
CACHE  ?= $(or $(SIGHTLINE_DEV_CACHE),$(HOME)/.cache/sightline-dev)
VENV   := $(CACHE)/venv
PYTHON ?= python3
BIN    := $(VENV)/bin
STAMP  := $(VENV)/installed-$(shell cksum pyproject.toml | cut -d' ' -f1)

export SIGHTLINE_DEV_CACHE := $(CACHE)
# This checkout's code, whichever checkout the environment was installed from.
export PYTHONPATH := $(CURDIR)/server
export PATH := $(BIN):$(PATH)

.PHONY: help install install-editors lint format type test test-unit test-editors bench bench-ranking docs vsix train-model train-ranking

help:
	@echo "make install | lint | type | test | test-unit | test-editors | bench | bench-ranking | docs | vsix | train-model | train-ranking"

install: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

install-editors: install
	bash tests/editors/install-neovim.sh
	bash tests/editors/install-emacs.sh
	bash tests/editors/install-vscode.sh

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	bash tests/editors/lint-lua.sh

format: install
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	bash tests/editors/lint-lua.sh --fix

type: install
	$(BIN)/mypy

# One run over everything, so that there is one closing line; editors go one after another on one worker.
test: install install-editors lint type
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-unit: install
	$(BIN)/python -m pytest -n 2 --dist loadfile --ignore tests/editors

test-editors: install-editors
	$(BIN)/python -m pytest tests/editors

# MIRRORS: a folder of bare git repositories, OWNER+NAME/repo; WORK: where trees, indexes and answers are kept.
bench: install
	$(BIN)/python tests/benchmarks/run.py $(if $(MIRRORS),--mirrors $(MIRRORS)) $(if $(WORK),--work $(WORK))

bench-ranking: install
	$(BIN)/python -m tests.benchmarks.ranking --mirrors $(MIRRORS) --work $(WORK) $(ARGS)

docs: install
	$$(bash tests/editors/install-neovim.sh)/nvim --headless -u NONE -c 'helptags editors/neovim/doc' -c quit
	$(BIN)/python -m sightline.settings > docs/settings.md
	$(BIN)/python -m sightline.commands.manual > docs/sightline.1
	$(BIN)/python editors/neovim/generate.py > editors/neovim/lua/sightline/vocabulary.lua

vsix: install
	PYTHON=$(BIN)/python bash editors/vscode/package.sh

train-model:
	$(MAKE) -C server/training

train-ranking: install
	PYTHONPATH=$(CURDIR)/server:$(CURDIR) $(BIN)/python -m training.ranking --mirrors $(MIRRORS) --work $(WORK) $(ARGS)
