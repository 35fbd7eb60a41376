"""Issue 14, "Wide and many-class": models end soon, or refuse before they start.

docs/results/table-shapes.md has the times of all models on larger tables.
"""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as OtherRegression

from augury.cli.terminal.errors import UserError, user_errors
from augury.discriminative import (
    AdditiveLogisticRegression,
    C45Tree,
    LinearSVM,
    LogisticRegression,
)
from augury.discriminative.logistic import estimation, prior_curvature, sample_start
from augury.discriminative.solvers.row_space import RowSpace
from augury.ensemble import BaggedNetworks, BoostedNaiveBayes, bagged_networks
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    HiddenNaiveBayes,
    LinearDiscriminantAnalysis,
    MixtureDiscriminantAnalysis,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
    TreeAugmentedNaiveBayes,
    naive_bayes,
)
from augury.generative.densities.normal_columns import IntervalColumns
from augury.hybrid import (
    AugmentedClassifier,
    BlendedNaiveBayes,
    DiscriminativelyWeightedNaiveBayes,
    HBayesNB,
)
from augury.hybrid.inner_models import likelihood_search
from augury.memory import TableTooLargeError, widest
from augury.models import build_model, known_models
from augury.structure import HillClimb
from augury.structure.search_time import require_search_time
from augury.time_limit import TooLongError

GIB = 1 << 30


