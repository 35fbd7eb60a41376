"""Predictions of one row and of 1,000 rows, against CategoricalNB and LightGBM."""

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from augury import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    LogisticRegression,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.models import build_model
from benchmarks.speed.hybrid_fit import mixed_table
from benchmarks.timing import compare

MODELS = (
    NaiveBayes,
    TreeAugmentedNaiveBayes,
    LogisticRegression,
    HiddenNaiveBayes,
    AveragedOneDependence,
)
CALLS = 50  # calls in one measurement


def repeat(work, rows):
    for _ in range(CALLS):
        work(rows)


def main() -> None:
    from lightgbm import LGBMClassifier

    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (5000, 30))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.integers(0, 4, 5000)) % 3
    peer = CategoricalNB().fit(X, y)
    for kind in MODELS:
        model = kind(categorical_features="all").fit(X, y)
        for n_rows in (1, 1000):
            compare(
                f"{kind.__name__}, array of {n_rows:,} × 30, {CALLS} calls",
                lambda model=model, n=n_rows: repeat(model.predict, X[:n]),
                "CategoricalNB",
                lambda n=n_rows: repeat(peer.predict, X[:n]),
                target=">= 1" if n_rows == 1 else "NB: >= 5" if kind is NaiveBayes else "",
            )
    X, y = mixed_table(5000)
    categories = X.assign(**{name: X[name].astype("category") for name in X if name[0] == "t"})
    peer = LGBMClassifier(n_jobs=1, verbose=-1).fit(categories, y)
    row, peer_row = X.iloc[:1], categories.iloc[:1]
    models = {"nb": ">= 5", "hybrid": ">= 2"}
    for name, target in models.items():
        model = build_model(name, {}, seed=0, key=name).fit(X, y)
        compare(
            f"{name}, frame of 1 × 30 with text, {CALLS} calls",
            lambda model=model: repeat(model.predict, row),
            "LightGBM",
            lambda: repeat(peer.predict, peer_row),
            target=target,
        )


if __name__ == "__main__":
    main()
