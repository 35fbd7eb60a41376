# Two commands: `make run` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
RESULTS := results/first-look
BUILD_INPUTS := pyproject.toml setup.py constraints.txt $(wildcard src/augury/kernels/*.[ch])

.PHONY: run test check lint types contracts unit sanitize bench lock clean

run: $(VENV)/.package
	$(BIN)/augury run examples/first-look.toml --out $(RESULTS)
	$(BIN)/augury report $(RESULTS) -o $(RESULTS)/report.html

test: lint types contracts unit

lint: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tests
	$(BIN)/mypy

contracts: $(VENV)/.tests
	$(BIN)/lint-imports

# The report page is tested in a real browser: installed where we may, else its tests say what is
# missing.
unit: $(VENV)/.tests
	@command -v chromium || [ "$$(id -u)" -ne 0 ] || ! command -v apt-get \
	  || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } \
	  || echo "Chromium could not be installed"
	$(BIN)/python -m pytest -n 2

# The kernels' tests on kernels built with the address and undefined-behaviour sanitizers. Python
# itself leaks at exit, so leaks are not searched for.
SANITIZED := build/sanitized
sanitize: $(VENV)/.tests
	rm -rf $(SANITIZED) && mkdir -p build && cp -r src $(SANITIZED) && rm -f $(SANITIZED)/augury/kernels/*.so
	CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all" \
	  $(BIN)/python setup.py --quiet build_ext --force --build-lib $(SANITIZED) --build-temp build/sanitize
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$(SANITIZED) \
	  $(BIN)/python -m pytest -q -p no:cacheprovider tests/kernels tests/counts tests/encode/test_mdl.py

bench: $(VENV)/.tests
	$(BIN)/python -m benchmarks

# The versions that were tested, for every Python we support; no hosts, no hashes.
lock: $(VENV)/.tests
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --group test \
	  --no-header --no-annotate --no-emit-index-url --upgrade pyproject.toml requirements-build.in \
	  -o constraints.txt

$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV)
	$(PIP) pip setuptools
	touch $@

# No build isolation: the compiled part is built with the setuptools of constraints.txt.
$(VENV)/.package: $(VENV)/.venv $(BUILD_INPUTS)
	$(PIP) --no-build-isolation --editable .
	touch $@

$(VENV)/.tests: $(VENV)/.package
	$(PIP) --group test
	touch $@

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/augury/kernels/*.so .mypy_cache .ruff_cache .pytest_cache .hypothesis
