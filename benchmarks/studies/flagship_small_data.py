"""The flagship on 30, 100 and 300 rows of a set, beside its opponents.

A sample has at least one row of each class, and otherwise the shares of the classes. Five samples
of a size, drawn by a seed, are the same for all models. The rows that are not in the sample are
predicted, at most 2,000 of them. A size is used for a set if it is at most 4/5 of its rows. The
opponents are those of `flagship_study`, which has the results on all rows.

`python -m benchmarks flagship_small_data [DIR [MODELS]]` keeps every sample in DIR
(small-data-results by default), continues an interrupted run, prints the tables of
docs/results/flagship-small-data.md and draws its curves. MODELS are separated by semicolons. All
models take about an hour on one core.
"""

import itertools
import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student
from sklearn.base import clone

from augury.data import load_dataset
from augury.papers import find_paper
from augury.report import Line, line_chart
from benchmarks.studies.flagship_opponents import MAKERS

OURS = "augury"
MODELS = (
    OURS, "hybrid", "nb", "lr", "SVM, RBF", "random forest", "extra-trees", "lightgbm",
    "xgboost", "hist-boosting", "catboost, one-hot", "EBM, one bag",
)  # fmt: skip
SIZES = (30, 100, 300)
N_SAMPLES = 5
MOST_TESTED = 2_000
SMALLEST = 1e-6
FIGURES = Path(__file__).parents[2] / "docs" / "results" / "figures"


def samples(y: np.ndarray, size: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield the number, the training rows and the test rows of each sample of a size."""
    if 5 * size > 4 * len(y):
        return
    for number in range(N_SAMPLES):
        rng = np.random.default_rng([size, number])
        order = rng.permutation(len(y))
        first = np.array([order[np.argmax(y[order] == c)] for c in np.unique(y)])
        rest = order[~np.isin(order, first)]
        # One row of each class, then the rows that keep the shares of the classes.
        chosen = np.concatenate([first, _in_shares(rest, y, max(0, size - len(first)))])
        others = order[~np.isin(order, chosen)]
        yield number, chosen, others[:MOST_TESTED]


def _in_shares(rows: np.ndarray, y: np.ndarray, n: int) -> np.ndarray:
    """Return n rows in which the classes have about the shares that they have in all rows."""
    place = pd.Series(y[rows]).groupby(y[rows]).cumcount().to_numpy()
    count = np.bincount(y[rows])[y[rows]]
    return rows[np.argsort((place + 0.5) / count, kind="stable")[:n]]


def measure(name: str, X: pd.DataFrame, y: np.ndarray, train: Any, test: Any) -> dict[str, float]:
    """Return accuracy and log loss of a model of the training rows on the test rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = clone(MAKERS[name]()).fit(X.iloc[train], y[train])
        proba = np.zeros((len(test), int(y.max()) + 1))
        proba[:, np.asarray(model.classes_, dtype=np.intp)] = model.predict_proba(X.iloc[test])
    own = proba[np.arange(len(test)), y[test]]
    return {
        "accuracy": float(np.mean(proba.argmax(axis=1) == y[test])),
        "log_loss": float(-np.log(np.maximum(own, SMALLEST)).mean()),
    }


def run(folder: Path, models: Sequence[str]) -> pd.DataFrame:
    """Return the measures of all samples; those that the folder has are not computed again."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "samples.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {(r["set"], r["size"], r["sample"], r["model"]) for r in rows}
    tables = [load_dataset(name) for name in find_paper("hybrid-2022").datasets]
    for model in models:
        for size, data in itertools.product(SIZES, tables):
            y = data.y.cat.remove_unused_categories().cat.codes.to_numpy().astype(np.intp)
            for number, train, test in samples(y, size):
                if (data.name, size, number, model) in done:
                    continue
                row = {"set": data.name, "size": size, "sample": number, "model": model}
                row |= measure(model, data.X, y, train, test)
                rows.append(row)
                with file.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(row) + "\n")
        print(model, file=sys.stderr, flush=True)
    results = pd.DataFrame(rows)
    return results[results["model"].isin(models)]


def mean_table(results: pd.DataFrame) -> Iterator[str]:
    """Yield the lines of the table of means over the sets."""
    counts = results.groupby("size")["set"].nunique()
    yield "| | " + " | ".join(f"{size} rows ({counts[size]} sets)" for size in SIZES) + " |"
    yield "|---" * (len(SIZES) + 1) + "|"
    means = results.groupby(["model", "size"])[["accuracy", "log_loss"]].mean()
    for model in results["model"].unique():
        cells = [means.loc[(model, size)] for size in SIZES]
        texts = [f"{100 * c['accuracy']:.2f} / {c['log_loss']:.3f}" for c in cells]
        yield f"| {model} | " + " | ".join(texts) + " |"


def difference_table(results: pd.DataFrame) -> Iterator[str]:
    """Yield the lines of the table of differences, with 95 % intervals over the sets."""
    yield "| rows | against | accuracy, points | better / worse | log loss | better / worse |"
    yield "|---|---|---|---|---|---|"
    of_sets = results.groupby(["size", "set", "model"])[["accuracy", "log_loss"]].mean()
    for size, other in itertools.product(SIZES, results["model"].unique()):
        if other == OURS:
            continue
        cells = []
        for value, factor, sign in (("accuracy", 100, 1), ("log_loss", 1, -1)):
            table = of_sets.loc[size][value].unstack("model")
            gains = factor * (table[OURS] - table[other]).to_numpy()
            digits = 2 if value == "accuracy" else 3
            cells.append(interval(gains, digits))
            cells.append(f"{(sign * gains > 0).sum()} / {(sign * gains < 0).sum()}")
        yield f"| {size} | {other} | " + " | ".join(cells) + " |"


def interval(values: np.ndarray, digits: int) -> str:
    """Return mean and half width of the 95 % interval of Student's t over the sets."""
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():+.{digits}f} ± {half:.{digits}f}"


def draw(results: pd.DataFrame, measure: str) -> str:
    """Draw the means over the sets that have all sizes."""
    n_sizes = results.groupby("set")["size"].nunique()
    own = results[results["set"].isin(n_sizes.index[n_sizes == len(SIZES)])]
    means = own.groupby(["model", "size"])[measure].mean().unstack()
    factor = 100.0 if measure == "accuracy" else 1.0
    lines = [
        Line(str(model), np.array(SIZES, dtype=float), factor * means.loc[model].to_numpy())
        for model in results["model"].unique()
    ]
    what = "accuracy, percent" if measure == "accuracy" else "log loss"
    return line_chart(
        lines,
        title=f"{what} by training rows, means over {own['set'].nunique()} sets",
        x_label="training rows",
        y_label=what,
        log_x=True,
    )


def main() -> None:
    arguments = [a for a in sys.argv[1:] if a != "flagship_small_data"]
    folder = Path(arguments[0] if arguments else "small-data-results")
    results = run(folder, arguments[1].split(";") if len(arguments) > 1 else MODELS)
    print("\n".join(mean_table(results)), end="\n\n")
    print("\n".join(difference_table(results)))
    for measure in ("accuracy", "log_loss"):
        path = FIGURES / f"flagship-small-data-{measure.replace('_', '-')}.svg"
        path.write_text(draw(results, measure) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
