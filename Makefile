# Everything heavy lives outside the checkout, so that a second run is quick.
CACHE  ?= $(or $(SIGHTLINE_DEV_CACHE),$(HOME)/.cache/sightline-dev)
VENV   := $(CACHE)/venv
PYTHON ?= python3
BIN    := $(VENV)/bin
LOCK   := server/requirements.lock
STAMP  := $(VENV)/installed-$(shell cat pyproject.toml $(LOCK) | cksum | cut -d' ' -f1)

export SIGHTLINE_DEV_CACHE := $(CACHE)
# This checkout's code, whichever checkout the environment was installed from.
export PYTHONPATH := $(CURDIR)/server
export PATH := $(BIN):$(PATH)

.PHONY: help install install-editors lint format type test test-unit test-core test-editors bench bench-ranking docs lock dist release-files check-release vsix train-model train-ranking

help:
	@echo "make install | lint | type | test | test-unit | test-core | test-editors | bench | bench-ranking | docs | lock | dist | vsix | release-files | train-model | train-ranking"

install: $(STAMP)

# The versions that users of the extension get; a constraint has no hashes.
$(STAMP): pyproject.toml $(LOCK)
	$(PYTHON) -m venv $(VENV)
	sed -e '/--hash=/d' -e 's/ \\$$//' $(LOCK) > $(VENV)/constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(VENV)/constraints.txt --editable '.[dev]'
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

# Once for each system that the code has branches for; a cache each, or they would drop one another's.
type: install
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 server/sightline
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin server/sightline

# One run over everything, so that there is one closing line; editors go one after another on one worker.
test: install install-editors lint type
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-unit: install
	$(BIN)/python -m pytest -n 2 --dist loadfile --ignore tests/editors

# What the workflows run on every system and Python.
test-core: install
	$(BIN)/python -m pytest -n 2 --dist loadfile tests/unit tests/lsp

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
	PYTHON=$(BIN)/python node editors/vscode/scripts/generate.mjs

# Which packages the server loads, in which versions: needs the package index.
lock: install
	$(PYTHON) -m venv $(CACHE)/uv
	$(CACHE)/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
	PYTHONPATH=$(CURDIR)/server:$(CURDIR) $(BIN)/python -m tests.release.lock $(CACHE)/uv/bin/uv

dist: install
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .

# The files of a release, with their checksums and a bill of materials.
release-files: dist
	PYTHON=$(BIN)/python bash editors/vscode/package.sh --out "$(CURDIR)/dist/"
	PYTHONPATH=$(CURDIR)/server:$(CURDIR) $(BIN)/python -m tests.release.sbom > dist/bill-of-materials.cdx.json
	cd dist && sha256sum * > SHA256SUMS

# TAG: the tag that is to be released.
check-release: install
	PYTHONPATH=$(CURDIR)/server:$(CURDIR) $(BIN)/python -m tests.release.version $(TAG)

vsix: install
	PYTHON=$(BIN)/python bash editors/vscode/package.sh

train-model:
	$(MAKE) -C server/training

train-ranking: install
	PYTHONPATH=$(CURDIR)/server:$(CURDIR) $(BIN)/python -m training.ranking --mirrors $(MIRRORS) --work $(WORK) $(ARGS)
