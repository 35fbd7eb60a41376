"""Models inside Pipelines and other wrappers are found, with the rows that they read."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from augury.encode import TidyColumns
from augury.experiments.fingerprints import describe_model
from augury.generative import NaiveBayes
from augury.models.preprocessed_classifier import PreprocessedClassifier
from augury.models.wrapped_models import final_estimator, find_deciding_part, unwrap_description

X = pd.DataFrame({"size": np.arange(12.0) % 5, "colour": list("rgbrgbrgbrgb")})
Y = np.array(list("ab") * 6)


@pytest.mark.parametrize(
    ("model", "inside", "before"),
    [
        (NaiveBayes(), "NaiveBayes", []),
        (make_pipeline(TidyColumns(), NaiveBayes()), "NaiveBayes", ["TidyColumns"]),
        (
            GridSearchCV(make_pipeline("passthrough", NaiveBayes()), {"naivebayes__alpha": [1]}),
            "NaiveBayes",
            ["GridSearchCV"],
        ),
        (
            make_pipeline(TidyColumns(), PreprocessedClassifier(DecisionTreeClassifier())),
            "DecisionTreeClassifier",
            ["TidyColumns", "PreprocessedClassifier"],
        ),
        (CalibratedClassifierCV(NaiveBayes()), "NaiveBayes", ["CalibratedClassifierCV"]),
        (CalibratedClassifierCV(), "CalibratedClassifierCV", []),
        (Pipeline([("last", "passthrough")]), "Pipeline", []),
    ],
    ids=repr,
)
def test_models_and_their_descriptions_are_unwrapped_alike(
    model: Any, inside: str, before: list[str]
) -> None:
    assert type(final_estimator(model)).__name__ == inside
    outer, inner = unwrap_description(describe_model(model))
    assert inner["class"].rpartition(".")[2] == inside
    assert [each["class"].rpartition(".")[2] for each in outer] == before
    assert all("estimator" not in each for each in outer)


@pytest.mark.parametrize(
    ("steps", "names"),
    [
        (
            [
                make_column_transformer(
                    (StandardScaler(), ["size"]), (OneHotEncoder(sparse_output=False), ["colour"])
                )
            ],
            [
                "standardscaler__size",
                "onehotencoder__colour_b",
                "onehotencoder__colour_g",
                "onehotencoder__colour_r",
            ],
        ),
        ([FunctionTransformer(lambda rows: rows[["size"]].to_numpy())], ["x0"]),
        ([FunctionTransformer(lambda rows: sparse.csr_array(rows[["size"]].to_numpy()))], ["x0"]),
        ([TidyColumns()], ["size", "colour"]),
        ([], ["size", "colour"]),
    ],
)
def test_rows_and_names_are_those_that_the_model_reads(steps: list[Any], names: list[str]) -> None:
    class Last(DecisionTreeClassifier):
        def fit(self, X: Any, y: Any) -> Any:
            self.classes_, self.shape_ = np.unique(y), X.shape
            return self

    model = make_pipeline(*steps, Last()).fit(X, Y)
    part = find_deciding_part(make_pipeline("passthrough", model).fit(X, Y), X)
    assert type(part.estimator).__name__ == "Last"
    assert part.names == names
    assert part.rows.shape == part.estimator.shape_ == (12, len(names))
    assert part.keeps_columns_of(X) == (names == ["size", "colour"])


def test_probabilities_of_the_part_are_those_of_the_whole() -> None:
    model = GridSearchCV(make_pipeline(TidyColumns(), NaiveBayes()), {}, cv=2).fit(X, Y)
    part = find_deciding_part(model, X)
    assert isinstance(part.estimator, NaiveBayes)
    np.testing.assert_array_equal(part.estimator.predict_proba(part.rows), model.predict_proba(X))
    calibrated = CalibratedClassifierCV(model, cv=2).fit(X, Y)
    assert find_deciding_part(calibrated, X).estimator is calibrated
