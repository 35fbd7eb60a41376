"""The memory that the docstring of each registered model states, against what is measured."""

import json
import os
import re
import subprocess
import sys
from inspect import getdoc
from pathlib import Path

import pytest
from sklearn.utils import get_tags

from augury.models.catalogue import model_classes

FORM = "Memory in bytes (see `augury.memory`): fit takes `…`, and the model keeps `…`."
FIRST = re.compile(r"Memory in bytes \(see `augury\.memory`\): (fit takes `.*?`, .*?keeps `[^`]*`)")
# A formula of the defaults, and others that begin with parameters.
FORMULAS = re.compile(r"(?:With `([^`]+)` )?fit takes `([^`]+)`, and the model keeps `([^`]+)`")

# Bytes that no formula counts: pages of the allocator, buffers of kernels, small objects.
SMALL_FIT, SMALL_KEPT = 2_000_000, 20_000

# Many rows; and many states and classes, so that the tables of counts are the larger part.
TABLES = [
    {"n": 80_000, "d": 8, "m": 6, "v": 6, "q": 2},
    {"n": 25_000, "d": 24, "m": 2, "v": 20, "q": 5},
]
COUNTS = [
    {"n": 100_000, "d": 1000, "q": 2, "per_row": 8},
    {"n": 4000, "d": 60_000, "q": 6, "per_row": 25},
]
# Other tables for models that take longer, or less memory for each row.
OF_LIGHT_MODELS = [
    {"n": 80_000, "d": 8, "m": 16, "v": 6, "q": 2},
    {"n": 150_000, "d": 30, "m": 2, "v": 20, "q": 5},
]
OF_LIGHT_EVENT_MODELS = [
    {"n": 400_000, "d": 1000, "q": 2, "per_row": 4},
    {"n": 4000, "d": 60_000, "q": 6, "per_row": 25},
]
SIZES = {
    "NaiveBayes": OF_LIGHT_MODELS,
    "SplitClassifier": OF_LIGHT_MODELS,
    "BoostedNaiveBayes": OF_LIGHT_MODELS,
    "KNearestNeighbors": OF_LIGHT_MODELS,
    "MultinomialNaiveBayes": OF_LIGHT_EVENT_MODELS,
    "PoissonNaiveBayes": OF_LIGHT_EVENT_MODELS,
    "BaggedNetworks": [
        {"n": 40_000, "d": 6, "m": 4, "v": 4, "q": 2},
        {"n": 6000, "d": 12, "m": 1, "v": 12, "q": 4},
    ],
    "RandomCutEnsemble": [  # pairs of less than 256 MB
        {"n": 80_000, "d": 8, "m": 6, "v": 6, "q": 2},
        {"n": 12_000, "d": 12, "m": 2, "v": 12, "q": 4},
    ],
    "HybridClassifier": [
        {"n": 12_000, "d": 8, "m": 6, "v": 6, "q": 2},
        {"n": 6000, "d": 12, "m": 2, "v": 12, "q": 4},
        {"n": 900, "d": 8, "m": 6, "v": 6, "q": 2},
    ],
    "HBayesNB": [
        {"n": 80_000, "d": 8, "m": 6, "v": 6, "q": 2},
        {"n": 12_000, "d": 16, "m": 2, "v": 20, "q": 4},
    ],
    "MixtureDiscriminantAnalysis": [
        {"n": 12_000, "d": 2, "m": 6, "v": 4, "q": 2},
        {"n": 3000, "d": 10, "m": 2, "v": 10, "q": 4},
    ],
    "RegularizedDiscriminantAnalysis": [
        {"n": 60_000, "d": 2, "m": 8, "v": 4, "q": 2},
        {"n": 6000, "d": 12, "m": 2, "v": 12, "q": 4},
    ],
    "RegionLogisticRegression": [
        {"n": 20_000, "d": 1000, "q": 2, "per_row": 8},
        {"n": 1000, "d": 20_000, "q": 6, "per_row": 25},
    ],
}


def text_of(model_class):
    """Return the docstring in one line."""
    return " ".join((getdoc(model_class) or "").split())


