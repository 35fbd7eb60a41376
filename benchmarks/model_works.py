"""One fit and one prediction of every model, on a table of the kind that the model is made for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import coo_array, issparse
from sklearn.feature_extraction.text import CountVectorizer

from augury.data.synthetic import make_random_network, sample_network
from augury.discriminative import LiblinearLogisticRegression
from augury.ensemble import BoostedNaiveBayes
from augury.generative import (
    BernoulliNaiveBayes,
    MultinomialNaiveBayes,
    NaiveBayes,
    PoissonNaiveBayes,
)
from augury.hybrid import (
    BiasVarianceSplit,
    IndependenceSplit,
    InformationSplit,
    MaximumEntropyNaiveBayes,
    NormalitySplit,
    RegionLogisticRegression,
    RegionWeightedNaiveBayes,
)
from augury.models import build_model
from benchmarks.speed.hybrid_fit import mixed_table

_N_COLUMNS, _N_STATES, _N_CLASSES = 30, 5, 3
_N_WORDS, _WORDS_OF_TEXT = 50_000, 50

Rows = tuple[Any, Any]


def labels(n_rows: int) -> Rows:
    """Return an int64 array of 30 columns of 5 labels, drawn from a random network."""
    network = make_random_network(_N_COLUMNS, _N_STATES, _N_CLASSES, max_parents=1, random_state=0)
    data = sample_network(n_rows, *network, random_state=0)
    codes = np.column_stack([column.cat.codes for _, column in data.X.items()])
    return codes.astype(np.int64), data.y.cat.codes.to_numpy().astype(np.int64)


def numbers(n_rows: int) -> Rows:
    """Return a float64 array of 30 normal columns whose means depend on the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, _N_CLASSES, n_rows)
    return rng.standard_normal((n_rows, _N_COLUMNS)) + 0.3 * y[:, None], y


def words(n_rows: int) -> Rows:
    """Return a CSR matrix of 50,000 columns with 50 words in each row; a few are frequent."""
    rng = np.random.default_rng(0)
    columns = (_N_WORDS * rng.random(n_rows * _WORDS_OF_TEXT) ** 3).astype(np.int32)
    rows = np.repeat(np.arange(n_rows, dtype=np.int32), _WORDS_OF_TEXT)
    ones = np.ones(len(columns), dtype=np.int64)
    matrix = coo_array((ones, (rows, columns)), shape=(n_rows, _N_WORDS)).tocsr()
    return matrix, rng.integers(0, 2, n_rows)


def texts(n_rows: int) -> Rows:
    """Return a frame of two columns of text, of 5 and of 45 words, in two classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    drawn = (5_000 * rng.random((n_rows, _WORDS_OF_TEXT)) ** 3).astype(np.int64) + 40 * y[:, None]
    known = np.array([f"word{k}" for k in range(5_040)], dtype=object)[drawn]
    joined = [(" ".join(row[:5]), " ".join(row[5:])) for row in known]
    return pd.DataFrame(joined, columns=["title", "body"], dtype="str"), y


TABLES: dict[str, Callable[[int], Rows]] = {
    "labels": labels,
    "numbers": numbers,
    "mixed": mixed_table,
    "words": words,
    "texts": texts,
}


@cache
def table_of(kind: str, n_rows: int) -> Rows:
    """Return X and y of a kind; see the functions of `TABLES`."""
    return TABLES[kind](n_rows)


@dataclass(frozen=True)
class ModelWork:
    """A model, the kind of its table, and the numbers of rows that it learns and predicts."""

    name: str
    kind: str
    n_fitted: int = 200_000
    n_predicted: int = 200_000
    make: Callable[[], Any] | None = None

    def rows(self) -> Rows:
        """Return X and y of the fit."""
        return table_of(self.kind, self.n_fitted)

    def predicted_rows(self) -> Any:
        """Return the rows of the prediction, the first of the fit."""
        return self.rows()[0][: self.n_predicted]

    def build(self) -> Any:
        """Return the model without a fit; the integers of `labels` are categories."""
        model = build_model(self.name) if self.make is None else self.make()
        if self.kind == "labels":
            reader = model if hasattr(model, "categorical_features") else model.estimator
            reader.set_params(categorical_features="all")
        return model


def _of_words(kind: type) -> Callable[[], Any]:
    return lambda: kind(vectorizer=CountVectorizer())


# The smaller tables are for models whose time grows faster than the rows.
WORKS = [
    *(ModelWork(name, "labels") for name in ("nb", "aode", "hnb", "tan", "kdb", "bn", "cfw-nb")),
    *(ModelWork(name, "numbers") for name in ("gaussian-nb", "kernel-nb", "lda", "qda", "rda")),
    ModelWork("mda", "numbers", 50_000),
    ModelWork("bernoulli", "words", make=BernoulliNaiveBayes),
    ModelWork("multinomial", "words", make=MultinomialNaiveBayes),
    ModelWork("poisson", "words", make=PoissonNaiveBayes),
    ModelWork("lr", "labels"),
    ModelWork("lr", "numbers"),
    ModelWork("liblinear-lr", "numbers", 20_000, make=LiblinearLogisticRegression),
    ModelWork("svm", "numbers", 20_000),
    ModelWork("gam", "numbers"),
    ModelWork("c45", "labels", 50_000),
    ModelWork("c45", "numbers", 20_000),
    ModelWork("knn", "numbers", 50_000, 2_000),
    ModelWork("knn", "labels", 50_000, 2_000),
    ModelWork("kernel", "numbers", 50_000),
    ModelWork("wanbia-c", "mixed"),
    ModelWork("blended-nb", "labels"),
    ModelWork("hbayes-nb", "labels", 10_000),
    ModelWork("boosted-nb", "labels", make=lambda: BoostedNaiveBayes(NaiveBayes(), random_state=0)),
    ModelWork("bagged-networks", "labels", 20_000),
    ModelWork("random-trees", "mixed", 50_000),
    ModelWork("tree-boosting", "mixed", 50_000),
    ModelWork("random-cuts", "mixed", 50_000),
    ModelWork("augury", "mixed", 50_000),
    ModelWork("nb", "mixed"),
    ModelWork("hybrid", "mixed"),
    *(ModelWork(name, "mixed") for name in ("nb-nb", "nb-lr", "lr-nb", "lr-lr", "hnb-lr")),
    ModelWork("bias-variance split", "mixed", make=BiasVarianceSplit),
    ModelWork("independence split", "mixed", make=IndependenceSplit),
    ModelWork("information split", "mixed", make=InformationSplit),
    ModelWork("normality split", "mixed", make=NormalitySplit),
    ModelWork(
        "region-weighted nb",
        "texts",
        20_000,
        make=lambda: RegionWeightedNaiveBayes(vectorizer=CountVectorizer()),
    ),
    ModelWork(
        "maximum-entropy nb",
        "texts",
        20_000,
        make=lambda: MaximumEntropyNaiveBayes(vectorizer=CountVectorizer()),
    ),
    ModelWork(
        "region lr",
        "texts",
        20_000,
        make=lambda: RegionLogisticRegression(vectorizer=CountVectorizer()),
    ),
]


def bytes_of(X: Any) -> int:
    """Return the bytes of a table, those of its texts included."""
    if issparse(X):
        return int(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes)
    if isinstance(X, pd.DataFrame):
        return int(X.memory_usage(index=False, deep=True).sum())
    return int(np.asarray(X).nbytes)


__all__ = ["WORKS", "ModelWork", "bytes_of"]
