"""The models that the flagship is compared with, as other libraries mean them to be used.

Boosted trees and EBM get labels as categories and gaps as gaps, which they read by themselves.
Forests, the kernel machine and scikit-learn's regression get indicators and scaled numbers
(`PreprocessedClassifier`). Every opponent has its library's defaults, one thread and a fixed seed,
unless its name says otherwise.
"""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from augury.models import build_model
from augury.models.preprocessed_classifier import PreprocessedClassifier

OURS = (
    "augury", "tree-boosting", "kernel", "random-trees", "random-cuts", "hybrid", "lr", "hnb", "nb"
)  # fmt: skip
BOOSTERS = ("lightgbm", "xgboost", "catboost", "catboost, one-hot", "hist-boosting")
# CatBoost is tuned with one-hot labels: with its own statistics of labels the 13 fits of a fold
# take up to ten minutes.
TUNED = tuple(f"{name}, tuned" for name in BOOSTERS if name != "catboost")
SEED = 0
N_INNER = 3

# The grids of the tuned boosters: learning rate, and size of a tree.
GRIDS: dict[str, dict[str, list[Any]]] = {
    "lightgbm": {"learning_rate": [0.03, 0.1], "num_leaves": [4, 15]},
    "xgboost": {"learning_rate": [0.05, 0.3], "max_depth": [2, 4]},
    "catboost, one-hot": {"iterations": [100, 300], "depth": [3, 6]},
    "hist-boosting": {"learning_rate": [0.03, 0.1], "max_leaf_nodes": [4, 15]},
}


class NativeColumns(ClassifierMixin, BaseEstimator):
    """A classifier that reads categories and gaps by itself, on any data frame.

    Labels become pandas categories, those of the training rows; text for CatBoost. Numbers and
    their gaps stay as they are. The classifier gets the classes that have rows as 0, 1, ….
    """

    def __init__(self, estimator, labels_as="category"):
        self.estimator = estimator
        self.labels_as = labels_as

    def fit(self, X, y):
        """Learn the labels of each column, then the model."""
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        X = X.loc[:, X.notna().any()]  # some libraries refuse a column that has only gaps
        self._columns = X.columns
        self._labels = {
            name: pd.CategoricalDtype(sorted(map(str, X[name].dropna().unique())))
            for name in X.columns
            if not pd.api.types.is_numeric_dtype(X[name])
        }
        positions = [j for j, name in enumerate(X.columns) if name in self._labels]
        options = {"cat_features": positions} if self.labels_as == "text" else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._fitted = clone(self.estimator).fit(self._read(X), codes, **options)
        return self

    def _read(self, X):
        columns = {}
        for name in self._columns:
            if name not in self._labels:
                columns[name] = X[name].astype(np.float64)
            elif self.labels_as == "text":
                columns[name] = X[name].astype(object).where(X[name].notna(), "a gap").astype(str)
            else:
                text = X[name].astype(object).map(str, na_action="ignore")
                columns[name] = text.astype(self._labels[name])
        frame = pd.DataFrame(columns)
        frame.columns = [f"column{j}" for j in range(frame.shape[1])]
        return frame

    def predict_proba(self, X):
        """Return probabilities of the classes that had rows."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._fitted.predict_proba(self._read(X))


def tuned(estimator, grid):
    """Return a nested search: the grid's best log loss in three inner folds."""
    inner = StratifiedKFold(N_INNER, shuffle=True, random_state=SEED)
    return GridSearchCV(estimator, grid, scoring=inner_log_loss, cv=inner)


def inner_log_loss(model, X, y):
    """Return minus the log loss; classes without training rows have the smallest probability."""
    proba = np.asarray(model.predict_proba(X))
    known = {label: k for k, label in enumerate(model.classes_)}
    own = [
        row[known[label]] if label in known else 0.0 for row, label in zip(proba, y, strict=True)
    ]
    return float(np.mean(np.log(np.maximum(own, 1e-7))))


def lightgbm(**options):
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_jobs=1, verbose=-1, random_state=SEED, **options)


def xgboost(**options):
    from xgboost import XGBClassifier

    return XGBClassifier(enable_categorical=True, n_jobs=1, random_state=SEED, **options)


def catboost(**options):
    from catboost import CatBoostClassifier

    return CatBoostClassifier(
        thread_count=1, verbose=False, allow_writing_files=False, random_seed=SEED, **options
    )


def one_hot_catboost(**options):
    """Return CatBoost without its statistics of labels, which take most of its time."""
    return catboost(one_hot_max_size=255, **options)


def hist_boosting(**options):
    return HistGradientBoostingClassifier(random_state=SEED, **options)


def ebm(**options):
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(n_jobs=1, random_state=SEED, **options)


BOOSTER_MAKERS: dict[str, Callable[..., Any]] = {
    "lightgbm": lightgbm,
    "xgboost": xgboost,
    "catboost": catboost,
    "catboost, one-hot": one_hot_catboost,
    "hist-boosting": hist_boosting,
}


def boosted(name):
    """Return a booster with its defaults."""
    return NativeColumns(
        BOOSTER_MAKERS[name](), "text" if name.startswith("catboost") else "category"
    )


def tuned_boosted(name):
    """Return a booster whose size of trees and learning rate are chosen by inner folds."""
    name = name.removesuffix(", tuned")
    grid = {f"estimator__{key}": values for key, values in GRIDS[name].items()}
    return tuned(boosted(name), grid)


MAKERS: dict[str, Callable[[], Any]] = {
    **{name: partial(build_model, name, seed=SEED) for name in OURS},
    "augury, fast": partial(build_model, "augury", {"effort": "fast"}, seed=SEED),
    "augury, best": partial(build_model, "augury", {"effort": "best"}, seed=SEED),
    "random forest": lambda: PreprocessedClassifier(RandomForestClassifier(300, random_state=SEED)),
    "extra-trees": lambda: PreprocessedClassifier(ExtraTreesClassifier(300, random_state=SEED)),
    **{name: partial(boosted, name) for name in BOOSTERS},
    "EBM": lambda: NativeColumns(ebm()),
    # The defaults average 14 models, and take 14 times as long.
    "EBM, one bag": lambda: NativeColumns(ebm(outer_bags=1)),
    "SVM, RBF": lambda: PreprocessedClassifier(SVC(probability=True, random_state=SEED)),
    "scikit-learn LR": lambda: PreprocessedClassifier(LogisticRegression(max_iter=1000)),
    **{name: partial(tuned_boosted, name) for name in TUNED},
}

__all__ = ["MAKERS", "OURS", "TUNED", "NativeColumns"]
