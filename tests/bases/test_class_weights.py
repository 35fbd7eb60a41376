"""class_weight multiplies the weights of rows, in every classifier."""

import inspect
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import AdaBoostClassifier
from sklearn.utils.class_weight import compute_class_weight

from augury import (
    AugmentedClassifier,
    BoostedNaiveBayes,
    GenerativeFeatures,
    HybridClassifier,
    LogisticRegression,
    MultinomialNaiveBayes,
    NaiveBayes,
    RandomCutEnsemble,
)
from augury.bases.class_weights import class_factors
from augury.models.catalogue import model_classes
from augury.persist import load_model, save_model
from augury.scale import fit as fit_stream
from tests.versions import needs_scikit_learn

# The final model alone has the weights of classes, see `test_the_final_model_has_the_weights`.
FINAL_ONLY = {"AugmentedClassifier"}
# The probabilities alone, see `test_the_flagship_multiplies_its_probabilities`.
PROBABILITIES_ONLY = {"HybridClassifier"}
MODELS = [model for model in model_classes() if model.__module__.startswith("augury.")]
ROWS = 90
RANDOM = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "count": RANDOM.integers(0, 6, ROWS),
        "other": RANDOM.integers(0, 4, ROWS),
        "more": RANDOM.integers(0, 9, ROWS),
    }
)
Y = np.where(X["count"] + RANDOM.integers(0, 4, ROWS) > 5, "rare", "common")
SAMPLE_WEIGHT = RANDOM.integers(0, 4, ROWS).astype(float)
WEIGHTS = {"common": 0.5, "rare": 4.0}


def scores(model: Any, rows: pd.DataFrame = X) -> np.ndarray:
    method = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    return np.asarray(getattr(model, method)(rows))


def product(weights: dict[str, float], sample_weight: np.ndarray | None = None) -> np.ndarray:
    by_class = np.array([weights[label] for label in Y])
    return by_class if sample_weight is None else by_class * sample_weight


def make(model: type, **parameters: Any) -> Any:
    if "random_state" in inspect.signature(model).parameters:
        parameters["random_state"] = 0
    return model(**parameters)


def test_every_classifier_takes_class_weight() -> None:
    assert len(MODELS) > 30
    for model in MODELS:
        parameter = inspect.signature(model).parameters["class_weight"]
        assert parameter.kind is parameter.KEYWORD_ONLY, model
        assert model().get_params()["class_weight"] is None, model
        assert list(inspect.signature(model).parameters)[-1] == "class_weight", model


ROW_WEIGHTS = [model for model in MODELS if model.__name__ not in FINAL_ONLY | PROBABILITIES_ONLY]


