"""Hybrids by feature augmentation (2022): Tables 2 and 6, accuracy on 36 UCI sets.

The paper replaced missing values (mode, mean) and discretised by MDL on the whole
data set, test folds included, before WEKA's 10 × 10-fold cross-validation: the
protocol "published". Its identifier columns are dropped by the catalogue of
`augury.data`; class and value counts are the declared ones.
"""

from collections.abc import Callable
from functools import partial
from importlib.resources import files

from augury.discriminative import (
    C45Tree,
    KNearestNeighbors,
    LiblinearLogisticRegression,
    LinearSVM,
)
from augury.evaluate import WekaFolds
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier, HBayesNB
from augury.reproduce.known_deviation import KnownDeviation, measured_deviations
from augury.reproduce.paper import Column, Paper, read_cells
from augury.reproduce.tolerance import EqualAfterRounding, WithinPoints

# LIBLINEAR visits rows at random and is stopped near the optimum, which is what we compute.
_LIBLINEAR = WithinPoints(0.2)

_PAGE = "docs/results/hybrid-2022.md"

KNOWN_DEVIATIONS = (
    KnownDeviation(
        "NB-NB",
        "anneal",
        "the last bits of the first model's probabilities decide",
        f"{_PAGE}#nb-nb-on-anneal",
        bounds=(-0.05, 0.05),
        std_bounds=(-0.1, 0.1),
    ),
    *measured_deviations(
        "SVM",
        {"autos": 0.68, "colic.ORIG": 1.17, "letter": 4.37, "segment": 0.57},
        "the paper's solver stopped before the optimum",
        f"{_PAGE}#svm",
        margin=0.1,
    ),
    # Measured on the 36 sets: from -1.12 (kr-vs-kp) to +1.25 (vehicle).
    KnownDeviation(
        "HBayes-NB",
        "",
        "the paper leaves open how its search decides",
        f"{_PAGE}#hbayes-nb",
        bounds=(-1.25, 1.35),
    ),
)


def nb() -> NaiveBayes:
    """Return Eqs. (3)-(5), Laplace throughout.

    Gaps are gone by the published protocol; by the honest one the model replaces them
    itself, inside the fold.
    """
    return NaiveBayes(alpha=1.0, missing="replace")


def hnb() -> HiddenNaiveBayes:
    """Return HNB with Laplace's rule, unlike the m-estimates of the class that WEKA ships."""
    return HiddenNaiveBayes(alpha=1.0, missing="replace")


def lr() -> LiblinearLogisticRegression:
    """Return the regression on the integer index of each value, one class against all."""
    return LiblinearLogisticRegression.as_published()


def hybrid(name: str) -> Callable[[], AugmentedClassifier]:
    """Return what makes the hybrid of this name."""
    return partial(AugmentedClassifier.as_published, name)


PAPER = Paper(
    name="hybrid-2022",
    citation=(
        "W. Zhang, L. Jiang, H. Zhang (2022): A feature augmentation-based method for "
        "constructing generative-discriminative hybrid models (in Chinese). "
        "Scientia Sinica Informationis 52, 1792-1807"
    ),
    protocol="published",
    splitter=WekaFolds(n_splits=10, n_repeats=10),
    cells=read_cells(files("augury.papers") / "hybrid_2022.csv"),
    reference="NB",
    columns={
        "NB": Column(nb, EqualAfterRounding()),
        "LR": Column(lr, _LIBLINEAR),
        "NB-LR": Column(hybrid("nb-lr"), _LIBLINEAR),
        "NB-NB": Column(hybrid("nb-nb"), EqualAfterRounding()),
        "LR-NB": Column(hybrid("lr-nb"), _LIBLINEAR),
        "LR-LR": Column(hybrid("lr-lr"), _LIBLINEAR),
        "HBayes-NB": Column(HBayesNB.as_published, _LIBLINEAR),
        "HNB": Column(hnb, EqualAfterRounding()),
        "HNB-LR": Column(hybrid("hnb-lr"), _LIBLINEAR),
        "SVM": Column(LinearSVM.as_published, WithinPoints(0.5)),
        "KNN": Column(KNearestNeighbors, EqualAfterRounding()),
        "C4.5": Column(C45Tree, EqualAfterRounding()),
    },
    known_deviations=KNOWN_DEVIATIONS,
)

__all__ = ["PAPER"]
