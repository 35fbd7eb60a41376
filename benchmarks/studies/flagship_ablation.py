"""What each part of the flagship contributes.

Honest protocol, one run of WEKA's ten folds on the sets that the flagship was developed on, and
five folds of the 49 tables of `flagship_new_tables`. The parts are fitted once for each fold. Their
held-out predictions give the weights of every variant: without a part, with equal weights, without
the prior of the weights, with weights that sum to 1, which do not calibrate, and with a model that
is no part of a table of few rows. Columns that are read once, and fewer trees of few rows, need a
fit of their own. A variant that is the flagship itself for the size of a set is left out.

`python -m benchmarks flagship_ablation [DIR]` keeps every set in DIR (ablation-results by default),
continues an interrupted run, and prints the tables of docs/results/flagship-ablation.md:
differences to the flagship, with 95 % intervals of Student's t over the sets. The 18 sets take
about ten minutes on one core, the new tables about 25.
"""

import json
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from augury.counts import log_normalize
from augury.data import load_dataset
from augury.discriminative import LogisticRegression
from augury.ensemble import HybridClassifier, TreeBoosting
from augury.ensemble.pool import parts
from augury.ensemble.pool.column_readings import ColumnReadings
from augury.ensemble.pool.log_linear_pool import learn_weights, pool
from augury.evaluate import WekaFolds
from augury.generative import HiddenNaiveBayes
from augury.hybrid import AugmentedClassifier
from benchmarks.studies.flagship_new_tables import load_tables, splits_of
from benchmarks.studies.flagship_small_data import SMALLEST, interval
from benchmarks.studies.flagship_study import DEVELOPMENT

Splits = Iterable[tuple[np.ndarray, np.ndarray]]

WHOLE = "flagship"
PRIOR = 20.0


class RecordedHybrid(HybridClassifier):
    """The flagship that keeps the held-out log probabilities of its parts and of candidates."""

    def _fit_parts(self, parts, fit):
        held_out = super()._fit_parts(parts | candidates(parts), fit)
        self.n_own = sum(name in parts for name in self.parts_)
        return held_out

    def _learn_weights(self, held_out, codes, weight):
        super()._learn_weights(held_out[: self.n_own], codes, weight)
        self.weights_ = np.append(self.weights_, np.zeros(len(held_out) - self.n_own))
        known = np.logical_and.reduce([np.isfinite(logs[:, 0]) for logs in held_out])
        self.held_out, self.codes = [logs[known] for logs in held_out], codes[known]

    def test_logs(self, X) -> list[np.ndarray]:
        """Return the bounded log probabilities of rows by each part."""
        X = self._readings.apply(X)
        return [_bounded(part.predict_proba(X)) for part in self.parts_.values()]


class PlainHybrid(HybridClassifier):
    """The flagship that reads each column once, by its type."""

    def _learn_readings(self, X, *arguments):
        return ColumnReadings.of(np.arange(X.shape[1]), np.empty(0, dtype=np.intp))


def candidates(parts: dict[str, Any]) -> dict[str, Any]:
    """Return models that are no parts of tables of few rows."""
    if "random cuts" not in parts:
        return {}
    return {
        "hybrid": AugmentedClassifier(HiddenNaiveBayes()),
        "lr": LogisticRegression(),
        "boosting": TreeBoosting(max_rounds=100),
    }


def _bounded(proba: np.ndarray) -> np.ndarray:
    return log_normalize(np.log(np.maximum(proba, 1e-4)))


