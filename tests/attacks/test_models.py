"""Issue 11, section "Models": sample weights, abstract bases, and tables beyond the memory."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, VotingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from augury.discriminative import C45Tree, KNearestNeighbors, LinearSVM, LogisticRegression
from augury.encode import MDLDiscretizer, TableEncoder
from augury.ensemble import BaggedNetworks, BoostedNaiveBayes
from augury.generative import (
    AveragedOneDependence,
    BernoulliNaiveBayes,
    HiddenNaiveBayes,
    MultinomialNaiveBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import AugmentedClassifier, GenerativeFeatures
from augury.models.catalogue import model_classes
from tests.versions import needs_scikit_learn

CLASSIFIERS = model_classes()
VARIANTS = [
    NaiveBayes(continuous="gaussian"),
    NaiveBayes(continuous="interval", alpha=0.0),
    NaiveBayes(continuous="kernel"),
    NaiveBayes(continuous="kernel", bandwidth="weka", alpha=0.0),
    AveragedOneDependence(n_parents=2),
    LinearSVM(encoding="ordinal"),
    LinearSVM(dual=True, random_state=0),
    LogisticRegression(C="cv"),
    BoostedNaiveBayes(method="resample", random_state=0),
    AugmentedClassifier(cv=3),
]


def seeded(model):
    """Return the model with a seed and few members, where it takes them."""
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    if "n_estimators" in model.get_params():
        model.set_params(n_estimators=3)
    return model


@pytest.fixture(params=[make() for make in CLASSIFIERS] + VARIANTS, ids=lambda m: f"{m!r:.60}")
def model(request):
    return seeded(clone(request.param))


N = 18
RNG = np.random.default_rng(0)
ROWS = pd.DataFrame(
    {
        "count": RNG.integers(0, 3, N),
        "other": RNG.integers(0, 4, N),
        "number": RNG.gamma(2.0, size=N).round(2),
        "flag": RNG.integers(0, 2, N),
    }
)
Y = np.where(
    ROWS["count"] + ROWS["other"] > 2, "p", np.where(ROWS["number"] > 1.5, "q", "r")
).astype(str)

EVERY_OTHER = np.arange(N) % 2 == 0
IS_P = Y == "p"
WEIGHTS = {
    **{
        f"all {value}": np.full(N, value)
        for value in (5e-324, 1e-310, 1e-300, 1e-8, 1e8, 1e14, 1e16, 1e300, 1.7e308)
    },
    "1e300 and 1e-300": np.where(EVERY_OTHER, 1e300, 1e-300),
    "1 and 1e-300": np.where(EVERY_OTHER, 1.0, 1e-300),
    "1e-300 and subnormal": np.where(EVERY_OTHER, 1e-300, 5e-324),
    "1e-300 and zero": np.where(EVERY_OTHER, 1e-300, 0.0),
    "1e14 and 1e-8": np.where(EVERY_OTHER, 1e14, 1e-8),
    "one 1e14 among 1e-40": np.where(np.arange(N) == 3, 1e14, 1e-40),
    "one 1 among subnormal": np.where(np.arange(N) == 3, 1.0, 5e-324),
    "one class 1, others 1e-300": np.where(IS_P, 1.0, 1e-300),
    "one class 1e8, others 1e-8": np.where(IS_P, 1e8, 1e-8),
    "the whole range": np.geomspace(5e-324, 1e300, N),
    "the range below one": np.geomspace(5e-324, 0.1, N),
}


def refusal(fit, *args, **options):
    """Return the message of the ValueError that a call raises; an empty text if none."""
    try:
        fit(*args, **options)
    except ValueError as error:
        return str(error)
    return ""


def check_predictions(model):
    assert np.isin(model.predict(ROWS), model.classes_).all()
    if hasattr(model, "predict_proba"):
        proba = model.predict_proba(ROWS)
        assert np.isfinite(proba).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1.0)


# "C45Tree with weights of 1e-8: KeyError. LinearSVM with weights of 1e-300: does not end. Weights
# over the whole double range give a model or a clear error."
@pytest.mark.filterwarnings("ignore:.*less than two rows")
@pytest.mark.filterwarnings("ignore:.*they are set to zero")
@pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.ConvergenceWarning")
def test_weights_over_the_whole_double_range_give_a_model_or_a_clear_error(model):
    fitted = 0
    for weight in WEIGHTS.values():
        again = clone(model)
        refused = refusal(again.fit, ROWS, Y, sample_weight=weight)
        if refused:
            assert weight.max() > 2**53 / N or "fold" in refused
            assert refused.startswith(f"{type(model).__name__}: sample_weight must ")
            continue
        check_predictions(again)
        fitted += 1
    assert fitted >= 12


@pytest.mark.filterwarnings("ignore:.*less than two rows")
@pytest.mark.filterwarnings("ignore:.*they are set to zero")
@pytest.mark.parametrize("make", [c for c in CLASSIFIERS if hasattr(c, "partial_fit")])
def test_batches_of_any_weight_give_a_model_or_a_clear_error(make):
    for weight in WEIGHTS.values():
        model = make()
        refused = refusal(model.partial_fit, ROWS, Y, classes=["p", "q", "r"], sample_weight=weight)
        if refused:
            assert weight.max() > 2**53 / N
            assert "sample_weight must sum to at most 2**53" in refused
            continue
        check_predictions(model)
        check_predictions(model.partial_fit(ROWS, Y))


def test_a_linear_svm_of_weights_of_1e_300_ends():
    script = (
        "import numpy as np\n"
        "from augury.discriminative import LinearSVM\n"
        "X = np.random.default_rng(0).integers(0, 3, (60, 4)).astype(str)\n"
        "y = (X[:, 0] > X[:, 1]).astype(int)\n"
        "a = LinearSVM().fit(X, y, sample_weight=np.full(60, 1e-300))\n"
        "print(np.array_equal(a.coef_, LinearSVM().fit(X, y).coef_))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=True
    )
    assert done.stdout == "True\n"


def test_a_c45_tree_of_weights_of_1e_8_is_the_tree_of_equal_weights():
    light = C45Tree().fit(ROWS, Y, sample_weight=np.full(N, 1e-8))
    assert light.to_text() == C45Tree().fit(ROWS, Y).to_text()


# "scikit-learn's meta-estimators pass weights that sum to 1: AdaBoostClassifier(NaiveBayes())
# degenerates to the majority class. Normalised weights (sum <= 1) must work as users expect …"
def test_equal_shares_are_the_same_as_no_weights(model):
    plain = clone(model).fit(ROWS, Y)
    for total in (1.0, 0.2):
        shares = clone(model).fit(ROWS, Y, sample_weight=np.full(N, total / N))
        assert_same_predictions(shares, plain, rtol=1e-12)


@pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.ConvergenceWarning")
def test_shares_are_scaled_to_a_mean_of_one_row(model):
    weight = np.random.default_rng(1).integers(0, 5, N).astype(float)
    weight[:4] = 1.0
    rows = weight * np.count_nonzero(weight) / weight.sum()
    shares = clone(model).fit(ROWS, Y, sample_weight=weight / weight.sum())
    scaled = clone(model).fit(ROWS, Y, sample_weight=rows)
    assert_same_predictions(shares, scaled, rtol=1e-6)


def assert_same_predictions(model, other, rtol):
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(
            model.predict_proba(ROWS), other.predict_proba(ROWS), rtol=rtol, atol=1e-9
        )
    else:
        np.testing.assert_array_equal(model.predict(ROWS), other.predict(ROWS))


def xor_rows(n=240, seed=0):
    """Return labels whose majority class is 60 % and which columns tell for the most part."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    noisy = [np.where(rng.random(n) < 0.25, 1 - y, y) for _ in range(4)]
    return pd.DataFrame({f"c{j}": column.astype(str) for j, column in enumerate(noisy)}), y


