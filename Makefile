# One command each. Everything runs in `.venv`, made from pyproject.toml; nothing else of the system is assumed but Python 3.11+ and a network.
PYTHON ?= python3
VENV ?= .venv
GPU_VENV ?= .venv-gpu
BIN = $(VENV)/bin
OUT ?= out
INDEX ?= tantivy
CORPUS ?= corpus

.PHONY: demo lock fuzz bench-memory test test-unit chaos test-chaos test-browser test-gpu check bench bench-reading bench-quality bench-index bench-infer bench-joins bench-assemble bench-routing train-confidence format schemas clean

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
ifdef LOCKED
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement locks/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
endif
	touch $@

demo: $(VENV)/installed ## parse the samples on an embedded Kafka, then search what was parsed; KEEP=1 goes on with the console, until Ctrl-C
	$(BIN)/python samples/make_samples.py $(OUT)/samples
	PAGELOOM_DATA_DIR=$(OUT)/data $(BIN)/pageloom parse $(OUT)/samples --output $(OUT)/demo --formats markdown,json,html || [ $$? -eq 3 ]
	PAGELOOM_DATA_DIR=$(OUT)/data $(BIN)/pageloom search 'Garrowby sunflower'
	PAGELOOM_DATA_DIR=$(OUT)/data $(BIN)/pageloom search '"blue box"'
	@echo "results are in $(OUT)/demo"
ifdef KEEP
	@echo "the same in a browser: open the address below and search for \"Garrowby sunflower\", a row of a table over three pages"
	PAGELOOM_DATA_DIR=$(OUT)/data $(BIN)/pageloom up
endif

test: $(VENV)/installed test-unit ## all tests: unit, property, and integration on an embedded Kafka
	$(BIN)/python -m pytest tests/integration

test-unit: $(VENV)/installed ## the tests that need no Kafka
	$(BIN)/python -m pytest tests/unit --numprocesses auto --dist loadfile

$(GPU_VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(GPU_VENV)
	$(GPU_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(GPU_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,gpu,gpu-test]'
	$(GPU_VENV)/bin/python -m pip check
	touch $@

test-gpu: $(GPU_VENV)/installed ## the engines in torch, on a CPU where there is no GPU; in an environment of their own, with the extra gpu
	OMP_NUM_THREADS=1 $(GPU_VENV)/bin/python -m pytest tests/gpu --timeout 600

$(VENV)/browser: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,browser]'
	sh tests/browser/install_chromium.sh
	touch $@

test-browser: $(VENV)/browser ## the console in a headless Chromium; screenshots are left in $(OUT)/screenshots
	OUT=$(OUT) $(BIN)/python -m pytest tests/browser --timeout 300

chaos: $(VENV)/installed ## faults by the hundred on an embedded Kafka, every document compared; CHAOS='--seed 1 --documents 10000 --faults 200 --minutes 25'
	$(BIN)/python -m tests.chaos $(CHAOS)

test-chaos: $(VENV)/installed ## a short chaos run with a fixed seed, some two minutes
	$(BIN)/python -m pytest tests/chaos/test_short_run.py

check: $(VENV)/installed ## format, lint and types; changes nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/installed ## pages per second end to end against the reading baseline, and latency
	$(BIN)/python -m tests.bench.end_to_end --rounds 4

bench-reading: $(VENV)/installed ## pages per CPU-second: baseline, our reader alone and through Kafka, other parsers; CORPUS=folder adds its files
	$(BIN)/python -m tests.bench.reading --corpus $(CORPUS) --environments $(OUT)/peers --keep $(OUT)/peers-markdown

bench-index: $(VENV)/installed ## how long finished documents wait to be found at 1,000 chunks a second; INDEX=opensearch for a real node
	$(BIN)/python -m tests.bench.index --index $(INDEX)

bench-quality: $(VENV)/installed ## parse the files of CORPUS=folder and score them against its truth
	rm -rf $(OUT)/quality
	$(BIN)/python -m tests.bench.quality --corpus $(CORPUS) --out $(OUT)/quality

bench-infer: $(VENV)/installed ## engines alone and through the consumer, and what they read of made scans: text, tables, scripts
	$(BIN)/python -m tests.bench.infer

bench-joins: $(VENV)/installed ## tables over page breaks: made documents, and real ones where CORPUS names a folder that has them
	$(BIN)/python -m tests.bench.joins $(wildcard $(CORPUS))

bench-assemble: $(VENV)/installed ## what a page costs in assembly, by the length of its document
	$(BIN)/python -m tests.bench.assemble

$(OUT)/routing/pages.tsv: $(VENV)/trainable
	$(BIN)/python -m tests.bench.routing.make_set $(OUT)/routing

bench-routing: $(OUT)/routing/pages.tsv ## which pages go to a model: made pages of all scripts and faults, ours beside other rules
	$(BIN)/python -m tests.bench.routing.bench $(OUT)/routing --environment $(OUT)/peers/pymupdf4llm

train-confidence: $(OUT)/routing/pages.tsv ## train the judgement of text layers on the made pages' training split; rewrites streams/read/trust/trust.json
	$(BIN)/python -m tests.bench.routing.train $(OUT)/routing

$(VENV)/trainable: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,train]'
	touch $@

fuzz: $(VENV)/installed ## mutated documents of every kind go the whole way; COUNT of each kind, SEED to repeat a run
	$(BIN)/python -W ignore -m tests.fuzz --seed $(or $(SEED),1) --count $(or $(COUNT),150)

bench-memory: $(VENV)/installed ## how a reader and an engine process grow over 500 documents
	$(BIN)/python -W ignore -m tests.bench.memory --documents $(or $(COUNT),500)

LOCK = $(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
lock: $(VENV)/installed ## pin every dependency with its hashes: locks/dev.txt for CI (LOCKED=1), locks/image.txt for the Dockerfile
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(LOCK) pyproject.toml --extra dev --output-file locks/dev.txt
	$(LOCK) pyproject.toml --extra opensearch --extra tracing --output-file locks/image.txt

format: $(VENV)/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: $(VENV)/installed ## rewrite schemas/avsc from the types; archive a published schema first
	$(BIN)/python -m schemas.derivation

clean:
	rm -rf $(VENV) $(GPU_VENV) $(OUT) build dist
