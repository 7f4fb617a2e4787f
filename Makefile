# One command each. Everything runs in `.venv`, made from pyproject.toml; nothing else of the system is assumed but Python 3.11+ and a network.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
OUT ?= out

.PHONY: demo test test-unit check bench format schemas clean

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: $(VENV)/installed ## parse the samples on an embedded Kafka, then search what was parsed
	$(BIN)/python samples/make_samples.py $(OUT)/samples
	PAGELOOM_DATA_DIR=$(OUT)/data $(BIN)/pageloom parse $(OUT)/samples --output $(OUT)/demo --formats markdown,json,html || [ $$? -eq 3 ]
	PAGELOOM_DATA_DIR=$(OUT)/data $(BIN)/pageloom search 'Garrowby sunflower'
	PAGELOOM_DATA_DIR=$(OUT)/data $(BIN)/pageloom search '"blue box"'
	@echo "results are in $(OUT)/demo"

test: $(VENV)/installed ## all tests: unit, property, and integration on an embedded Kafka
	$(BIN)/python -m pytest

test-unit: $(VENV)/installed ## the tests that need no Kafka
	$(BIN)/python -m pytest tests/unit

check: $(VENV)/installed ## format, lint and types; changes nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/installed ## pages per second end to end against the reading baseline, and latency
	$(BIN)/python -m tests.bench.end_to_end --rounds 4

format: $(VENV)/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: $(VENV)/installed ## rewrite schemas/avsc from the types; archive a published schema first
	$(BIN)/python -m schemas.derivation

clean:
	rm -rf $(VENV) $(OUT) build dist