@pytest.mark.parametrize(
    "base",
    [
        NaiveBayes(),
        HiddenNaiveBayes(),
        TreeAugmentedNaiveBayes(),
        C45Tree(),
        LogisticRegression(),
        KNearestNeighbors(),
    ],
    ids=lambda m: type(m).__name__,
)
def test_boosting_of_scikit_learn_beats_the_majority_class(base):
    X, y = xor_rows()
    X = X.astype(int).to_numpy()  # AdaBoost makes an array of a frame
    boosted = AdaBoostClassifier(base, n_estimators=5).fit(X, y)
    assert boosted.score(X, y) >= base.fit(X, y).score(X, y) - 0.05
    assert boosted.score(X, y) > 0.75
    # The weights of the first round are equal: its member is the unweighted model.
    np.testing.assert_array_equal(boosted.estimators_[0].predict(X), base.predict(X))


@pytest.mark.parametrize(
    "meta",
    [
        pytest.param(
            BaggingClassifier(HiddenNaiveBayes(), n_estimators=4, random_state=0),
            marks=needs_scikit_learn("1.7", "BaggingClassifier multiplies weights by counts"),
        ),
        CalibratedClassifierCV(NaiveBayes(), cv=3),
        VotingClassifier([("nb", NaiveBayes()), ("tree", C45Tree())], voting="soft"),
        GridSearchCV(NaiveBayes(), {"alpha": [0.5, 1.0]}, cv=3),
    ],
    ids=lambda m: type(m).__name__,
)
def test_normalised_weights_through_a_meta_estimator_beat_the_majority_class(meta):
    X, y = xor_rows()
    weight = np.random.default_rng(2).uniform(0.5, 1.5, len(y))
    model = clone(meta).fit(X, y, sample_weight=weight / weight.sum())
    assert model.score(X, y) > 0.75


