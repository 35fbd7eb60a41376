"""The printed cells, the rows of the data sets, and the curves of the figures."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score

from augury.data import load_dataset
from augury.evaluate import WekaFolds
from augury.generative import NaiveBayes
from augury.papers import find_paper
from augury.papers.adaboost_nb import (
    RaisedNaiveBayes,
    accuracy_by_round,
    boosted,
    draw_rounds,
    load_view,
    single,
)
from augury.reproduce.figure import FigureInputs
from augury.reproduce.reproduction import reproduce

PAPER = find_paper("adaboost-nb")
IRIS = load_dataset("sklearn:iris")


def test_size() -> None:
    assert PAPER.datasets == ["breast-cancer", "credit-g", "letter"]
    assert PAPER.models == [
        *("NB", "AdaBoost-NB"),
        *("AdaBoost-NB resampled", "AdaBoost-NB raised", "small steps"),
    ]
    assert [figure.dataset for figure in PAPER.figures.values()] == PAPER.datasets


def test_cells_equal_the_transcribed_table(shared_data: Path) -> None:
    file = shared_data / "papers" / "adaboost-table1-accuracy.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(PAPER.cells) == len(rows)
    for row in rows:
        cell = PAPER.cell(row["dataset"], row["classifier"])
        assert cell is not None
        assert float(cell.mean) == pytest.approx(100 * float(row["mean accuracy"]))
        assert float(cell.std) == pytest.approx(100 * float(row["variance"]) ** 0.5, abs=0.005)


def test_breast_cancer_has_no_missing_values(shared_data: Path) -> None:
    view = load_view("breast-cancer", shared_data)
    assert (len(view.X), len(view.y)) == (277, 277)
    assert view.X.notna().all(axis=None)
    assert "10-19" in view.X["age"].cat.categories  # declared, though no row has it
    assert len(load_view("credit-g", shared_data).X) == 1000


def test_columns_are_near_the_printed_ones(shared_data: Path) -> None:
    models, names = ["NB", "AdaBoost-NB"], ["breast-cancer", "credit-g"]
    done = reproduce(PAPER, models=models, datasets=names, data_dir=shared_data)
    # The module of the paper explains the difference on breast-cancer.
    assert [row.agrees for row in done.cells] == [True, True, False, True]
    assert not done.unexplained
    assert done.reference == "NB"


def test_a_column_without_printed_numbers(shared_data: Path) -> None:
    done = reproduce(
        PAPER,
        models=["AdaBoost-NB resampled"],
        datasets=["breast-cancer"],
        data_dir=shared_data,
        repeats=1,
    )
    assert [row.agrees for row in done.cells] == [None]
    assert done.agrees


class TestRaisedValues:
    X = pd.DataFrame({"x": [1.0, 3.0, 5.0, 9.0]})
    y = (0, 0, 1, 1)

    def test_moments_are_those_of_the_products(self) -> None:
        weight = [0.5, 1.5, 1.0, 1.0]
        model = RaisedNaiveBayes(continuous="gaussian").fit(self.X, self.y, sample_weight=weight)
        # Class 0 has 0.5 and 4.5: mean 2.5 and variance 2² + 2² = 8. The weighted mean is 2.5 too,
        # but the weighted variance is 0.5 · 1.5² + 1.5 · 0.5² = 1.5.
        assert model.mean_.tolist() == [[2.5, 7.0]]
        assert model.variance_.tolist() == [[8.0, 8.0]]
        weighted = NaiveBayes(continuous="gaussian").fit(self.X, self.y, sample_weight=weight)
        assert weighted.mean_.tolist() == [[2.5, 7.0]]
        assert weighted.variance_[0, 0] == pytest.approx(1.5)
        assert model.log_prior_.tolist() == weighted.log_prior_.tolist()

    def test_equal_weights_change_nothing(self) -> None:
        for weight in (None, np.ones(4)):
            raised, plain = (
                make(continuous="gaussian").fit(self.X, self.y, sample_weight=weight)
                for make in (RaisedNaiveBayes, NaiveBayes)
            )
            assert (raised.predict_proba(self.X) == plain.predict_proba(self.X)).all()

    def test_the_zero_of_the_scale_matters(self) -> None:
        """A re-weighting does not depend on it."""
        weight = [0.5, 1.5, 1.2, 0.8]
        for make, depends in ((RaisedNaiveBayes, True), (NaiveBayes, False)):
            here, moved = (
                make(continuous="gaussian").fit(X, self.y, sample_weight=weight).predict_proba(X)
                for X in (self.X, self.X + 100)
            )
            assert np.allclose(here, moved) is not depends

    def test_without_numbers_it_is_the_re_weighting(self, shared_data: Path) -> None:
        models = ["AdaBoost-NB", "AdaBoost-NB raised"]
        done = reproduce(
            PAPER, models=models, datasets=["breast-cancer"], data_dir=shared_data, repeats=1
        )
        weighted, raised = done.cells
        assert (weighted.mean, weighted.std) == (raised.mean, raised.std)


class TestCurve:
    def test_the_first_round_is_the_single_model(self) -> None:
        [first, *_] = accuracy_by_round(boosted("reweight", 2), IRIS, 2)
        folds = list(WekaFolds(10, 1).split(IRIS.X, IRIS.y))
        scores = [
            single().fit(IRIS.X.iloc[a], IRIS.y.iloc[a]).score(IRIS.X.iloc[b], IRIS.y.iloc[b])
            for a, b in folds
        ]
        assert first == pytest.approx(100 * np.mean(scores))

    def test_the_last_round_is_the_whole_ensemble(self) -> None:
        curve = accuracy_by_round(boosted("resample", 4), IRIS, 4, n_jobs=1)
        assert curve.shape == (4,)
        scores = []
        for train, test in WekaFolds(10, 1).split(IRIS.X, IRIS.y):
            model = boosted("resample", 4).fit(IRIS.X.iloc[train], IRIS.y.iloc[train])
            scores.append(accuracy_score(IRIS.y.iloc[test], model.predict(IRIS.X.iloc[test])))
        assert curve[-1] == pytest.approx(100 * np.mean(scores))

    def test_drawing(self) -> None:
        svg = draw_rounds(FigureInputs(loaded=IRIS), n_rounds=3)
        assert svg.startswith("<svg")
        for text in (
            "sklearn:iris",
            "re-weighting",
            "re-sampling",
            "small steps",
            "single naive Bayes",
        ):
            assert text in svg
