"""Every classifier explains its log odds by the columns of its table, and draws its structure."""

import inspect
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

from augury.bases import TableClassifier
from augury.bases.draws_structure import DrawsStructure
from augury.bases.explained_classifier import ExplainedClassifier, attribute
from augury.bases.partial_scores import floor_scores
from augury.discriminative import (
    C45Tree,
    LiblinearLogisticRegression,
    LinearSVM,
    LogisticRegression,
)
from augury.ensemble import (
    BaggedNetworks,
    BoostedNaiveBayes,
    HybridClassifier,
    RandomCutEnsemble,
    TreeBoosting,
)
from augury.generative import (
    AveragedOneDependence,
    BernoulliNaiveBayes,
    HiddenNaiveBayes,
    KDependenceBayes,
    MultinomialNaiveBayes,
    NaiveBayes,
    PoissonNaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from augury.generative.bases import EventModel, NetworkClassifier
from augury.hybrid import AugmentedClassifier, NormalitySplit
from augury.hybrid.regions.region_classifier import RegionClassifier
from augury.models.build import build_model
from augury.models.catalogue import known_models, model_classes
from augury.persist import load_model, save_model

# Parameters that select other code than the defaults do.
VARIANTS = {
    "NB gaussian": NaiveBayes(continuous="gaussian"),
    "NB interval": NaiveBayes(continuous="interval"),
    "NB without smoothing": NaiveBayes(alpha=0),
    "HNB without smoothing": HiddenNaiveBayes(alpha=0),
    "A2DE": AveragedOneDependence(n_parents=2),
    "RDA": RegularizedDiscriminantAnalysis(alpha=0.5, gamma=0.1),
    "soft bagging": BaggedNetworks(n_estimators=5, voting="soft", random_state=0),
    "hard boosting": BoostedNaiveBayes(n_estimators=5, voting="hard"),
    "boosted HNB": BoostedNaiveBayes(HiddenNaiveBayes(), n_estimators=3),
    "boosted QDA": BoostedNaiveBayes(QuadraticDiscriminantAnalysis(), n_estimators=3),
    "hybrid without columns": AugmentedClassifier(HiddenNaiveBayes(), encoding="none"),
    "hybrid of classes": AugmentedClassifier(HiddenNaiveBayes(), output="proba"),
}


def every_model() -> dict[str, TableClassifier]:
    """Return a model of each registered class and name, and the variants."""
    found = {kind.__name__: kind() for kind in model_classes()}
    for name, entry in known_models().items():
        if entry.family != "other":
            found[name] = build_model(name)
    for model in found.values():
        if "n_estimators" in model.get_params():
            model.set_params(n_estimators=5, random_state=0)
    return found | VARIANTS


MODELS = every_model()


@pytest.fixture(params=MODELS, ids=str)
def model(request) -> TableClassifier:
    return clone(MODELS[request.param])


def mixed(n_rows: int, n_classes: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Return rows of labels, numbers >= 0 and truth values, with gaps, and their classes."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "sky": random.choice(["sun", "rain", "fog"], n_rows),
            "size": random.gamma(2.0, size=n_rows),
            "town": random.choice(["Oslo", "Kyoto", None], n_rows),
            "rooms": random.integers(0, 6, n_rows),
            "kind": pd.Categorical(random.choice(["a", "b"], n_rows), categories=["a", "b", "c"]),
            "lift": random.random(n_rows) < 0.5,
        },
        index=np.arange(n_rows) * 10,
    )
    noise = random.integers(0, 2, n_rows)
    code = (X["rooms"] > 2) * 2 + ((X["sky"] == "sun") ^ (X["size"] > 1.5)) * 1 + noise
    X.loc[X.index[::5], "size"] = np.nan
    return X, np.array(["p", "q", "r", "s"])[code.to_numpy() % n_classes]


def unseen(X: pd.DataFrame) -> pd.DataFrame:
    """Return rows with labels and gaps that the training rows do not have."""
    new = X.iloc[:6].copy()
    new["sky"] = ["hail", None, *new["sky"].iloc[2:]]
    new["rooms"] = [9.0, np.nan, *new["rooms"].iloc[2:]]
    new["kind"] = pd.Categorical(["c", None, *new["kind"].iloc[2:]], categories=["a", "b", "c"])
    return new


def fit(model: TableClassifier, n_classes: int) -> tuple[TableClassifier, pd.DataFrame]:
    """Fit to 90 weighted rows; return some rows, and rows with unseen labels."""
    X, y = mixed(90, n_classes)
    weight = np.where(np.arange(90) % 3, 1.0, 2.0)
    return model.fit(X, y, sample_weight=weight), pd.concat([X.iloc[:12], unseen(X)])