def test_the_sum_decides_and_one_row_of_weight_one_is_the_same_by_both_rules():
    X, y = [["a"], ["a"], ["b"], ["b"]], pd.Categorical([0, 0, 1, 1])
    one = NaiveBayes().fit(X, y, sample_weight=[0, 1, 0, 0])
    np.testing.assert_array_equal(one.statistics_.counts.class_counts, [1, 0])
    for weight in ([0.25] * 4, [0.25 + 1e-10] * 4, np.full(4, 0.25, np.float32)):
        shares = NaiveBayes().fit(X, y, sample_weight=weight)
        np.testing.assert_array_equal(shares.statistics_.counts.class_counts, [2, 2])
    with pytest.warns(UserWarning, match="NaiveBayes: sample_weight sums to 1.2, less than two"):
        rows = NaiveBayes().fit(X, y, sample_weight=[0.3] * 4)
    np.testing.assert_allclose(rows.statistics_.counts.class_counts, [0.6, 0.6])


@pytest.mark.filterwarnings("ignore:.*less than two rows")
@pytest.mark.filterwarnings("ignore:.*they are set to zero")
def test_batches_add_whatever_their_weights_sum_to():
    X, y = xor_rows(40)
    weight = np.full(40, 1 / 40)
    whole = NaiveBayes().partial_fit(X, y, classes=[0, 1], sample_weight=weight)
    parts = NaiveBayes().partial_fit(X[:10], y[:10], classes=[0, 1], sample_weight=weight[:10])
    parts.partial_fit(X[10:], y[10:], sample_weight=weight[10:])
    np.testing.assert_allclose(whole.predict_proba(X), parts.predict_proba(X))
    np.testing.assert_allclose(whole.statistics_.counts.class_counts.sum(), 1.0)
    np.testing.assert_allclose(whole.collect(X, y, weight).counts.class_counts.sum(), 1.0)


@pytest.mark.parametrize(
    "make", [NaiveBayes, HiddenNaiveBayes, BernoulliNaiveBayes, MultinomialNaiveBayes]
)
def test_rows_are_left_out_with_the_weights_that_fit_gave_them(make):
    weight = np.random.default_rng(3).uniform(0.5, 2.0, N)
    shares = make().fit(ROWS, Y, sample_weight=weight / weight.sum())
    scaled = make().fit(ROWS, Y, sample_weight=weight * N / weight.sum())
    expected = scaled.leave_one_out_proba(ROWS, Y, weight * N / weight.sum())
    given = shares.leave_one_out_proba(ROWS, Y, weight / weight.sum())
    np.testing.assert_allclose(given, expected)
    some = slice(3, 9)
    given = shares.leave_one_out_proba(ROWS[some], Y[some], (weight / weight.sum())[some])
    np.testing.assert_allclose(given, expected[some])


def test_cut_points_and_features_of_shares():
    X, y = ROWS[["number"]].to_numpy(), ROWS["number"] > 1.5
    cuts = MDLDiscretizer().fit(X, y).cut_points_
    assert len(cuts[0]) == 1
    shares = np.full(N, 1 / N)
    np.testing.assert_array_equal(MDLDiscretizer().fit(X, y, shares).cut_points_, cuts)
    np.testing.assert_array_equal(TableEncoder().fit(X, y, shares).cut_points_["x0"], cuts[0])
    features = GenerativeFeatures(encoding="none")
    np.testing.assert_allclose(
        features.fit_transform(ROWS, Y, shares), features.fit_transform(ROWS, Y)
    )


def test_every_classifier_was_found():
    names = {make.__name__ for make in CLASSIFIERS}
    assert {"NaiveBayes", "C45Tree", "BaggedNetworks", "HBayesNB", "LinearSVM"} <= names
    assert all(is_classifier(make()) for make in CLASSIFIERS)
    assert BaggedNetworks in CLASSIFIERS


@pytest.mark.parametrize("C", [0.0, 1e-300, 1e300])
def test_costs_at_which_liblinear_does_not_end_are_refused(C):
    with pytest.raises(ValueError, match=r"^LinearSVM: C must be a number >= 1e-30 and <= 1e\+30"):
        LinearSVM(C=C).fit(ROWS, Y)
