"""A browser, and summaries of stores with random results."""

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from augury.data import load_dataset
from augury.discriminative import LinearSVM
from augury.evaluate import FoldResult, GrowingSamples
from augury.evaluate.folds import FoldOutcome
from augury.experiments import Job, run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import Failure
from augury.experiments.training_sizes import fit_sizes
from augury.explain import ColumnInfluence, ModelSummary
from augury.generative import LinearDiscriminantAnalysis, NaiveBayes
from augury.report import render_page, render_table_page
from augury.summary import Summary, summarize_store
from augury.summary.contents import LearningCurve, LearningCurves

Rename = Callable[[str], str]
Folds = dict[tuple[int, int], np.ndarray]  # run and fold to test rows
MODELS = {
    "nb": ("generative", "NaiveBayes"),
    "hnb": ("generative", "HiddenNaiveBayes"),
    "lr": ("discriminative", "LogisticRegression"),
    "nb-lr": ("hybrid", "AugmentedClassifier"),
    "tan": ("generative", "TreeAugmentedNaiveBayes"),
    "aode": ("generative", "AveragedOneDependence"),
    "kdb": ("generative", "KDependenceBayes"),
    "bn-acll": ("generative", "BayesianNetworkClassifier"),
    "j48": ("discriminative", "C45Tree"),
    "knn": ("discriminative", "KNearestNeighbors"),
    "svm": ("discriminative", "LinearSVM"),
    "hnb-lr": ("hybrid", "AugmentedClassifier"),
    "boosted-nb": ("ensemble", "BoostedNaiveBayes"),
}
DATASETS = (
    "anneal audiology autos balance-scale breast-cancer breast-w colic credit-a credit-g diabetes "
    "glass heart-c heart-h heart-statlog hepatitis hypothyroid ionosphere iris kr-vs-kp labor "
    "letter lymph mushroom primary-tumor segment sick sonar soybean splice vehicle vote vowel "
    "waveform-5000 zoo anneal.ORIG colic.ORIG"
).split()
CLASSES = {"letter": 26, "audiology": 24, "primary-tumor": 22, "soybean": 19, "vowel": 11}
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 120" width="240" height="120" '
    'font-family="sans-serif" font-size="13">{}</svg>'
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


