"""The flagship against forests, boosted trees and single models on 36 UCI sets.

Honest protocol: everything is learned from the training fold. Three runs of WEKA's ten folds, one
thread for each model. Half of the sets were used to develop the flagship (`DEVELOPMENT`, chosen by
a seed); the others confirm.

`python -m benchmarks flagship_study [DIR]` keeps every fold in DIR (docs/results/flagship-folds by
default), continues an interrupted run, and prints the tables of docs/results/flagship.md; `--help`
lists options that choose models, sets, runs and folds. The opponents need lightgbm, xgboost,
catboost and interpret. AutoGluon needs `--models autogluon --autogluon PYTHON`, an interpreter that
has `autogluon.tabular`.
"""

import argparse
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import roc_auc_score

from augury.data import load_dataset
from augury.evaluate import WekaFolds, accuracy, brier_score, log_loss
from augury.evaluate.folds import number_folds, prepare_table
from augury.evaluate.reliability import ReliabilityBins
from augury.papers import find_paper
from benchmarks.studies.flagship_autogluon import AutoGluon
from benchmarks.studies.flagship_folds import (
    N_BINS,
    Row,
    append_fold,
    current_commit,
    file_of,
    read_folds,
)
from benchmarks.studies.flagship_opponents import MAKERS, OURS, TUNED
from benchmarks.studies.flagship_tables import print_tables

# numpy.random.default_rng(2026) chose these 18 of the 36 sets before the first trial.
DEVELOPMENT = (
    "anneal anneal.ORIG autos breast-w colic.ORIG credit-a diabetes heart-h hepatitis hypothyroid "
    "labor lymph mushroom sick sonar splice vote zoo"
).split()
# Tuned boosters fit 13 times for each fold: sets of at most so many values, and one run.
TUNED_VALUES = 6_000
N_SMALLEST = 10
AUTOGLUON_SECONDS = 20
# Seconds of fits of an opponent on a set after which no further fold begins: CatBoost takes four
# minutes for one fit of audiology, EBM ten seconds for one of hepatitis.
PATIENCE = 360.0

# The folds that were computed so far.
FOLDS = Path("docs/results/flagship-folds")


def main() -> None:
    options = parse(sys.argv[2:] if sys.argv[1:2] == ["flagship_study"] else sys.argv[1:])
    options.folder.mkdir(parents=True, exist_ok=True)
    if not options.tables:
        run_models(options)
    files = sorted(options.folder.glob("*.csv"))
    print_tables([row for file in files for row in read_folds(file)], DEVELOPMENT)


def run_models(options: argparse.Namespace) -> None:
    """Run the folds of all models that the folder lacks."""
    sets = [load_dataset(name) for name in options.sets]
    sets.sort(key=lambda each: each.X.size * each.y.nunique())  # errors appear early
    smallest = [each.name for each in sets[:N_SMALLEST]]
    for name in options.models:
        for dataset in sets:
            if name in TUNED and dataset.X.size > TUNED_VALUES:
                continue
            if name == "autogluon" and dataset.name not in smallest:
                continue
            run_set(name, dataset, options)


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks flagship_study")
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDS)
    parser.add_argument(
        "--models",
        type=lambda text: parse_models(parser, text),
        default=tuple(MAKERS),
        help="separated by semicolons",
    )
    parser.add_argument(
        "--sets",
        type=lambda text: tuple(text.split(",")),
        default=tuple(find_paper("hybrid-2022").datasets),
        help="separated by commas",
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folds", type=int, default=1_000, help="of each set at most")
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        metavar="SECONDS",
        help="of fits of an opponent on a set, after which no further fold begins",
    )
    parser.add_argument("--autogluon", metavar="PYTHON")
    parser.add_argument("--tables", action="store_true", help="print the tables only")
    return parser.parse_args(arguments)


def parse_models(parser: argparse.ArgumentParser, text: str) -> tuple[str, ...]:
    names = tuple(text.split(";"))
    known = (*MAKERS, "autogluon")
    for name in names:
        if name not in known:
            parser.error(f"--models: {name!r} is none of: {'; '.join(known)}")
    return names


def run_set(name: str, dataset: Any, options: argparse.Namespace) -> None:
    """Run the folds of a model on a data set that the folder lacks."""
    file = file_of(options.folder, name)
    done = {
        (row["dataset"], row["run"], row["fold"]): row
        for row in read_folds(file)
        if row["dataset"] == dataset.name
    }
    commit = current_commit()
    n_runs = 1 if name in TUNED or name == "autogluon" else options.runs
    table = prepare_table(dataset, "honest")
    spent = sum(row["fit_seconds"] for row in done.values())
    for number, fold in enumerate(number_folds(WekaFolds(10, n_runs), table)):
        key = (dataset.name, fold.run, fold.fold)
        if key in done:
            continue
        if number >= options.folds or (name not in OURS and spent >= options.patience):
            break
        if name == "autogluon":
            model: Any = AutoGluon(options.autogluon, AUTOGLUON_SECONDS)
        else:
            model = clone(MAKERS[name]())
        row = run_fold(model, table, fold)
        spent += row["fit_seconds"]
        row |= {"dataset": dataset.name, "run": fold.run, "fold": fold.fold, "commit": commit}
        append_fold(file, row)
    print(name, dataset.name, flush=True)


def run_fold(model: Any, table: Any, fold: Any) -> Row:
    """Return the measures of one fold, and processor seconds."""
    n_classes = len(table.classes)
    X, y = table.X, np.asarray(table.y.cat.codes)
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the opponents: convergence, deprecations
        model.fit(X.iloc[fold.train], y[fold.train])
        fitted = time.process_time()
        found = model.predict_proba(X.iloc[fold.test])
    predicted = time.process_time()
    proba = np.zeros((len(fold.test), n_classes))
    proba[:, np.asarray(model.classes_, dtype=int)] = found
    proba /= proba.sum(axis=1, keepdims=True)  # CatBoost and LightGBM sum to 1 within 1e-6 only
    true = y[fold.test]
    return {
        "n_train": len(fold.train),
        "n_test": len(fold.test),
        "accuracy": accuracy(true, proba.argmax(axis=1)),
        "log_loss": log_loss(true, proba),
        "brier": brier_score(true, proba),
        "auc": mean_auc(true, proba),
        "bins": ReliabilityBins.collect(
            proba.max(axis=1), proba.argmax(axis=1) == true, n_bins=N_BINS
        ),
        "fit_seconds": getattr(model, "fit_seconds_", fitted - started),
        "predict_seconds": getattr(model, "predict_seconds_", predicted - fitted),
    }


def mean_auc(true: np.ndarray, proba: np.ndarray) -> float | None:
    """Return the mean area under the ROC curve of each class against the others.

    Classes without test rows have none; None if no class has one.
    """
    present = [k for k in range(proba.shape[1]) if 0 < (true == k).sum() < len(true)]
    if not present:
        return None
    return float(np.mean([roc_auc_score(true == k, proba[:, k]) for k in present]))


if __name__ == "__main__":
    main()