def log_probabilities(model: TableClassifier, X) -> np.ndarray:
    """Return log p(c | x), or decision values, by the model's public methods."""
    if hasattr(model, "predict_log_proba"):
        return floor_scores(model.predict_log_proba(X))
    if hasattr(model, "predict_proba"):
        return np.log(np.maximum(model.predict_proba(X), np.finfo(float).tiny))
    values = model.decision_function(X)
    if values.ndim == 1:
        values = np.column_stack([np.zeros(len(values)), values])
    return floor_scores(values)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_contributions_sum_to_the_log_odds(model, n_classes):
    model, X = fit(model, n_classes)
    explained, errors = model.explain_with_errors(X)
    assert explained.columns.tolist() == ["prior", *X.columns] == errors.columns.tolist()
    assert explained.index.equals(X.index)
    assert np.isfinite(explained.to_numpy()).all()
    assert (errors.to_numpy() == 0).all(), "six columns need no sample"
    scores = log_probabilities(model, X)
    if n_classes == 2:
        odds = scores[:, 1] - scores[:, 0]
    else:
        ranked = np.sort(scores, axis=1)
        odds = ranked[:, -1] - ranked[:, -2]
    np.testing.assert_allclose(explained.sum(axis=1), odds, rtol=0, atol=1e-9)