def cases():
    for model_class in model_classes():
        path = f"{model_class.__module__}.{model_class.__qualname__}"
        found = FIRST.search(text_of(model_class))
        formulas = FORMULAS.findall(text_of(model_class)[found.start() :]) if found else []
        sparse = get_tags(model_class()).input_tags.sparse
        for parameters, fit, kept in formulas:
            for size in SIZES.get(model_class.__name__, COUNTS if sparse else TABLES):
                rows = f"{size['n']}x{size['d']}"
                name = "-".join(filter(None, [model_class.__name__, parameters, rows]))
                yield pytest.param(path, parameters, fit, kept, size, id=name)


@pytest.mark.parametrize("model_class", model_classes(), ids=lambda c: c.__name__)
def test_every_model_states_its_memory(model_class):
    assert FIRST.search(text_of(model_class)), (
        f"{model_class.__name__} does not state its memory. Write under Notes of its docstring: "
        f"{FORM} The module docstring of augury.memory explains the letters of the formulas."
    )


class Measurements:
    """The process that fits models and measures their memory."""

    def __init__(self):
        self.start()

    def start(self):
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(sys.path),
            "MALLOC_MMAP_THRESHOLD_": "65536",
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("measure_fits.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def measure(self, **asked):
        if self.process.poll() is not None:
            self.start()
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            self.end()
            pytest.fail("the measuring process ended; it has printed the error")
        return json.loads(answer)

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def measurements():
    if not os.access("/proc/self/clear_refs", os.W_OK):
        pytest.skip("the peak of the resident memory can be reset on Linux only")
    started = Measurements()
    yield started
    started.end()


def evaluate(formula, letters):
    """Return the value of a formula such as `n (d + 9 m) + 8 q s²`."""
    python = formula.replace("²", "**2").replace("³", "**3")
    python = re.sub(r"(?<=[\w)]) (?=[\w(])", "*", python)
    return eval(python, {"__builtins__": {}, "min": min, "max": max}, dict(letters))


def test_formulas_are_evaluated():
    assert evaluate("n (d + 9 m) + 8 q s²", {"n": 2, "d": 3, "m": 1, "q": 2, "s": 5}) == 424


@pytest.mark.parametrize(("path", "parameters", "fit", "kept", "size"), list(cases()))
def test_measured_memory(measurements, path, parameters, fit, kept, size):
    found = measurements.measure(model=path, parameters=parameters, size=size)
    letters = found["letters"]
    for formula, measured, small in (
        (fit, found["fit"], SMALL_FIT),
        (kept, found["kept"], SMALL_KEPT),
    ):
        stated = evaluate(formula, letters)
        assert measured <= 1.5 * stated + small, f"{formula} is too small: {letters}"
        assert measured >= stated / 3, f"{formula} is too large: {letters}"


@pytest.mark.long
@pytest.mark.parametrize("name", ["HybridClassifier", "RandomizedTrees", "KernelClassifier"])
def test_a_million_rows_take_the_stated_memory(measurements, name):
    (model_class,) = (each for each in model_classes() if each.__name__ == name)
    formula = FORMULAS.search(text_of(model_class)).group(2)
    size = {"n": 1_000_000, "d": 8, "m": 8, "v": 6, "q": 2}
    path = f"{model_class.__module__}.{name}"
    found = measurements.measure(model=path, parameters="", size=size)
    assert found["fit"] <= 1.5 * evaluate(formula, found["letters"]) + SMALL_FIT


def test_blocks_bound_the_memory_of_labels(measurements):
    size = {"n": 300_000, "d": 20, "m": 0, "v": 5, "q": 2}
    path = "augury.generative.naive_bayes.NaiveBayes"
    asked = {"model": path, "parameters": "", "size": size}
    whole = measurements.measure(**asked)["fit"]
    in_blocks = measurements.measure(**asked, cells=(1 << 20, 1 << 18))["fit"]
    assert whole > 20 * size["n"]
    assert in_blocks < 8 * size["n"] + SMALL_FIT
