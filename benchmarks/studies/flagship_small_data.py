"""The flagship on 30, 100, 300 and all rows of a set, beside naive Bayes, regression and trees.

A sample has at least one row of each class, and otherwise the shares of the classes. Five samples
of a size, drawn by a seed, are the same for all models. The rows that are not in the sample are
predicted, at most 2,000 of them. All rows are five folds. The sizes below 4/5 of a set's rows are
used. The sets are those that the flagship was developed on, unless others are named.

`python -m benchmarks flagship_small_data [DIR [SETS]]` keeps every sample in DIR
(small-data-results by default), continues an interrupted run, and prints the tables of
docs/results/flagship-small-data.md. SETS are names separated by commas, or "all" for the 36 sets.
It needs lightgbm. The 18 sets take about 15 minutes on one core.
"""

import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student
from sklearn.model_selection import StratifiedKFold

from augury.data import load_dataset
from augury.models import build_model
from augury.papers import find_paper
from benchmarks.studies.flagship_study import DEVELOPMENT

MODELS = ("augury", "hybrid", "nb", "lr", "forest", "lightgbm")
TITLES = {"nb": "naive Bayes", "lr": "LR", "forest": "random forest", "lightgbm": "LightGBM"}
ALL = "all"
SIZES = ("30", "100", "300", ALL)
N_SAMPLES = 5
MOST_TESTED = 2_000
SMALLEST = 1e-6
# What the flagship must reach: a size, and the model that it must not be below.
CLAIMS = (("30", "nb"), ("100", "nb"), ("300", "nb"), ("30", "lr"), ("100", "lr"), (ALL, "lr"))


def samples(y: np.ndarray, size: str) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield the number, the training rows and the test rows of each sample of a size."""
    if size != ALL:
        if 5 * int(size) > 4 * len(y):
            return
        for number in range(N_SAMPLES):
            rng = np.random.default_rng([int(size), number])
            order = rng.permutation(len(y))
            first = np.array([order[np.argmax(y[order] == c)] for c in np.unique(y)])
            rest = order[~np.isin(order, first)]
            # One row of each class, then the rows that keep the shares of the classes.
            chosen = np.concatenate([first, _in_shares(rest, y, max(0, int(size) - len(first)))])
            others = order[~np.isin(order, chosen)]
            yield number, chosen, others[:MOST_TESTED]
        return
    folds = StratifiedKFold(N_SAMPLES, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class has fewer rows than folds
        splits = list(folds.split(y, y))
    for number, (train, test) in enumerate(splits):
        yield number, train, test[np.isin(y[test], y[train])]


def _in_shares(rows: np.ndarray, y: np.ndarray, n: int) -> np.ndarray:
    """Return n rows in which the classes have about the shares that they have in all rows."""
    place = pd.Series(y[rows]).groupby(y[rows]).cumcount().to_numpy()
    count = np.bincount(y[rows])[y[rows]]
    return rows[np.argsort((place + 0.5) / count, kind="stable")[:n]]


def measure(name: str, X: pd.DataFrame, y: np.ndarray, train: Any, test: Any) -> dict[str, float]:
    """Return accuracy and log loss of a model of the training rows on the test rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = build_model(name, seed=0).fit(X.iloc[train], y[train])
        proba = np.zeros((len(test), int(y.max()) + 1))
        proba[:, np.asarray(model.classes_, dtype=np.intp)] = model.predict_proba(X.iloc[test])
    own = proba[np.arange(len(test)), y[test]]
    return {
        "accuracy": float(np.mean(proba.argmax(axis=1) == y[test])),
        "log_loss": float(-np.log(np.maximum(own, SMALLEST)).mean()),
    }


def run(folder: Path, sets: list[str]) -> pd.DataFrame:
    """Return the measures of all samples; those that the folder has are not computed again."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "samples.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {(r["set"], r["size"], r["sample"], r["model"]) for r in rows}
    for size in SIZES:
        for name in sets:
            data = load_dataset(name)
            y = data.y.cat.remove_unused_categories().cat.codes.to_numpy().astype(np.intp)
            for number, train, test in samples(y, size):
                for model in MODELS:
                    if (name, size, number, model) in done:
                        continue
                    row = {"set": name, "size": size, "sample": number, "model": model}
                    row |= measure(model, data.X, y, train, test)
                    rows.append(row)
                    with file.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(row) + "\n")
            print(size, name, file=sys.stderr, flush=True)
    results = pd.DataFrame(rows)
    return results[results["set"].isin(sets)]


def mean_table(results: pd.DataFrame) -> Iterator[str]:
    """Yield the lines of the table of means over the sets."""
    sizes = [size for size in SIZES if size in set(results["size"])]
    counts = results.groupby("size")["set"].nunique()
    yield "| | " + " | ".join(f"{size} rows ({counts[size]} sets)" for size in sizes) + " |"
    yield "|---" * (len(sizes) + 1) + "|"
    means = results.groupby(["model", "size"])[["accuracy", "log_loss"]].mean()
    for model in MODELS:
        cells = [means.loc[(model, size)] for size in sizes]
        texts = [f"{100 * c['accuracy']:.2f} / {c['log_loss']:.3f}" for c in cells]
        yield f"| {TITLES.get(model, model)} | " + " | ".join(texts) + " |"


def claim_table(results: pd.DataFrame) -> Iterator[str]:
    """Yield the lines of the table of differences, with 95 % intervals over the sets."""
    yield "| rows | against | accuracy, points | better / worse | log loss | better / worse |"
    yield "|---|---|---|---|---|---|"
    of_sets = results.groupby(["size", "set", "model"])[["accuracy", "log_loss"]].mean()
    for size, other in CLAIMS:
        if size not in of_sets.index.get_level_values("size"):
            continue
        cells = []
        for value, factor, sign in (("accuracy", 100, 1), ("log_loss", 1, -1)):
            table = of_sets.loc[size][value].unstack("model")
            gains = factor * (table["augury"] - table[other]).to_numpy()
            digits = 2 if value == "accuracy" else 3
            cells.append(interval(gains, digits))
            cells.append(f"{(sign * gains > 0).sum()} / {(sign * gains < 0).sum()}")
        yield f"| {size} | {TITLES.get(other, other)} | " + " | ".join(cells) + " |"


def interval(values: np.ndarray, digits: int) -> str:
    """Return mean and half width of the 95 % interval of Student's t over the sets."""
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():+.{digits}f} ± {half:.{digits}f}"


def main() -> None:
    arguments = [a for a in sys.argv[1:] if a != "flagship_small_data"]
    folder = Path(arguments[0] if arguments else "small-data-results")
    wanted = arguments[1] if len(arguments) > 1 else ",".join(DEVELOPMENT)
    sets = list(find_paper("hybrid-2022").datasets) if wanted == "all" else wanted.split(",")
    results = run(folder, sets)
    print("\n".join(mean_table(results)))
    print()
    print("\n".join(claim_table(results)))


if __name__ == "__main__":
    main()
