"""Which models take instance weights, and by which parameters of `fit`."""

from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from augury.hybrid import AugmentedClassifier, SplitClassifier
from augury.instance_weights import (
    UnweightedFitWarning,
    fit_with_weights,
    warn_of_unweighted,
    weight_parameters,
    why_unweighted,
)
from augury.models.preprocessed_classifier import PreprocessedClassifier
from tests.versions import needs_scikit_learn

PLAIN = ("sample_weight",)
SCALED = make_pipeline(StandardScaler(), GaussianNB())
SCALED_NAMES = ("gaussiannb__sample_weight", "standardscaler__sample_weight")


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (GaussianNB(), PLAIN),
        (SCALED, SCALED_NAMES),
        (Pipeline([("model", "passthrough")]), ()),
        (GridSearchCV(SCALED, {}), SCALED_NAMES),
        (RFE(LogisticRegression()), PLAIN),
        (VotingClassifier([("a", GaussianNB()), ("b", "drop")]), PLAIN),
        (VotingClassifier([("a", KNeighborsClassifier()), ("b", GaussianNB())]), ()),
        (VotingClassifier([("a", SCALED)]), ()),
        (StackingClassifier([("a", GaussianNB())]), PLAIN),
        (AdaBoostClassifier(), PLAIN),
        (AdaBoostClassifier(KNeighborsClassifier()), ()),
        pytest.param(
            BaggingClassifier(KNeighborsClassifier()),
            PLAIN,
            marks=needs_scikit_learn("1.7", "BaggingClassifier multiplies weights by counts"),
        ),
        (CalibratedClassifierCV(KNeighborsClassifier()), ()),
        (OneVsRestClassifier(GaussianNB()), ()),
        (PreprocessedClassifier(SCALED), PLAIN),
        (PreprocessedClassifier(KNeighborsClassifier()), ()),
        (AugmentedClassifier(final_estimator=KNeighborsClassifier()), ()),
        (AugmentedClassifier(final_estimator=SCALED), PLAIN),
        (SplitClassifier([0], discriminative=KNeighborsClassifier()), ()),
    ],
    ids=repr,
)
def test_names_and_that_fit_takes_them(model: Any, names: tuple[str, ...]) -> None:
    assert weight_parameters(model) == names
    if names:
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
        fitted = fit_with_weights(model, X, y, rng.random(40) + 0.5)
        assert fitted is model
        assert fitted.predict(X).shape == (40,)


def test_a_model_without_weights_is_fitted_and_the_warning_names_it() -> None:
    X, y = np.arange(10.0).reshape(-1, 1), np.arange(10) % 2
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(1))
    with pytest.warns(UnweightedFitWarning, match="weights: KNeighborsClassifier takes no sample_"):
        fit_with_weights(model, X, y, np.ones(10))
    assert fit_with_weights(model, X, y, None).predict(X).tolist() == y.tolist()


def test_the_innermost_model_is_named() -> None:
    search = GridSearchCV(make_pipeline(VotingClassifier([("a", KNeighborsClassifier())])), {})
    assert why_unweighted(search) == "KNeighborsClassifier takes no sample_weight"


def test_one_warning_for_all_models() -> None:
    models = {"nb": GaussianNB(), "near": KNeighborsClassifier()}
    with pytest.warns(UnweightedFitWarning, match="^d: .*: near [(]KNeighborsClassifier takes no"):
        warn_of_unweighted("d", models)
    warn_of_unweighted("d", {"nb": GaussianNB()})
