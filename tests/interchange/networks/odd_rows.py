"""Rows with odd names, missing values and unseen labels, for tests of networks in files."""

import numpy as np
import pandas as pd

from augury.generative import (
    BayesianNetworkClassifier,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.structure import Structure

_N = 240

ODD_NAMES = {
    "sky blue": ["sun", "ra in", 'f"o|g;{}', "naïve, 'quoted'"],
    "年龄\n岁": ["少", "老\t", "missing", ""],
    "table": ["table", "default", "table_", "<b>&amp;</b>"],
}


def make_rows() -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame]:
    """Return training rows, their classes, and test rows with more gaps and unseen labels."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            name: pd.Series(rng.choice(labels, _N), dtype=object)
            for name, labels in ODD_NAMES.items()
        }
    )
    X["wind"] = rng.normal(size=_N)
    X["rain (mm)"] = rng.exponential(size=_N) * (X["sky blue"] == "ra in")
    X["whole"] = rng.choice([1, 2, 30], _N)
    X["flag"] = rng.random(_N) < 0.5
    X["grade"] = pd.Categorical(rng.choice(list("ab"), _N), categories=list("abc"))
    X["user"] = [f"u{int(k)}" for k in rng.integers(90, size=_N)]
    shows = (X["wind"] > 0) ^ (X["sky blue"] == "sun")
    y = np.where(shows, "stay; in", np.where(X["flag"], "go", "naïve"))
    for name in ("sky blue", "wind", "grade"):
        X.loc[rng.random(_N) < 0.1, name] = np.nan if name == "wind" else None
    T = X.sample(frac=1.0, random_state=1).reset_index(drop=True)
    for name in T:
        gone = rng.random(_N) < 0.2
        if name in ("whole", "flag"):
            T[name] = T[name].astype(object)
        T.loc[gone, name] = np.nan if name in ("wind", "rain (mm)") else None
    T.loc[::7, "sky blue"] = "never seen"
    T.loc[::11, "whole"] = 17
    return X, y, T


MODELS = {
    "nb": NaiveBayes(),
    "tan": TreeAugmentedNaiveBayes(),
    "tan-ignore": TreeAugmentedNaiveBayes(missing="ignore"),
    "tan-replace": TreeAugmentedNaiveBayes(missing="replace", discretizer="frequency"),
    "tan-unsmoothed": TreeAugmentedNaiveBayes(alpha=0.0),
    "kdb": KDependenceBayes(),
    "k2": BayesianNetworkClassifier(),
    "ll": BayesianNetworkClassifier(structure_score="ll", max_parents=1),
    "acll": BayesianNetworkClassifier(structure_score="acll"),
    "cll": BayesianNetworkClassifier(structure_score="cll", max_parents=1),
    "general": BayesianNetworkClassifier(
        structure_score="aic", class_is_parent=False, max_parents=3
    ),
    "class-has-parents": BayesianNetworkClassifier(
        Structure(
            ((), (0,), (), (0, 2), (), (), (), (), ()),
            class_parents=(3, 6),
            class_children=(4, 5, 7),
        )
    ),
}


def fit(name: str, X: pd.DataFrame, y: np.ndarray):
    """Return a fitted model; the whole numbers are labels."""
    from sklearn.base import clone

    return clone(MODELS[name]).set_params(categorical_features=["whole"]).fit(X, y)
