"""The compact form of an additive model has the probabilities and contributions of the model."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline

from augury.discriminative import (
    AdditiveLogisticRegression,
    C45Tree,
    LiblinearLogisticRegression,
    LogisticRegression,
)
from augury.encode import TidyColumns
from augury.ensemble import BoostedNaiveBayes
from augury.errors import PictureError
from augury.explain.additive_contents import AdditiveModel
from augury.explain.additive_export import export_additive
from augury.generative import (
    BernoulliNaiveBayes,
    CorrelationWeightedNaiveBayes,
    HiddenNaiveBayes,
    LinearDiscriminantAnalysis,
    NaiveBayes,
)
from augury.hybrid import (
    AugmentedClassifier,
    BlendedNaiveBayes,
    DiscriminativelyWeightedNaiveBayes,
)

N = 240
SKY = np.array(["fog", "rain", "sun", "snow"], dtype=object)


def make_rows(n_classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return labels and numbers with gaps, and classes."""
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, n_classes, N)
    shift = codes * (rng.random(N) < 0.5)
    rows = pd.DataFrame(
        {
            "sky": SKY[(rng.integers(0, 4, N) + shift) % 4],
            "temperature": rng.normal(codes, 1 + 0.5 * codes),
            "wind": rng.normal(size=N) + (codes == 1),
        }
    )
    rows.loc[rng.random(N) < 0.1, "sky"] = None
    rows.loc[rng.random(N) < 0.1, "temperature"] = np.nan
    return rows, np.array(["maybe", "no", "yes"])[codes]


def new_rows(X: pd.DataFrame) -> pd.DataFrame:
    """Return known values, an unseen label, numbers far away, and gaps that `fit` did not see."""
    new = X.iloc[:40].copy()
    new.loc[1, "sky"] = "an unseen label"
    new.loc[2, "temperature"] = 12.0
    new.loc[3, "wind"] = np.nan
    new.loc[4, ["sky", "temperature"]] = [None, np.nan]
    new.loc[5, ["temperature", "wind"]] = [-40.0, 90.0]
    return new


MODELS = (
    NaiveBayes(),
    NaiveBayes(missing="replace"),
    NaiveBayes(missing="ignore"),
    NaiveBayes(continuous="gaussian"),
    NaiveBayes(continuous="gaussian", missing="replace"),
    BernoulliNaiveBayes(),
    BlendedNaiveBayes(),
    CorrelationWeightedNaiveBayes(),
    DiscriminativelyWeightedNaiveBayes(),
    LinearDiscriminantAnalysis(),
    LogisticRegression(),
    LogisticRegression(continuous="standardize"),
    LogisticRegression(coefficients="reference", missing="replace"),
    AdditiveLogisticRegression(C=10.0),
    AdditiveLogisticRegression(missing="replace"),
    AugmentedClassifier(),
    AugmentedClassifier(scaling="standardize"),
    AugmentedClassifier(encoding="none", scaling="range"),
    Pipeline([("columns", TidyColumns()), ("model", LogisticRegression())]),
)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_probabilities_are_those_of_the_model(model: Any, n_classes: int) -> None:
    X, y = make_rows(n_classes)
    exported = export_additive(model.fit(X, y), X)
    # A page reads the form from JSON.
    form = AdditiveModel.from_json(json.loads(json.dumps(exported.form.to_json())))
    new = new_rows(X)
    found = np.array([form.probabilities_of(row) for row in exported.read(new)])
    np.testing.assert_allclose(found, model.predict_proba(new), atol=1e-9)


@pytest.mark.parametrize("model", [NaiveBayes(), LogisticRegression(), AugmentedClassifier()])
def test_differences_of_scores_are_the_contributions_of_explain(model: Any) -> None:
    X, y = make_rows(2)
    exported = export_additive(model.fit(X, y), X)
    expected = model.explain(X.iloc[:9])
    for i, row in enumerate(exported.read(X.iloc[:9])):
        for column, value in zip(exported.form.columns, row, strict=True):
            below, above = column.scores_of(value)
            assert above - below == pytest.approx(expected[column.name].iloc[i], abs=1e-9)


def test_two_classes_of_liblinear() -> None:
    X, y = make_rows(2)
    model = LiblinearLogisticRegression(encoding="onehot").fit(X, y)
    exported = export_additive(model, X)
    new = new_rows(X)
    found = np.array([exported.form.probabilities_of(row) for row in exported.read(new)])
    np.testing.assert_allclose(found, model.predict_proba(new), atol=1e-9)


def test_rows_have_states_numbers_and_gaps() -> None:
    X, y = make_rows(2)
    exported = export_additive(NaiveBayes().fit(X, y), X)
    sky, temperature, _ = exported.form.columns
    assert sky.labels == ("fog", "rain", "snow", "sun")
    assert (temperature.low, temperature.high) == (X["temperature"].min(), X["temperature"].max())
    rows = exported.read(new_rows(X).iloc[[1, 2, 4]])
    assert rows[0][0] == 4  # unseen
    assert rows[1][1] == 12.0
    assert rows[2][:2] == [None, None]


def test_a_class_without_rows_has_probability_zero() -> None:
    y = pd.Categorical(["a", "b", "a", "b"], categories=["a", "b", "never"])
    X = pd.DataFrame({"x": ["u", "v", "u", "v"]})
    model = LogisticRegression().fit(X, y)
    exported = export_additive(model, X)
    assert exported.form.is_known == (True, True, False)
    assert exported.form.probabilities_of([0])[2] == 0.0


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (C45Tree(), "not a sum of terms"),
        (HiddenNaiveBayes(), "not a sum of terms"),
        (BoostedNaiveBayes(), "not a sum of terms"),
        (NaiveBayes(continuous="kernel"), "no compact form"),
        (AugmentedClassifier(HiddenNaiveBayes()), "not a sum of terms"),
        (AugmentedClassifier(output="proba"), "on columns as they are"),
        (AugmentedClassifier(NaiveBayes(continuous="gaussian")), "unlimited log odds"),
    ],
    ids=repr,
)
def test_other_models_are_refused(model: Any, reason: str) -> None:
    X, y = make_rows(2)
    with pytest.raises(PictureError, match=reason):
        export_additive(model.fit(X, y), X)


def test_log_odds_that_may_be_cut_off_are_refused() -> None:
    _, y = make_rows(2)
    wide = pd.DataFrame({f"copy {k}": y for k in range(40)})
    with pytest.raises(PictureError, match="may be above 700"):
        export_additive(AugmentedClassifier(NaiveBayes(alpha=1e-9)).fit(wide, y), wide)
