"""Cross-validated accuracies of WEKA and of the 2022 paper, on all 36 sets, 10 × 10 folds.

Statistics add, so those of the training rows of a fold are those of all rows without those of the
test rows, and all rows are read once. That is much faster than 400 fits on each set.
`test_every_classifier.py` checks that `fit_statistics` gives the model of `fit`, and
`test_fits_are_weka_s` computes a few sets by `cross_validate`.
"""

import csv
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.data import load_dataset
from augury.evaluate import WekaFolds, cross_validate, summarize
from augury.evaluate.folds import number_folds, prepare_table
from augury.generative import (
    AveragedOneDependence,
    CorrelationWeightedNaiveBayes,
    HiddenNaiveBayes,
)
from augury.papers import find_paper
from augury.reproduce.tolerance import EqualAfterRounding

PAPER = find_paper("hybrid-2022")
WEKA = {"HNB (m-estimate)": HiddenNaiveBayes(), "AODE": AveragedOneDependence()}


def without(whole: Any, part: Any) -> Any:
    """Return statistics without those of a part of the rows."""
    if is_dataclass(whole):
        left = {
            each.name: without(getattr(whole, each.name), getattr(part, each.name))
            for each in fields(whole)
        }
        return replace(whole, **left)
    if isinstance(whole, np.ndarray) and whole.dtype.kind == "f":
        return whole - part
    return whole


def accuracies(models, table):
    """Return the accuracy of each fold in percent, by model; the models read and count alike."""
    for model in models.values():
        model.fit(table.X, table.y)
    first = next(iter(models.values()))
    read, whole = first._read(table.X), first.statistics_
    y = table.y.cat.codes.to_numpy()
    found = {name: [] for name in models}
    for fold in number_folds(WekaFolds(10, 10), table):
        rows, classes = read.take(fold.test), y[fold.test]
        training = without(whole, first._collect(rows, classes, None))
        for name, model in models.items():
            right = model._adopt(training)._log_joint(rows).argmax(axis=1) == classes
            found[name].append(100 * right.mean())
    return {name: np.array(values) for name, values in found.items()}


def golden_row(shared_data, name):
    with (shared_data / "golden" / "weka-accuracy.csv").open(newline="") as lines:
        [golden] = [row for row in csv.DictReader(lines) if row["dataset"] == name]
    return golden


@pytest.mark.parametrize("name", PAPER.datasets)
def test_means_and_deviations(name, shared_data):
    table = prepare_table(load_dataset(name, shared_data), "published")
    golden = golden_row(shared_data, name)
    pairs = accuracies({**WEKA, "HNB": PAPER.columns["HNB"].build()}, table)
    for model in WEKA:
        found = pairs[model]
        assert found.mean() == pytest.approx(float(golden[model]), abs=1e-4), model
        assert found.std(ddof=1) == pytest.approx(float(golden[f"{model} std"]), abs=1e-4), model
    printed = accuracies({"NB": PAPER.columns["NB"].build()}, table) | {"HNB": pairs["HNB"]}
    for model, found in printed.items():
        cell = PAPER.cell(name, model)
        agrees = EqualAfterRounding().agrees(found.mean(), found.std(ddof=1), cell.mean, cell.std)
        assert agrees, (model, found.mean(), cell.mean)


# Small sets with numbers, labels, missing values, two classes and more.
@pytest.mark.parametrize("name", ["breast-cancer", "glass", "labor", "lymph"])
def test_fits_are_weka_s(name, shared_data):
    golden = golden_row(shared_data, name)
    rows = cross_validate([load_dataset(name, shared_data)], WEKA, protocol="published")
    for summary in summarize(rows):
        assert summary.accuracy_mean == pytest.approx(float(golden[summary.model]), abs=1e-4)
        std = float(golden[f"{summary.model} std"])
        assert summary.accuracy_std == pytest.approx(std, abs=1e-4)


# The accuracies that Jiang, Zhang, Li and Wu (2019) print for CFW, as copied into the README of a
# public reimplementation of their method; the article itself was not available. That program has
# other accuracies, so the copy is not its own output.
def printed_by_cfw(name):
    with Path(__file__).with_name("cfw-printed-accuracy.csv").open(newline="") as lines:
        [printed] = [row["accuracy"] for row in csv.DictReader(lines) if row["dataset"] == name]
    return float(printed)


@pytest.mark.parametrize("name", PAPER.datasets)
def test_correlation_weights_have_the_printed_accuracy(name, shared_data):
    table = prepare_table(load_dataset(name, shared_data), "published")
    found = accuracies({"CFW": CorrelationWeightedNaiveBayes()}, table)["CFW"]
    assert found.mean() == pytest.approx(printed_by_cfw(name), abs=0.00501)