def labels(n_rows, n_columns, n_classes, n_labels=2, seed=0):
    """Return a frame of declared labels, and classes that each have a row."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_rows) % n_classes)
    codes = np.where(
        rng.random((n_rows, n_columns)) < 0.5,
        y[:, None] % n_labels,
        rng.integers(0, n_labels, (n_rows, n_columns)),
    )
    X = pd.DataFrame(codes, columns=[f"c{j}" for j in range(n_columns)])
    kind = pd.CategoricalDtype(list(range(n_labels)))
    return X.astype(kind), y


# ---- refusals before work ------------------------------------------------------------------

WIDE = 20, 20_000, 4
REFUSED = [
    (AveragedOneDependence(), WIDE, "predictions of 1,000 rows from all pairs of 20,000 columns"),
    (HiddenNaiveBayes(), WIDE, "predictions of 1,000 rows from all pairs of 20,000 columns"),
    (AugmentedClassifier(HiddenNaiveBayes()), (20_000, 2_000, 10), "20,000 rows from all pairs"),
    (AugmentedClassifier(), (40_000, 2, 4_000), "20 evaluations of the loss of 40,000 rows"),
    (LogisticRegression(C="cv"), (20_000, 40, 5_000), "1,120 evaluations of the loss"),
    (LinearSVM(), (40_000, 100, 5_000), "5,000 searches, one for each class"),
    (DiscriminativelyWeightedNaiveBayes(), (20_000, 600, 2_500), "20 evaluations of the loss"),
    (BlendedNaiveBayes(), (20_000, 600, 2_500), "20 evaluations of the loss of 20,000 rows"),
    (HBayesNB(), (6_000, 1_000, 2_000), "4,000,000 regressions, one for each column and class"),
]


def check_refusal(message, model, text):
    assert message.startswith(f"{type(model).__name__}: ")
    assert text in message
    assert "operations), and models refuse what takes more than 10 minutes" in message
    assert "NaiveBayes" in message.partition("rows: ")[2]


@pytest.mark.parametrize(("model", "shape", "text"), REFUSED, ids=lambda v: f"{v!r:.30}")
def test_what_takes_hours_is_refused_before_the_table_is_read(model, shape, text, monkeypatch):
    n_rows, n_columns, n_classes = shape
    X, y = np.zeros((n_rows, n_columns), dtype=np.int8), np.arange(n_rows) % n_classes
    for encoder in ("learn", "learn_and_encode"):
        monkeypatch.setattr(f"augury.encode.TableEncoder.{encoder}", pytest.fail)
    with pytest.raises(TooLongError) as caught:
        model.fit(X, y)
    check_refusal(str(caught.value), model, text)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (BayesianNetworkClassifier(), "a search among 240,000 pairs of 490 columns in 20 classes"),
        (BaggedNetworks(), "30 searches among 240,000 pairs of 490 columns in 20 classes"),
    ],
    ids=lambda v: f"{v!r:.30}",
)
def test_a_long_search_is_refused_before_rows_are_counted(model, text, monkeypatch):
    # A search of so many columns takes a minute; it is refused on a slow machine.
    monkeypatch.setattr("augury.structure.search_time._NS_OF_ROW", 1e3)
    for name in ("counts.pair_counts.count_pairs", "counts.family_counts.count_class_values"):
        monkeypatch.setattr(f"augury.{name}", pytest.fail)
    counting = "augury.generative.bases.training_counts.count_class_values"
    monkeypatch.setattr(counting, pytest.fail)
    X, y = labels(60, 490, 20)
    with pytest.raises(TooLongError) as caught:
        model.fit(X, y)
    check_refusal(str(caught.value), model, text.replace("240,000", f"{490 * 489:,}"))


@pytest.mark.parametrize(
    "model",
    [
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
        RegularizedDiscriminantAnalysis(),
        MixtureDiscriminantAnalysis(),
    ],
    ids=lambda m: type(m).__name__,
)
def test_covariances_of_many_numbers_are_refused_before_work(model, monkeypatch):
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 300 << 20)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4_000)), np.arange(30) % 3
    with pytest.raises(
        TableTooLargeError,
        match=rf"^{type(model).__name__}: the covariances of 4,000 columns .* use fewer columns, "
        "group labels of columns with many, or take a model without covariances, such as Naive",
    ):
        model.fit(X, y)


def test_many_densities_are_refused_before_work(monkeypatch):
    monkeypatch.setattr("augury.generative.bases.discriminant_analysis._NS_OF_STEP", 1e9)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 20)), np.arange(30) % 3
    monkeypatch.setattr(
        "augury.generative.bases.discriminant_analysis.ClassScatter.collect", pytest.fail
    )
    for model, n in (
        (QuadraticDiscriminantAnalysis(), 3),
        (RegularizedDiscriminantAnalysis(), 168),
    ):
        with pytest.raises(TooLongError, match=f"the {n} normal densities of 20 columns"):
            model.fit(X, y)


def test_nodes_of_many_classes_are_refused_before_the_table_is_read(monkeypatch):
    monkeypatch.setattr("augury.memory.available_bytes", lambda: GIB)
    X, y = np.zeros((40_000, 1)), np.arange(40_000) % 2_000
    with pytest.raises(
        TableTooLargeError,
        match=r"^C45Tree: the class counts of up to 40,000 nodes in 2,000 classes need 1.2 GiB .*: "
        "raise min_samples_leaf, merge rare classes, or take LogisticRegression or NaiveBayes",
    ):
        C45Tree().fit(X, y)
    C45Tree(min_samples_leaf=4)._require_size(40_000, 1, 2_000)


def test_pairs_of_many_columns_do_not_blame_three_of_them(monkeypatch):
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 100 << 20)
    with pytest.raises(TableTooLargeError) as caught:
        TreeAugmentedNaiveBayes().fit(*labels(50, 1_500, 2))
    assert "the columns with the most states" not in str(caught.value)
    assert "available: use fewer columns, group their labels, or take" in str(caught.value)


def test_the_command_line_prints_a_refusal_as_one_line():
    with pytest.raises(UserError, match=r"^AveragedOneDependence: the predictions"), user_errors():
        AveragedOneDependence().fit(np.zeros((4, 20_000)), [0, 1, 2, 3])


def test_probabilities_that_do_not_fit_in_memory_are_refused_and_classes_are_not(monkeypatch):
    X, y = labels(20_000, 2, 1_000)
    model = NaiveBayes().fit(X, y)
    expected = model.predict(X)
    monkeypatch.setattr("augury.bases.log_score_classifier._SCORES_AT_ONCE", 1 << 20)
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 100 << 20)
    with pytest.raises(TableTooLargeError, match=r"20,000 rows in 1,000 classes .* call predict"):
        model.predict_proba(X)
    np.testing.assert_array_equal(model.predict(X), expected)


def test_triples_are_refused_before_pairs_are_counted(monkeypatch):
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 1 << 20)
    monkeypatch.setattr("augury.counts.pair_counts.count_pairs", pytest.fail)
    X, y = labels(60, 20, 3, n_labels=10)
    with pytest.raises(
        TableTooLargeError,
        match=r"^AveragedOneDependence: the counts of all triples of 200 states in 3 classes need "
        r".* or take n_parents=1$",
    ):
        AveragedOneDependence(n_parents=2).fit(X, y)


def test_two_parents_take_the_cube_of_the_columns():
    AveragedOneDependence()._require_size(1_000, 2_000, 2)
    with pytest.raises(TooLongError, match="from all triples of 2,000 columns in 2 classes"):
        AveragedOneDependence(n_parents=2)._require_size(1_000, 2_000, 2)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (
            BayesianNetworkClassifier(HillClimb(score="cll")),
            "60 rows in 3 classes in a search among 12 pairs of 4 columns",
        ),
        (
            BaggedNetworks(structure_score="cll"),
            "60 rows in 3 classes in 30 searches among 12 pairs of 4 columns",
        ),
    ],
    ids=["bn", "bagged-networks"],
)
def test_a_long_search_for_the_conditional_likelihood_is_refused(model, text, monkeypatch):
    # 4 · 12 candidates of 60 rows in 3 classes.
    monkeypatch.setattr("augury.structure.search_time._NS_OF_POSTERIOR", 610e9 / (4 * 12 * 60 * 3))
    X, y = labels(60, 4, 3)
    with pytest.raises(TooLongError) as caught:
        model.fit(X, y)
    check_refusal(str(caught.value), model, f"the conditional likelihoods of {text}")
    assert 'use score="acll"' in str(caught.value)


def test_members_that_do_not_fit_in_memory_are_refused_after_the_first(monkeypatch):
    X, y = labels(300, 4, 20, n_labels=5)
    model = BaggedNetworks(n_estimators=3, random_state=0)
    whole = model.fit(X, y)
    n_cells = sum(table.size for table in whole.estimators_[0].statistics_.tables)
    fitted = []
    monkeypatch.setattr("augury.memory._SMALL", 0)
    monkeypatch.setattr(
        "augury.ensemble.bagged_networks._fit_round",
        _counted(bagged_networks._fit_round, fitted),
    )
    enough = 2 * 16 * n_cells
    monkeypatch.setattr("augury.ensemble.bagged_networks.is_affordable", lambda n: n <= enough)
    monkeypatch.setattr(
        "augury.ensemble.bagged_networks.require_bytes",
        partial(_require_less_than, enough),
    )
    alone = model.fit(X, y)
    np.testing.assert_array_equal(alone.predict_proba(X), whole.predict_proba(X))
    monkeypatch.setattr(
        "augury.ensemble.bagged_networks.require_bytes",
        partial(_require_less_than, enough - 1),
    )
    fitted.clear()
    with pytest.raises(
        TableTooLargeError,
        match=r"^BaggedNetworks: the tables of the other 2 members, .* BayesianNetworkClassifier$",
    ):
        model.fit(X, y)
    assert len(fitted) == 1


def _require_less_than(available, n_bytes, what, n_states, *, advice):
    if n_bytes > available:
        raise TableTooLargeError("", what, n_bytes, available, widest(n_states), advice)


def test_members_of_an_ensemble_are_refused_like_single_models(monkeypatch):
    monkeypatch.setattr("augury.encode.TableEncoder.learn_and_encode", pytest.fail)
    X, y = np.zeros((20, 20_000), dtype=np.int8), np.arange(20) % 4
    with pytest.raises(TooLongError, match=r"^BoostedNaiveBayes: the predictions of 1,000 rows"):
        BoostedNaiveBayes(AveragedOneDependence()).fit(X, y)


@pytest.mark.parametrize("model", [BoostedNaiveBayes(), BaggedNetworks(), LinearSVM()], ids=repr)
def test_a_class_for_each_two_rows_is_refused_by_models_that_score_them_often(model, monkeypatch):
    for encoder in ("learn", "learn_and_encode"):
        monkeypatch.setattr(f"augury.encode.TableEncoder.{encoder}", pytest.fail)
    X, y = np.zeros((200_000, 2), dtype=np.int8), np.arange(200_000) % 100_000
    with pytest.raises(TooLongError, match=f"^{type(model).__name__}: .* 200,000 rows") as caught:
        model.fit(X, y)
    assert "merge rare classes" in str(caught.value)


@pytest.mark.parametrize("continuous", ["gaussian", "interval", "kernel"])
def test_densities_of_many_numbers_and_classes_are_refused(continuous, monkeypatch):
    monkeypatch.setitem(naive_bayes._NS_OF_FACTOR, continuous, 610e9 / (1_000 * 5 * 3))
    X, y = np.random.default_rng(0).normal(size=(30, 5)), np.arange(30) % 3
    with pytest.raises(TooLongError) as caught:
        NaiveBayes(continuous=continuous).fit(X, y)
    text = "the densities of 1,000 rows of 5 numbers in 3 classes"
    check_refusal(str(caught.value), NaiveBayes(), text)


@pytest.mark.parametrize(
    ("parameters", "n_columns", "steps", "n_components"),
    [
        ({}, 50, 6, 9),  # a class has 10 rows
        ({}, 2, 45, 9),
        ({"n_init": 1, "n_components": [1, 2, 2]}, 2, 15, 5),
        ({"n_components": 1}, 2, 15, 3),
        ({"n_components": "bic"}, 2, 6 * 45, 9),
        ({"n_components": "cv", "max_components": 2}, 2, 11 * 45, 4),
    ],
)
def test_the_steps_of_mixtures_are_estimated(
    parameters, n_columns, steps, n_components, monkeypatch
):
    monkeypatch.setattr("augury.generative.bases.discriminant_analysis._NS_OF_STEP", 1e9)
    X, y = np.random.default_rng(0).normal(size=(30, n_columns)), np.arange(30) % 3
    with pytest.raises(
        TooLongError,
        match=f"^MixtureDiscriminantAnalysis: {steps} steps of expectation maximisation for "
        f"{n_components} normal densities of {n_columns} columns",
    ):
        MixtureDiscriminantAnalysis(**parameters).fit(X, y)


def test_splines_take_more_evaluations_than_lines():
    for model, n in ((LogisticRegression(), 20), (AdditiveLogisticRegression(), 60)):
        with pytest.raises(TooLongError, match=f"{n} evaluations of the loss"):
            model._require_size(20_000, 10_000, 5_000)


# ---- no refusal of ordinary tables ---------------------------------------------------------


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "n_classes"),
    [(1_000_000, 30, 2), (60_000, 784, 10), (100_000, 54, 7), (2_000, 500, 26), (5_000, 100, 100)],
)
def test_ordinary_sizes_are_not_refused(n_rows, n_columns, n_classes, monkeypatch):
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 16 * GIB)
    own = [name for name, entry in known_models().items() if entry.path.startswith("augury")]
    assert len(own) > 25
    for name in sorted(set(own) - {"majority"}):
        build_model(name)._require_size(n_rows, n_columns, n_classes)
    require_search_time(n_rows, np.full(n_columns, 5), n_classes)


def test_states_of_identifiers_do_not_refuse_a_search():
    require_search_time(500, np.full(40, 100_000), 2, n_searches=30)


def test_a_skeleton_makes_a_search_possible():
    X, y = labels(40, 300, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("augury.structure.search_time._NS_OF_ROW", 1e5)
        with pytest.raises(TooLongError, match="give HillClimb a skeleton"):
            BayesianNetworkClassifier(HillClimb()).fit(X, y)
        search = HillClimb(skeleton=[("c0", "c1"), ("c1", "c2")])
        found = BayesianNetworkClassifier(search).fit(X, y).structure_
    assert set(found.edges) <= {(0, 1), (1, 0), (1, 2), (2, 1)}


# ---- shapes that took minutes or failed before ---------------------------------------------


@pytest.mark.parametrize("model", [AveragedOneDependence(), HiddenNaiveBayes()], ids=repr)
def test_blocks_that_are_not_kept_are_computed_for_many_rows_only(model, monkeypatch):
    X, y = labels(200, 12, 4, n_labels=3)
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
    kept = model.fit(X, y).predict_joint_log_proba(X)
    monkeypatch.setattr("augury.generative.bases.pair_model._BYTES_TO_KEEP", 0)
    model.fit(X, y)
    made, looked_up = [], []
    for name, calls in (("_make_block", made), ("_sum_at_rows", looked_up)):
        monkeypatch.setattr(type(model), name, _counted(getattr(type(model), name), calls))
    np.testing.assert_allclose(model.predict_joint_log_proba(X), kept, atol=1e-12)
    assert (len(made), len(looked_up)) == (12, 0)
    np.testing.assert_allclose(model.predict_joint_log_proba(X[:2]), kept[:2], atol=1e-12)
    assert (len(made), len(looked_up)) == (12, 12)


def _counted(method, calls):
    def counted(*arguments):
        calls.append(method)
        return method(*arguments)

    return counted


def test_a_regression_of_many_numbers_has_a_diagonal_preconditioner(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 40)), np.arange(60) % 3
    X += y[:, None]
    whole = LogisticRegression(tol=1e-10).fit(X, y)
    monkeypatch.setattr(prior_curvature, "_MAX_TERMS", 20)
    monkeypatch.setattr(np.linalg, "eigh", _small_only(np.linalg.eigh, 3))
    diagonal = LogisticRegression(tol=1e-10).fit(X, y)
    np.testing.assert_allclose(diagonal.coef_, whole.coef_, atol=1e-6)


def test_a_regression_of_many_classes_has_a_diagonal_preconditioner(monkeypatch):
    X, y = labels(300, 3, 30, n_labels=4)
    whole = LogisticRegression(tol=1e-10).fit(X, y)
    monkeypatch.setattr(prior_curvature, "MAX_CLASSES", 20)
    monkeypatch.setattr(np.linalg, "eigh", _small_only(np.linalg.eigh, 29))
    diagonal = LogisticRegression(tol=1e-10).fit(X, y)
    np.testing.assert_allclose(diagonal.coef_, whole.coef_, atol=1e-6)


def _small_only(eigh, most):
    def checked(matrix):
        assert len(matrix) <= most
        return eigh(matrix)

    return checked


def test_ten_thousand_numbers_fit_a_regression_and_a_machine():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 10_000)), np.arange(60) % 2
    X[:, :50] += 2 * y[:, None]
    for model in (LogisticRegression(continuous="standardize"), LinearSVM(discretizer=None)):
        assert (model.fit(X, y).predict(X) == y).all()


def test_rows_in_their_own_space_give_the_coefficients_of_all_terms(monkeypatch):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 300)), np.arange(40) % 3
    weight = rng.integers(1, 4, 40)
    whole = LinearSVM(discretizer=None, tol=1e-10).fit(X, y, sample_weight=weight)
    monkeypatch.setattr("augury.discriminative.bases.liblinear_model._MANY_TERMS", 200)
    rotated = LinearSVM(discretizer=None, tol=1e-10).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(rotated.coef_, whole.coef_, atol=1e-8)
    np.testing.assert_allclose(rotated.intercept_, whole.intercept_, atol=1e-8)


def test_equal_rows_have_a_space_of_one_direction():
    space = RowSpace.of(np.ones((5, 30)))
    assert space.rows.shape == (5, 1)
    np.testing.assert_allclose(space.rows @ space.rows.T, 31.0)


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("with_weights", [True, False])
def test_weights_of_columns_are_found_in_parts_of_rows(monkeypatch, leave_one_out, with_weights):
    X, y = labels(600, 6, 20, n_labels=5)
    weight = np.arange(600) % 3 + 1 if with_weights else None
    model = DiscriminativelyWeightedNaiveBayes(leave_one_out=leave_one_out)
    whole = model.fit(X, y, sample_weight=weight).weights_
    for module in (likelihood_search, "augury.hybrid.discriminatively_weighted_naive_bayes"):
        path = module if isinstance(module, str) else module.__name__
        monkeypatch.setattr(f"{path}.SCORES_AT_ONCE", 20 * 70)
    parts = model.fit(X, y, sample_weight=weight).weights_
    np.testing.assert_allclose(parts, whole, atol=1e-9)


def test_blended_naive_bayes_is_found_in_parts_of_rows(monkeypatch):
    X, y = labels(600, 6, 20, n_labels=5)
    whole = BlendedNaiveBayes().fit(X, y).predict_proba(X)
    monkeypatch.setattr(likelihood_search, "SCORES_AT_ONCE", 20 * 70)
    np.testing.assert_allclose(BlendedNaiveBayes().fit(X, y).predict_proba(X), whole, atol=1e-6)


def test_rows_out_of_bag_are_judged_in_parts(monkeypatch):
    X, y = labels(300, 4, 20, n_labels=5)
    model = BaggedNetworks(n_estimators=3, random_state=0)
    whole = model.fit(X, y).oob_score_
    monkeypatch.setattr("augury.ensemble.bagged_networks._VOTES_AT_ONCE", 20 * 70)
    assert model.fit(X, y).oob_score_ == whole


@pytest.mark.parametrize("encoding", ["onehot", "onehot+numeric", "ordinal"])
@pytest.mark.parametrize(
    "final", [None, OtherRegression(max_iter=2_000)], ids=["default", "scikit-learn"]
)
def test_meta_features_beside_every_encoding(encoding, final):
    X, y = labels(60, 3, 3, n_labels=3)
    X["number"] = np.arange(60) % 7 / 7 + y
    model = AugmentedClassifier(final_estimator=final, encoding=encoding).fit(X, y)
    assert model.score(X, y) > 0.8
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_wide_mixtures_add_the_rows_of_components_together(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 6)), np.arange(90) % 3
    X += rng.integers(0, 2, (90, 1)) * 4 + y[:, None]
    whole = MixtureDiscriminantAnalysis().fit(X, y)
    monkeypatch.setattr("augury.generative.densities.normal_mixtures._WIDE", 1)
    together = MixtureDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(together.means_, whole.means_, rtol=1e-10)
    np.testing.assert_allclose(together.covariances_, whole.covariances_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(
        together.predict_joint_log_proba(X), whole.predict_joint_log_proba(X), rtol=1e-10
    )
    own = MixtureDiscriminantAnalysis(covariance_type="own").fit(X, y)
    monkeypatch.undo()
    expected = MixtureDiscriminantAnalysis(covariance_type="own").fit(X, y)
    np.testing.assert_array_equal(own.predict_proba(X), expected.predict_proba(X))


def test_equal_values_have_equal_interval_probabilities(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 4)).astype(float), np.arange(60) % 3
    X[rng.random(X.shape) < 0.1] = np.nan
    model = NaiveBayes(continuous="interval").fit(X, y)
    computed = []
    method = IntervalColumns._log_probability
    monkeypatch.setattr(
        IntervalColumns,
        "_log_probability",
        lambda self, value, *rest: computed.append(len(value)) or method(self, value, *rest),
    )
    together = model.predict_joint_log_proba(X)
    assert max(computed) < 30
    alone = np.concatenate([model.predict_joint_log_proba(X[[i]]) for i in range(60)])
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("numbers", [True, False])
def test_a_regression_of_many_classes_searches_twice(numbers, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = labels(1_500, 3, 30, n_labels=4)
    if numbers:
        X["number"] = rng.normal(size=1_500) + y
    once = LogisticRegression(tol=1e-9).fit(X, y)
    monkeypatch.setattr(sample_start, "MAX_CLASSES", 20)
    made = []
    curvature = estimation.SampleCurvature
    monkeypatch.setattr(
        estimation, "SampleCurvature", lambda *a, **k: made.append(a) or curvature(*a, **k)
    )
    twice = LogisticRegression(tol=1e-9).fit(X, y)
    assert len(made) == 1
    assert twice.n_iter_ > 20
    np.testing.assert_allclose(twice.coef_, once.coef_, atol=1e-5)
    with pytest.warns(ConvergenceWarning, match="ended after 10 steps"):
        LogisticRegression(tol=1e-9, max_iter=10).fit(X, y)
    assert len(made) == 1
    LogisticRegression().fit(X, y, sample_weight=np.arange(1_500) % 3 + 1)
    assert len(made) == 1


# "A text target with as many classes as rows / 3."
@pytest.mark.parametrize(
    "name", ["nb", "tan", "hnb", "lr", "wanbia-c", "blended-nb", "hybrid", "c45", "knn", "lda"]
)
def test_a_class_for_each_three_rows(name):
    X, y = labels(300, 5, 100, n_labels=6)
    model = build_model(name).fit(X, np.array([f"class {k}" for k in y]))
    proba = model.predict_proba(X[:20])
    assert proba.shape == (20, 100)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
