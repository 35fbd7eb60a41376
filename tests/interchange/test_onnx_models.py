"""Every model that can be exported: onnxruntime predicts what the model predicts."""

import pytest
from sklearn.pipeline import make_pipeline

from augury.discriminative import (
    KernelClassifier,
    LiblinearLogisticRegression,
    LogisticRegression,
)
from augury.encode import TidyColumns
from augury.ensemble import (
    HybridClassifier,
    RandomCutEnsemble,
    RandomizedTrees,
    TreeBoosting,
)
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    BernoulliNaiveBayes,
    CorrelationWeightedNaiveBayes,
    HiddenNaiveBayes,
    KDependenceBayes,
    LinearDiscriminantAnalysis,
    MultinomialNaiveBayes,
    NaiveBayes,
    PoissonNaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import (
    AugmentedClassifier,
    BlendedNaiveBayes,
    DiscriminativelyWeightedNaiveBayes,
)
from tests.interchange.onnx_rows import TABLES, assert_equal_predictions

MODELS = {
    "nb": NaiveBayes(),
    "nb, gaps replaced": NaiveBayes(missing="replace"),
    "nb, gaps ignored": NaiveBayes(missing="ignore", discretizer="frequency"),
    "gaussian nb": NaiveBayes(continuous="gaussian"),
    "kernel nb": NaiveBayes(continuous="kernel"),
    "kernel nb, gaps replaced": NaiveBayes(continuous="kernel", missing="replace"),
    "lr": LogisticRegression(),
    "lr, reference": LogisticRegression(coefficients="reference", continuous="standardize"),
    "lr, intervals": LogisticRegression(continuous="discretize", missing="replace"),
    "hnb": HiddenNaiveBayes(),
    "hnb, gaps ignored": HiddenNaiveBayes(alpha=1.0, missing="ignore"),
    "aode": AveragedOneDependence(),
    "aode, rare parents": AveragedOneDependence(frequency_limit=60),
    "tan": TreeAugmentedNaiveBayes(),
    "kdb": KDependenceBayes(),
    "bn": BayesianNetworkClassifier(),
    "lda": LinearDiscriminantAnalysis(),
    "qda": QuadraticDiscriminantAnalysis(),
    "rda": RegularizedDiscriminantAnalysis(),
    "hybrid": AugmentedClassifier(HiddenNaiveBayes()),
    "nb and lr": AugmentedClassifier(output="proba", scaling="standardize", cv=None),
    "meta-features only": AugmentedClassifier(encoding="none"),
    "one-hot and lr": AugmentedClassifier(encoding="onehot+numeric"),
    "nb-lr": AugmentedClassifier.as_published("nb-lr"),
    "hnb-lr": AugmentedClassifier.as_published("hnb-lr"),
    "lr-lr": AugmentedClassifier.as_published("lr-lr"),
    "liblinear": LiblinearLogisticRegression(),
    "liblinear, ordinal": LiblinearLogisticRegression.as_published(),
    "cfw-nb": CorrelationWeightedNaiveBayes(),
    "wanbia-c": DiscriminativelyWeightedNaiveBayes(),
    "blended-nb": BlendedNaiveBayes(),
    "bernoulli": BernoulliNaiveBayes(),
    "bernoulli, gaps replaced": BernoulliNaiveBayes(missing="replace", binarize=1.0),
    "kernel": KernelClassifier(n_landmarks=60),
    "random trees": RandomizedTrees(n_estimators=12, random_state=0),
    "boosting": TreeBoosting(max_rounds=15),
    "random cuts": RandomCutEnsemble(n_estimators=4, random_state=0),
    "random cuts, nb": RandomCutEnsemble(NaiveBayes(), n_estimators=4, random_state=0),
    "augury": HybridClassifier(),
    "augury, fast": HybridClassifier(effort="fast"),
    "augury, fast, balanced": HybridClassifier(effort="fast", class_weight="balanced"),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", MODELS)
def test_onnxruntime_predicts_what_the_model_predicts(name, table):
    rows = TABLES[table](seed=1)
    model = make_pipeline(TidyColumns(), MODELS[name]).fit(rows.X, rows.y)
    assert_equal_predictions(model, rows.new)


@pytest.mark.parametrize("model", [MultinomialNaiveBayes(), PoissonNaiveBayes()], ids=str)
@pytest.mark.parametrize(
    "table", [table for table in TABLES if table not in ("wide", "numbers only")]
)
def test_models_of_counts(model, table):
    rows = TABLES[table](seed=1)
    X, new = (frame.drop(columns=["size"], errors="ignore") for frame in (rows.X, rows.new))
    assert_equal_predictions(model.fit(X, rows.y), new)


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_models_without_tidy_columns_in_other_random_tables(name, seed):
    rows = TABLES["three integers"](seed)
    model = MODELS[name].fit(rows.X, rows.y)
    assert_equal_predictions(model, rows.new)