def variants(model: RecordedHybrid, X: Any) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name of each variant, and its log probabilities of test rows."""
    logs, names = model.test_logs(X), list(model.parts_)

    def pooled(some: list[int], weights: np.ndarray) -> np.ndarray:
        return log_normalize(pool([logs[m] for m in some], weights))

    def learned(some: list[int], prior: float) -> np.ndarray:
        return learn_weights([model.held_out[m] for m in some], model.codes, None, prior=prior)

    everything = list(range(model.n_own))
    yield WHOLE, pooled(everything, model.weights_[: model.n_own])
    for m in range(model.n_own, len(names)):
        yield f"with {names[m]}", pooled([*everything, m], learned([*everything, m], PRIOR))
    for m in everything:
        name = names[m]
        others = [k for k in everything if k != m]
        if others:
            yield f"without {name}", pooled(others, learned(others, PRIOR))
        yield f"{name} alone", logs[m]
        yield f"{name} alone, calibrated", pooled([m], learned([m], PRIOR))
    yield "equal weights", pooled(everything, np.full(model.n_own, 1 / model.n_own))
    yield "weights without prior", pooled(everything, learned(everything, 1e-6))
    yield "prior of 5 rows", pooled(everything, learned(everything, 5.0))
    total = max(float(model.weights_.sum()), 1e-6)
    yield "weights that sum to 1", pooled(everything, model.weights_[: model.n_own] / total)


def with_fewer_trees() -> Any:
    """Let a balanced fit of few rows grow as many trees as one of more rows."""
    balanced = parts.EFFORTS["balanced"]
    fewer = replace(balanced, n_trees_of_few=balanced.n_trees)
    return patch.object(parts, "EFFORTS", {**parts.EFFORTS, "balanced": fewer})


def refits(model: RecordedHybrid, X: pd.DataFrame, y: np.ndarray) -> Iterator[tuple[str, Any]]:
    """Yield the name of each variant that needs a fit of its own, and the fitted model."""
    yield (
        "each column read once",
        PlainHybrid().fit(X, y) if model._readings.changes(X.shape[1]) else model,
    )
    if "random cuts" in model.parts_:  # few rows
        with with_fewer_trees():
            yield "100 trees", HybridClassifier().fit(X, y)


def run_table(X: pd.DataFrame, y: np.ndarray, splits: Splits) -> dict[str, tuple[float, float]]:
    """Return accuracy and log loss of each variant, means over the folds; classes are 0, 1, …."""
    found: dict[str, list[tuple[float, float]]] = {}
    for train, test in splits:
        own, rows = X.iloc[test], np.arange(len(test))
        model = RecordedHybrid().fit(X.iloc[train], y[train])
        classes = np.asarray(model.classes_, dtype=np.intp)
        results = list(variants(model, own))  # each fold of a set has the same parts
        for variant, other in refits(model, X.iloc[train], y[train]):
            results.append((variant, other.predict_log_proba(own)))
        for variant, log_p in results:
            proba = np.zeros((len(test), int(y.max()) + 1))
            proba[:, classes] = np.exp(log_p)
            hit = float(np.mean(proba.argmax(axis=1) == y[test]))
            loss = float(-np.log(np.maximum(proba[rows, y[test]], SMALLEST)).mean())
            found.setdefault(variant, []).append((hit, loss))
    return {variant: tuple(np.mean(values, axis=0)) for variant, values in found.items()}


def run_set(name: str) -> dict[str, tuple[float, float]]:
    """Return the variants on a UCI set."""
    data = load_dataset(name)
    y = data.y.cat.codes.to_numpy().astype(np.intp)
    return run_table(data.X, y, WekaFolds(10, 1).split(data.X, data.y))


def lines(results: dict[str, dict[str, tuple[float, float]]]) -> Iterator[str]:
    """Yield the lines of the table; a part that a set has not is missing from its variants."""
    yield "| | sets | accuracy | difference, points | log loss | difference |"
    yield "|---|---|---|---|---|---|"
    for variant in dict.fromkeys(name for found in results.values() for name in found):
        sets = [found for found in results.values() if variant in found]
        own = np.array([found[variant] for found in sets])
        change = own - np.array([found[WHOLE] for found in sets])
        cells = [str(len(sets)), f"{100 * own[:, 0].mean():.2f}", interval(100 * change[:, 0], 2)]
        cells += [f"{own[:, 1].mean():.4f}", interval(change[:, 1], 4)]
        yield f"| {variant} | " + " | ".join(cells) + " |"


def main() -> None:
    arguments = [a for a in sys.argv[1:] if a != "flagship_ablation"]
    folder = Path(arguments[0] if arguments else "ablation-results")
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    new_tables = {
        name: partial(run_table, X, y, splits_of(X, y)) for name, (X, y) in load_tables().items()
    }
    jobs: dict[str, dict[str, Callable[[], Any]]] = {
        "Development sets": {name: partial(run_set, name) for name in DEVELOPMENT},
        "New tables": new_tables,
    }
    results: dict[str, dict[str, Any]] = {title: {} for title in jobs}
    for title, runs in jobs.items():
        for name, run in runs.items():
            file = folder / f"{title} {name}.json"
            if not file.exists():
                file.write_text(json.dumps(run()), encoding="utf-8")
                print(name, file=sys.stderr, flush=True)
            results[title][name] = json.loads(file.read_text(encoding="utf-8"))
    results["Both"] = {name: found for each in results.values() for name, found in each.items()}
    for title, found in results.items():
        print(f"## {title}\n\n" + "\n".join(lines(found)), end="\n\n")


if __name__ == "__main__":
    main()