# The scope is a module, because no other test of this process can use asyncio while playwright
# runs.
@pytest.fixture(scope="module")
def browser():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail(
            "the page is tested in Chromium, which is not installed: run "
            "`apt-get install chromium` as root (`make test` does that)"
        )
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def open_html(browser, tmp_path):
    """Return a function that opens a page. Messages and requests of the page are errors."""
    contexts, complaints = [], []

    def open_it(html, *, width=1280, height=900, **settings):
        file = tmp_path / "report.html"
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("file:", "data:", "blob:"))
                else complaints.append(request.url)
            ),
        )
        page.goto(file.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def open_summary(open_html):
    """Return a function that opens the page of a summary."""
    return lambda summary, **settings: open_html(render_page(summary), **settings)


@pytest.fixture
def open_table(open_html):
    """Return a function that opens the page of one table."""
    return lambda summary, **settings: open_html(render_table_page(summary), **settings)


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the script of axe-core, which finds what is not accessible in a page."""
    found = sorted(Path(sys.prefix, "npm").glob("axe-core-*.min.js"))
    if not found:
        pytest.fail(
            "axe-core is not installed: run `make test`, which installs it by npm in "
            f"{Path(sys.prefix, 'npm')}"
        )
    return found[-1].read_text("utf-8")


@pytest.fixture(scope="session")
def make_summary() -> Callable[..., Summary]:
    return build_summary


@pytest.fixture(scope="session")
def curves_summary() -> Summary:
    """Return the summary of a store that has learning curves only."""
    sizes = [10, 30, 100, 1.0]
    models = {
        "nb": NaiveBayes(),
        "lda": LinearDiscriminantAnalysis(),
        "svm": LinearSVM(),
        "bad": NaiveBayes(alpha=-1.0),
    }
    with ResultStore(None) as store:
        meta = {"train_sizes": [*sizes, 500], "test_share": 0.3, "reference": "nb"}
        store.set_meta("experiment", {"protocol": "honest", "seed": 0, **meta})
        for name in ("sklearn:iris", "sklearn:wine"):
            dataset = load_dataset(name)
            rows = fit_sizes(sizes, len(dataset.X), 0.3).rows
            run_jobs([Job(dataset, models, GrowingSamples(rows, 3), "honest")], store)
        return summarize_store(store)


@pytest.fixture(scope="session")
def change_summary() -> Callable[..., Summary]:
    """Return a function that replaces keys of the JSON of a summary."""
    return lambda summary, **keys: Summary.from_json(summary.to_json() | keys)


@cache
def build_summary(
    n_datasets: int = 6, n_models: int = 4, rename: Rename = str, seed: int = 0
) -> Summary:
    """Return a summary with all parts; `rename` changes every name that a user may choose."""
    random = np.random.default_rng(seed)
    models = [rename(name) for name in list(MODELS)[:n_models]]
    datasets = [rename(name) for name in DATASETS[:n_datasets]]
    with ResultStore(None) as store:
        store.set_meta("title", rename(f"{n_models} models on {n_datasets} data sets"))
        settings = {"protocol": "published", "seed": 0, "reference": models[0]}
        store.set_meta("experiment", settings)
        for name, (family, kind) in zip(models, MODELS.values(), strict=False):
            parameters = {"alpha": 1.0, "missing": rename("state")}
            store.add_model(name, {"class": f"augury.{family}.{kind}", **parameters})
        seconds = 0.001 * 2.0 ** random.uniform(0, 10, n_models)
        for name, original in zip(datasets, DATASETS, strict=False):
            labels = add_dataset(store, name, original, rename)
            base = random.uniform(0.66, 0.9)
            folds = split_rows(len(labels), random)
            for m, model in enumerate(models):
                gain = 0.07 * m / max(n_models - 1, 1)
                for outcome in fold_outcomes(labels, folds, base + gain, seconds[m], random):
                    outcome.add_to(store, name, model, rename)
            store.add_model_summary(name, models[-1], model_summary(name, models[-1], rename))
        add_failure(store, datasets[0], models[-1], rename)
        summary = summarize_store(store)
    curves = tuple(learning_curves(name, models[:4]) for name in datasets[:2])
    return replace(summary, created="2026-11-16T04:30:00+00:00", learning_curves=curves)


def add_dataset(store: ResultStore, name: str, original: str, rename: Rename) -> np.ndarray:
    """Add a data set with seven rows of each class; return the codes of the classes."""
    n_classes = CLASSES.get(original, 3)
    labels = np.arange(7 * n_classes) % n_classes
    details = {
        "n_rows": len(labels),
        "n_columns": 17,
        "n_numeric": 6,
        "n_missing": 22,
        "source": rename(f"{original}.arff"),
        "dropped": [rename("id")],
        "target": rename("class"),
        "classes": [rename(f"class {c}") for c in range(n_classes)],
    }
    splitter = {"class": "augury.evaluate.WekaFolds", "n_splits": 10}
    store.add_dataset(name, "5f1d7a84db00d2fce00b31a7fc73224f", splitter, details, labels)
    return labels


@dataclass(frozen=True)
class RandomFold:
    """A fold with random predictions."""

    key: tuple[int, int]
    rows: np.ndarray
    predicted: np.ndarray
    confidence: np.ndarray
    accuracy: float
    seconds: float

    def add_to(self, store: ResultStore, dataset: str, model: str, rename: Rename) -> None:
        store.claim(dataset, model, "published", [self.key])
        n_test, loss = len(self.rows), 1.1 - self.accuracy
        sizes = (n_test, n_test)
        times = (self.seconds, self.seconds / 7)
        result = FoldResult(
            dataset, model, "published", *self.key, *sizes, self.accuracy, loss, loss / 2, *times
        )
        outcome = FoldOutcome(result, self.predicted, self.confidence)
        store.add_outcome(outcome, self.rows, rename("It stopped early."))


def split_rows(n_rows: int, random: np.random.Generator) -> Folds:
    """Return the test rows of two runs of two folds."""
    folds = {}
    for run in (1, 2):
        parts = np.array_split(random.permutation(n_rows), 2)
        folds |= {(run, fold): rows for fold, rows in enumerate(parts, start=1)}
    return folds


def fold_outcomes(
    labels: np.ndarray,
    folds: Folds,
    accuracy: float,
    seconds: float,
    random: np.random.Generator,
) -> Iterator[RandomFold]:
    """Yield the folds of a model. The measures have less noise than the predictions."""
    for key, rows in folds.items():
        other = random.integers(0, labels.max() + 1, len(rows))
        predicted = np.where(random.random(len(rows)) < accuracy, labels[rows], other)
        confidence = random.uniform(0.4, 1.0, len(rows))
        noisy = accuracy + random.normal(0, 0.004)
        yield RandomFold(key, rows, predicted, confidence, noisy, seconds)


def add_failure(store: ResultStore, dataset: str, model: str, rename: Rename) -> None:
    store.claim(dataset, model, "published", [(3, 7)])
    error = rename("Traceback (most recent call last):\n  …") + "\nValueError: no rows"
    store.add_failure(Failure(dataset, model, "published", 3, 7, error))


def model_summary(dataset: str, model: str, rename: Rename) -> ModelSummary:
    label = dataset.replace("&", "&amp;").replace("<", "&lt;")
    drawing = DRAWING.format(
        '<rect x="70" y="10" width="100" height="30" fill="#fdf3d8" stroke="#888"/>'
        f'<text x="120" y="30" text-anchor="middle">{label}</text>'
    )
    return ModelSummary(
        model=model,
        svg=drawing,
        text=rename("feature 1 | class"),
        influence=tuple(
            ColumnInfluence(rename(f"feature {i}"), 1.4 / (i + 1), detail=rename("bits"))
            for i in range(17)
        ),
        influence_unit=rename("mutual information with the class, bits"),
        n_features=20,
        notes=(rename("3 of 20 columns were not moved."),),
    )


def learning_curves(dataset: str, models: Sequence[str]) -> LearningCurves:
    """Return curves of a data set that has folds too, which no single store has."""
    sizes = (50, 100, 200, 400, 800, 1600)
    deviations = (2.0, 1.6, 1.2, 0.9, 0.6, 0.4)
    return LearningCurves(
        dataset=dataset,
        measure="accuracy",
        sizes=sizes,
        curves=tuple(
            LearningCurve(model, tuple(90 - 60 / (n / 10 + i) ** 0.5 for n in sizes), deviations)
            for i, model in enumerate(models)
        ),
    )