@pytest.mark.parametrize("model", ROW_WEIGHTS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("sample_weight", [None, SAMPLE_WEIGHT], ids=["equal", "weighted"])
def test_a_dict_equals_weights_of_rows(model: type, sample_weight: np.ndarray | None) -> None:
    weighted = make(model, class_weight=WEIGHTS).fit(X, Y, sample_weight)
    expected = make(model).fit(X, Y, product(WEIGHTS, sample_weight))
    np.testing.assert_array_equal(scores(weighted), scores(expected))
    plain = make(model).fit(X, Y, sample_weight)
    assert not np.array_equal(scores(weighted), scores(plain))


@pytest.mark.parametrize("model", ROW_WEIGHTS, ids=lambda model: model.__name__)
def test_balanced_equals_the_weights_of_scikit_learn(model: type) -> None:
    counts = compute_class_weight("balanced", classes=np.unique(Y), y=Y)
    weights = dict(zip(np.unique(Y), counts, strict=True))
    balanced = make(model, class_weight="balanced").fit(X, Y)
    expected = make(model).fit(X, Y, product(weights))
    np.testing.assert_allclose(scores(balanced), scores(expected), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("cv", [None, "loo", 3])
def test_the_final_model_has_the_weights(cv: Any) -> None:
    """Leave-one-out probabilities of heavy rows would be those of the rows themselves."""
    model = AugmentedClassifier(
        NaiveBayes(), LogisticRegression(), class_weight=WEIGHTS, cv=cv
    ).fit(X, Y, SAMPLE_WEIGHT)
    features = GenerativeFeatures(NaiveBayes(), cv=cv)
    train = features.fit_transform(X, Y, SAMPLE_WEIGHT)
    final = LogisticRegression().fit(train, Y, product(WEIGHTS, SAMPLE_WEIGHT))
    np.testing.assert_allclose(scores(model), scores(final, features.transform(X)), rtol=1e-9)


@pytest.mark.parametrize("class_weight", [WEIGHTS, "balanced"])
def test_the_flagship_multiplies_its_probabilities(class_weight: Any) -> None:
    """Parts that learn from heavy rows would predict each of them by itself."""
    plain = HybridClassifier().fit(X, Y, SAMPLE_WEIGHT)
    weighted = HybridClassifier(class_weight=class_weight).fit(X, Y, SAMPLE_WEIGHT)
    codes = (Y == "rare").astype(int)
    labels = np.array(["common", "rare"])
    factors = class_factors("Model", class_weight, labels, codes, SAMPLE_WEIGHT)
    moved = scores(plain) * factors
    np.testing.assert_allclose(scores(weighted), moved / moved.sum(axis=1, keepdims=True))


@needs_scikit_learn("1.7", "balanced weights of classes count rows")
def test_balanced_counts_weights_of_rows() -> None:
    codes, weight = np.array([0, 0, 1, 2]), np.array([2.0, 1.0, 1.0, 0.0])
    found = class_factors("Model", "balanced", np.array(list("abc")), codes, weight)
    wanted = compute_class_weight(
        "balanced", classes=np.array([0, 1]), y=codes[:3], sample_weight=weight[:3]
    )
    np.testing.assert_allclose(found, [*wanted, 1.0])


def test_products_of_at_most_one_row_are_shares() -> None:
    tiny = NaiveBayes(class_weight={"common": 1e-9, "rare": 1e-9}).fit(X, Y)
    np.testing.assert_allclose(scores(tiny), scores(NaiveBayes().fit(X, Y)))
    # AdaBoost passes weights that sum to one; they become numbers of rows before the product.
    model = NaiveBayes(class_weight={"common": 3.0, "rare": 3.0})
    shares = np.full(ROWS, 1 / ROWS)
    expected = NaiveBayes().fit(X, Y, np.full(ROWS, 3.0))
    np.testing.assert_allclose(scores(clone(model).fit(X, Y, shares)), scores(expected))
    assert AdaBoostClassifier(model, n_estimators=2).fit(X, Y).score(X, Y) > 0.5


@pytest.mark.parametrize("model", [NaiveBayes, LogisticRegression, RandomCutEnsemble])
def test_a_class_of_weight_zero_has_no_rows(model: type) -> None:
    rows = np.arange(ROWS)
    third = np.where(rows % 3 == 0, "none", Y)
    weights = {"common": 1.0, "rare": 2.0, "none": 0.0}
    weighted = make(model, class_weight=weights).fit(X, third)
    expected = make(model).fit(X, third, np.array([weights[label] for label in third]))
    np.testing.assert_array_equal(scores(weighted), scores(expected))
    if model is RandomCutEnsemble:
        held = make(model, class_weight=weights).fit_held_out(X, third)
        assert held.shape == (ROWS, 3)


class TestStatisticsOfMoreRows:
    def test_batches_and_collected_rows_have_the_weights_of_the_classes(self) -> None:
        model = NaiveBayes(categorical_features="all", class_weight=WEIGHTS)
        whole = clone(model).fit(X, Y)
        parts = clone(model)
        for rows in (slice(0, 60), slice(60, None)):
            parts.partial_fit(
                X.iloc[rows].astype("category").pipe(declare), Y[rows], ["common", "rare"]
            )
        same = clone(model).fit(declare(X), Y)
        np.testing.assert_allclose(
            parts.statistics_.counts.class_counts, same.statistics_.counts.class_counts
        )
        again = whole.collect(X, Y)
        np.testing.assert_allclose(again.counts.class_counts, whole.statistics_.counts.class_counts)

    def test_leave_one_out_has_the_weights_of_the_classes(self) -> None:
        model = NaiveBayes(class_weight=WEIGHTS).fit(X, Y)
        expected = NaiveBayes().fit(X, Y, product(WEIGHTS))
        np.testing.assert_array_equal(
            model.leave_one_out_proba(X, Y), expected.leave_one_out_proba(X, Y, product(WEIGHTS))
        )

    def test_batches_cannot_be_balanced(self) -> None:
        model = NaiveBayes(class_weight="balanced")
        with pytest.raises(
            ValueError, match=r"^NaiveBayes: class_weight must be None or a dict in "
        ):
            model.partial_fit(X, Y, ["common", "rare"])

    def test_streams_are_refused(self) -> None:
        model = NaiveBayes(class_weight="balanced")
        with pytest.raises(ValueError, match="cannot be fitted to a stream of rows: class_weight"):
            fit_stream(model, X.assign(y=Y), "y")


def declare(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose columns declare all values of X."""
    return frame.astype({name: pd.CategoricalDtype(sorted(X[name].unique())) for name in X})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("auto", r"^NaiveBayes: class_weight must be None, \"balanced\" or a dict .* got 'auto'$"),
        ([1, 2], r"^NaiveBayes: class_weight must be .* got \[1, 2\]$"),
        ({"rare": -1}, r"got -1 for class 'rare'$"),
        ({"rare": "2"}, r"got '2' for class 'rare'$"),
        ({"rare": np.inf}, r"got inf for class 'rare'$"),
        ({"rear": 2}, r"must have the classes \['common', 'rare'\] as keys, got 'rear'$"),
        ({"rare": 0, "common": 0}, r"class_weight must not be zero for every row"),
    ],
)
def test_bad_weights_are_refused(given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NaiveBayes(class_weight=given).fit(X, Y)


def test_a_class_that_a_fold_lacks_may_have_a_weight() -> None:
    NaiveBayes(class_weight={**WEIGHTS, "absent": 2.0}).fit(X, Y)


def test_models_inside_others_do_not_name_classes() -> None:
    inner = NaiveBayes(class_weight=WEIGHTS)
    for hybrid in (
        AugmentedClassifier(inner),
        AugmentedClassifier(inner, cv=3),
        AugmentedClassifier(final_estimator=LogisticRegression(class_weight=WEIGHTS)),
    ):
        with pytest.raises(
            ValueError, match=r"^AugmentedClassifier: class_weight of .* set class_w"
        ):
            hybrid.fit(X, Y)
    with pytest.raises(
        ValueError, match=r"^BoostedNaiveBayes: class_weight of estimator must be No"
    ):
        BoostedNaiveBayes(inner).fit(X, Y)
    assert AugmentedClassifier(NaiveBayes(class_weight="balanced")).fit(X, Y).score(X, Y) > 0.5


@pytest.mark.parametrize(
    "labels", [["a", "b"], [0, 1], [False, True], [-1.0, 1.0]], ids=["str", "int", "bool", "float"]
)
def test_saved_and_loaded(labels: list[Any], tmp_path) -> None:
    y = np.array(labels)[(Y == "rare").astype(int)]
    for weights in ("balanced", {labels[0]: 1.0, labels[1]: 3}, {y[0]: 2.0}):
        model = NaiveBayes(class_weight=weights).fit(X, y)
        save_model(model, tmp_path / "m.augury", X=X)
        loaded = load_model(tmp_path / "m.augury").model
        assert loaded.class_weight == weights
        np.testing.assert_array_equal(scores(loaded), scores(model))
        np.testing.assert_array_equal(
            loaded.leave_one_out_proba(X, y), model.leave_one_out_proba(X, y)
        )


def test_events() -> None:
    counts = X.to_numpy()
    weighted = MultinomialNaiveBayes(class_weight=WEIGHTS).fit(counts, Y)
    expected = MultinomialNaiveBayes().fit(counts, Y, product(WEIGHTS))
    np.testing.assert_array_equal(weighted.predict_proba(counts), expected.predict_proba(counts))
