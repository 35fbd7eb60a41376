"""Models that need all rows in memory are refused before any row is read."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from augury import AugmentedClassifier, HiddenNaiveBayes, LogisticRegression, NaiveBayes
from augury.encode import TidyColumns
from augury.generative import BayesianNetworkClassifier, RegularizedDiscriminantAnalysis
from augury.models.catalogue import model_classes
from augury.scale import fit
from tests.scale.same_model import EVENT_MODELS, MIXED_MODELS


class RowsAreReadError(Exception):
    """The source was opened."""


def unread() -> Iterator[pd.DataFrame]:
    raise RowsAreReadError


def is_refused(model: Any) -> str:
    """Return the message of the error that refuses a model; empty if its rows are read."""
    try:
        fit(model, unread, "class")
    except RowsAreReadError:
        return ""
    except (TypeError, ValueError) as error:
        return str(error)
    raise AssertionError("a function that raises an error was read")


def test_each_registered_model_is_streamed_or_refused_with_the_reason() -> None:
    refusals = {kind.__name__: is_refused(kind()) for kind in model_classes()}
    streamed = {name for name, refusal in refusals.items() if not refusal}
    # The equality of these with models in memory is tested in test_fit.py.
    tested = {type(model).__name__ for model in (MIXED_MODELS | EVENT_MODELS).values()}
    third_party = {"WeightedAODE"} & set(refusals)
    assert streamed == (tested - {"RegularizedDiscriminantAnalysis"}) | third_party
    for name in refusals.keys() - streamed:
        assert "memory" in refusals[name] or "stream" in refusals[name], refusals[name]
        assert name in refusals[name]


class OwnFit(NaiveBayes):
    """A model that changes how it is fitted."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RegularizedDiscriminantAnalysis(), "alpha='cv' compares folds of all rows; set alpha"),
        (BayesianNetworkClassifier(structure_score="cll"), "take 'acll'"),
        (LogisticRegression(C="cv"), "C='cv' compares folds of all rows; set C"),
        (OwnFit(), "OwnFit: cannot be fitted to a stream of rows: it has a fit of its own"),
        (NaiveBayes(alpha=-1.0), "NaiveBayes: alpha must be"),
        (AugmentedClassifier(cv=5), "cv must be 'loo' or None when rows are streamed, got 5"),
        (AugmentedClassifier(encoding="onehot"), "encoding must be 'as_is' and scaling None"),
        (AugmentedClassifier(NaiveBayes(alpha=-1.0)), "NaiveBayes: alpha must be"),
        (AugmentedClassifier(LogisticRegression()), "estimator must be a generative model"),
        (AugmentedClassifier(None, HiddenNaiveBayes()), "final_estimator must be a Logistic"),
        (AugmentedClassifier(None, LogisticRegression(C="cv")), "C='cv' compares folds"),
        (make_pipeline(StandardScaler(), NaiveBayes()), "a Pipeline of TidyColumns and a model"),
        (make_pipeline(TidyColumns(), StandardScaler()), "StandardScaler needs all rows in memory"),
    ],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)
def test_parameters_that_need_all_rows_are_refused(model: Any, message: str) -> None:
    assert message in is_refused(model)