def test_any_two_classes(model):
    model, X = fit(model, 4)
    scores = log_probabilities(model, X)
    explained = model.explain(X, "r", "p")
    np.testing.assert_allclose(
        explained.sum(axis=1), scores[:, 2] - scores[:, 0], rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(-model.explain(X, "p", "r"), explained, rtol=0, atol=1e-9)
    against_best = model.explain(X, positive="q").sum(axis=1)
    others = np.delete(scores, 1, axis=1).max(axis=1)
    np.testing.assert_allclose(against_best, scores[:, 1] - others, rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match=r"explain: positive must be one of the classes \['p'"):
        model.explain(X, "nothing")


def test_sampled_contributions_sum_to_the_log_odds_too(model):
    model, X = fit(model, 2)
    exact = model.explain(X)
    sampled, errors = model.explain_with_errors(X, n_permutations=4)
    np.testing.assert_allclose(sampled.sum(axis=1), exact.sum(axis=1), rtol=0, atol=1e-9)
    np.testing.assert_allclose(sampled["prior"], exact["prior"], rtol=0, atol=1e-9)
    assert sampled.attrs["largest_standard_error"] == errors.to_numpy().max()
    if exact.attrs["method"] == "terms":
        np.testing.assert_array_equal(sampled, exact)


def test_a_row_alone_has_the_same_contributions(model):
    model, X = fit(model, 4)
    alone = pd.concat([model.explain(X.iloc[[row]], "q", "p") for row in (0, 13)])
    np.testing.assert_allclose(
        alone, model.explain(X, "q", "p").iloc[[0, 13]], rtol=1e-7, atol=1e-9
    )


# The search of a structure, the regions of a text and the draws of cut points, of landmarks and of
# columns depend on the order of the columns.
ORDERLESS = [
    name
    for name, model in MODELS.items()
    if not isinstance(
        model,
        NetworkClassifier
        | BaggedNetworks
        | HybridClassifier
        | RandomCutEnsemble
        | RegionClassifier
        | TreeBoosting,
    )
]


@pytest.mark.parametrize("name", ORDERLESS)
def test_the_order_of_the_columns_is_the_order_of_the_contributions(name):
    model = MODELS[name]
    X, y = mixed(90, 2)
    order = ["lift", "town", "size", "kind", "sky", "rooms"]
    explained = clone(model).fit(X, y).explain(X.iloc[:5])
    turned = clone(model).fit(X[order], y).explain(X.iloc[:5][order])
    assert turned.columns.tolist() == ["prior", *order]
    np.testing.assert_allclose(turned[explained.columns], explained, rtol=1e-5, atol=2e-5)


# A constant is an event, an additional parent or a penalised intercept in these models.
USE_CONSTANTS = (
    EventModel, RegionClassifier, AveragedOneDependence, AugmentedClassifier, LinearSVM,
    HybridClassifier, LiblinearLogisticRegression, LogisticRegression, NormalitySplit,
)  # fmt: skip


@pytest.mark.parametrize(
    "name", [name for name, model in MODELS.items() if not isinstance(model, USE_CONSTANTS)]
)
def test_a_constant_column_contributes_nothing(name):
    X, y = mixed(90, 4)
    X["constant"] = 3.0
    explained = clone(MODELS[name]).fit(X, y).explain(X)
    assert explained["constant"].abs().max() < 1e-9


def test_frames_of_polars_and_arrays(model):
    X, y = mixed(60, 4)
    numbers = X[["size", "rooms", "lift"]].astype(float)
    model.fit(numbers, y)
    expected = model.explain(numbers.iloc[:8], "q", "p")
    in_polars = model.explain(pl.from_pandas(numbers.iloc[:8]), "q", "p")
    np.testing.assert_allclose(in_polars, expected, rtol=0, atol=1e-12)
    assert in_polars.columns.tolist() == expected.columns.tolist()
    in_arrays = clone(model).fit(numbers.to_numpy(), y).explain(numbers.to_numpy()[:8], "q", "p")
    assert in_arrays.columns.tolist() == ["prior", "x0", "x1", "x2"]
    np.testing.assert_allclose(in_arrays, expected, rtol=1e-7, atol=1e-7)


def test_a_saved_model_explains_the_same(model, tmp_path):
    model, X = fit(model, 4)
    save_model(model, tmp_path / "m.augury")
    again = load_model(tmp_path / "m.augury").model
    np.testing.assert_array_equal(again.explain(X), model.explain(X))


def test_a_declared_class_without_rows(model):
    X, y = mixed(60, 2)
    model.fit(X, pd.Categorical(y, categories=["p", "q", "r"]))
    usual = model.explain(X.iloc[:4], "q", "p").sum(axis=1)
    scores = log_probabilities(model, X.iloc[:4])
    np.testing.assert_allclose(usual, scores[:, 1] - scores[:, 0], rtol=0, atol=1e-9)
    against_absent = model.explain(X.iloc[:4], "q", "r")
    assert np.isfinite(against_absent.to_numpy()).all(), "a probability of zero has a floor"
    odds = against_absent.sum(axis=1)
    # The probability itself may be too small for a number.
    if hasattr(model, "predict_log_proba") or (odds < 700).all():
        np.testing.assert_allclose(odds, scores[:, 1] - scores[:, 2], rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "kind", [BernoulliNaiveBayes, MultinomialNaiveBayes, PoissonNaiveBayes, *(
        kind for kind in model_classes("hybrid") if issubclass(kind, RegionClassifier)
    )]
)  # fmt: skip
def test_counts_of_words(kind):
    random = np.random.default_rng(0)
    counts = random.poisson(0.3, (40, 30))
    y = np.array(["x", "y", "z"])[counts[:, :3].argmax(axis=1)]
    model = kind().fit(csr_array(counts), y)
    explained = model.explain(csr_array(counts[:7]), "y", "x")
    assert explained.shape == (7, 31)
    scores = model.predict_log_proba(counts[:7])
    np.testing.assert_allclose(
        explained.sum(axis=1), scores[:, 1] - scores[:, 0], rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(model.explain(counts[:7], "y", "x"), explained, atol=1e-12)


# ---- what the contributions are -----------------------------------------------------------


def test_terms_equal_shapley_values_where_the_factors_are_independent():
    X, y = mixed(90, 4)
    for model in (NaiveBayes(), NaiveBayes(continuous="gaussian"), build_model("lr")):
        model.fit(X, y)
        terms = model.explain(X.iloc[:9], "q", "p")
        weights = np.tile([-1.0, 1.0, 0.0, 0.0], (9, 1))
        general = attribute(General(model), X.iloc[:9], weights)
        assert (terms.attrs["method"], general.method) == ("terms", "shapley")
        np.testing.assert_allclose(general.prior, terms["prior"], atol=1e-12)
        np.testing.assert_allclose(general.contributions, terms.iloc[:, 1:], atol=1e-12)


class General:
    """A model of which only the scores of rows with known columns are seen."""

    def __init__(self, model: TableClassifier) -> None:
        self._explained_scores = model._explained_scores
        self._partial_scores = model._partial_scores


@pytest.mark.parametrize("kind", [HiddenNaiveBayes, AveragedOneDependence, KDependenceBayes])
def test_without_columns_the_class_prior_is_left(kind):
    X, y = mixed(90, 4)
    model = kind().fit(X, y)
    nothing = model._partial_scores(X)(np.arange(3), np.zeros((3, 6), dtype=bool))
    counts = np.unique(y, return_counts=True)[1]
    added = 0.25 if kind is HiddenNaiveBayes else 1.0  # m-estimate, and Laplace's rule
    prior = np.log((counts + added) / (90 + 4 * added))
    np.testing.assert_allclose(nothing, np.tile(prior, (3, 1)), atol=1e-12)


# ---- drawing ------------------------------------------------------------------------------


OWN = [kind for kind in model_classes() if kind.__module__.startswith("augury.")]
WITHOUT_STRUCTURE = [kind for kind in OWN if not issubclass(kind, DrawsStructure)]


@pytest.mark.parametrize("kind", WITHOUT_STRUCTURE)
def test_what_is_not_drawn_has_no_structure(kind):
    """No network, tree, weights of pairs of columns, or model that consists of models."""
    model, _ = fit(kind(), 2)
    for name in ("structure_", "tree_", "estimator_", "generative_"):
        assert not hasattr(model, name)
    assert np.ndim(getattr(model, "weights_", 0)) < 2


@pytest.mark.parametrize("form", ["text", "dot", "svg"])
def test_drawings_name_every_column(form):
    X, y = mixed(90, 4)
    X = X.rename(columns={"sky": 'sky <&> "blue"'})
    for kind in set(OWN) - set(WITHOUT_STRUCTURE) - {C45Tree}:  # a tree may not use all
        drawn = kind().fit(X, y).draw(form)
        for name in X.columns[1:]:
            assert name in drawn, kind
        if form == "svg":
            assert "sky &lt;&amp;&gt; &quot;blue&quot;" in drawn, kind
            ET.fromstring(drawn)
    with pytest.raises(ValueError, match=r"NaiveBayes.draw: form must be one of"):
        NaiveBayes().fit(X, y).draw("png")


def test_one_signature_for_all():
    expected = inspect.signature(ExplainedClassifier.explain)
    for kind in model_classes():
        assert inspect.signature(kind.explain) == expected
