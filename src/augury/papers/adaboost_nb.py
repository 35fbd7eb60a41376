"""AdaBoost over naive Bayes, a coursework report: Table 1 and the figures.

The report prints one shuffled 10-fold cross-validation of naive Bayes with Laplace smoothing
and normal densities, and of AdaBoost over it by re-weighting. Ours are WEKA's folds, drawn ten
times (letter once, because boosting 26 classes takes seconds for each fold), and everything is
learned inside the fold. A cell therefore agrees if its mean is within 1.5 points. The printed
standard deviations are the square roots of the report's variances.

- The report does not state its number of boosting rounds; its numbers are those of the *best*
  number of rounds, found on the test folds. Ours are those of `N_ROUNDS`. On credit-g all
  numbers of rounds from 3 to 50 are within 0.3 points of each other. On breast-cancer boosting
  does not help: a single naive Bayes has 74.2, three rounds have 73.0 and fifty have 70.8. The
  best number of rounds of each run has at most 75.4, so the printed 76.17 is not reached.
- breast-cancer has the 277 rows without a missing value: other programs written for the same
  coursework file read 277 rows of 9 columns. Declared states stay declared.
- These programs read 24 columns of the german file, which is the numeric variant of UCI. Our
  credit-g is the original with 20 columns.
- The report states that re-sampling is worse, without numbers. letter is not in the report:
  AdaBoost over naive Bayes is worse there than a single model, by re-weighting and by
  re-sampling. The column "small steps" is not in the report either: it is the default of
  `BoostedNaiveBayes`, except for the number of rounds.
- The report suggests to give a number more weight by raising the number itself. The column
  "AdaBoost-NB raised" does so, see `RaisedNaiveBayes`. breast-cancer has no numbers, so its cell is
  that of AdaBoost-NB.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone

from augury.arrays import Array
from augury.counts import Moments
from augury.data import Dataset, load_dataset
from augury.encode import CategoricalTable
from augury.ensemble import BoostedNaiveBayes
from augury.evaluate import WekaFolds
from augury.generative import NaiveBayes
from augury.generative.statistics.naive_bayes_statistics import NaiveBayesStatistics
from augury.report import Line, line_chart
from augury.reproduce.figure import Figure, FigureInputs
from augury.reproduce.known_deviation import measured_deviations
from augury.reproduce.paper import Column, DataDir, Paper
from augury.reproduce.printed_cell import read_cells
from augury.reproduce.tolerance import WithinPoints

N_ROUNDS = 10
# Small steps need more rounds. On breast-cancer all numbers of rounds up to 30 are better than
# the single model, by 0.1 to 0.5 points, and 50 rounds are worse by 0.1. On the other data sets
# more rounds are better.
SMALL_STEP_ROUNDS = 30
FIGURE_ROUNDS = 50

_TOLERANCE = WithinPoints(1.5)

# Our mean minus the printed one: 70.91 - 76.17.
KNOWN_DEVIATIONS = measured_deviations(
    "AdaBoost-NB",
    {"breast-cancer": -5.26},
    "printed for the best number of rounds, probably of another file",
    "docs/results/adaboost-nb.md#the-data-of-the-report",
    margin=0.3,
)

_FIGURE_FOLDS = WekaFolds(n_splits=10, n_repeats=1)


def load_view(name: str, data_dir: DataDir = None) -> Dataset:
    """Return a data set of the report; breast-cancer without rows that have a missing value."""
    dataset = load_dataset(name, data_dir)
    if name != "breast-cancer":
        return dataset
    rows = dataset.X.notna().all(axis=1)
    return replace(dataset, X=dataset.X[rows], y=dataset.y[rows])


def single() -> NaiveBayes:
    """Return the naive Bayes of the report: Laplace smoothing and normal densities."""
    return NaiveBayes(continuous="gaussian", alpha=1.0)


class RaisedNaiveBayes(NaiveBayes):
    """Naive Bayes with weights as section 3.2 of the report describes them for numbers.

    The report: a larger weight of a row shifts the mean towards it, and "in fact this can be done
    by raising the value". The reading: a number is multiplied by the weight of its row, whose mean
    over all rows is 1 (n times the report's weight), and the mean and the variance of the
    products are those of equal weights. Labels and classes are counted with weights. Rows that
    are predicted are not raised.

    This is no re-weighting. The mean of the products over all rows is the weighted mean, but in
    each class it is off by the class's mean weight. The variance is that of the products, so it
    grows with the variance of the weights, and a constant column gets a variance. The result
    depends on the zero of the scale: 1 added to all values changes the model. It is part of
    the reproduction only.
    """

    def _collect(
        self, table: CategoricalTable, y: Array, weight: Array | None
    ) -> NaiveBayesStatistics:
        weighted = super()._collect(table, y, weight)
        if weight is None:
            return weighted
        raised = Moments.collect(table.numbers * weight[:, None], y, len(self.classes_))
        return replace(weighted, moments=raised)


def boosted(
    method: str, n_rounds: int = N_ROUNDS, *, estimator: NaiveBayes | None = None
) -> BoostedNaiveBayes:
    """Return the AdaBoost of the report over naive Bayes, by "reweight" or "resample"."""
    return BoostedNaiveBayes(
        single() if estimator is None else estimator,
        n_estimators=n_rounds,
        method=method,
        learning_rate=1.0,
        voting="hard",
        random_state=0,
    )


def raised() -> BoostedNaiveBayes:
    """Return the AdaBoost of the report with numbers that are raised instead of weighted."""
    estimator = RaisedNaiveBayes(continuous="gaussian", alpha=1.0)
    return boosted("reweight", estimator=estimator)


def small_steps(n_rounds: int = SMALL_STEP_ROUNDS) -> BoostedNaiveBayes:
    """Return boosting with augury's defaults: small steps and soft votes."""
    return BoostedNaiveBayes(single(), n_estimators=n_rounds)


def accuracy_by_round(
    model: BoostedNaiveBayes, dataset: Dataset, n_rounds: int, *, n_jobs: int | None = None
) -> Array:
    """Return the mean accuracy over the folds after 1, …, n_rounds rounds, in percent.

    If boosting stops early, its last accuracy is repeated.
    """
    folds = _FIGURE_FOLDS.split(dataset.X, dataset.y)
    curves = Parallel(n_jobs=n_jobs)(
        delayed(_staged_accuracy)(model, dataset, n_rounds, train, test) for train, test in folds
    )
    return np.asarray(100.0 * np.mean(curves, axis=0))


def _staged_accuracy(
    model: BoostedNaiveBayes, dataset: Dataset, n_rounds: int, train: Array, test: Array
) -> Array:
    X, y = dataset.X, dataset.y
    fitted = clone(model).fit(X.iloc[train], y.iloc[train])
    truth = np.asarray(y.iloc[test])
    curve = [float(np.mean(guess == truth)) for guess in fitted.staged_predict(X.iloc[test])]
    return np.array(curve + [curve[-1]] * (n_rounds - len(curve)))


def draw_rounds(inputs: FigureInputs, *, n_rounds: int = FIGURE_ROUNDS) -> str:
    """Draw accuracy against the number of rounds, as in Figures 1 and 2 of the report."""
    rounds, dataset = np.arange(1, n_rounds + 1), inputs.dataset
    curve = partial(accuracy_by_round, dataset=dataset, n_rounds=n_rounds, n_jobs=inputs.n_jobs)
    first = curve(boosted("reweight", n_rounds))
    lines = [
        Line("re-weighting", rounds, first),
        Line("re-sampling", rounds, curve(boosted("resample", n_rounds))),
        Line("small steps", rounds, curve(small_steps(n_rounds))),
        # The first model of re-weighting has equal weights, so it is the single model.
        Line("single naive Bayes", rounds[[0, -1]], first[[0, 0]]),
    ]
    return line_chart(
        lines,
        title=f"AdaBoost over naive Bayes on {dataset.name}",
        x_label="rounds",
        y_label="accuracy by 10-fold cross-validation, %",
    )


PAPER = Paper(
    name="adaboost-nb",
    citation="Q. Hu: Ensemble learning (in Chinese). Coursework report, Nanjing University",
    protocol="honest",
    splitter=WekaFolds(n_splits=10, n_repeats=10),
    cells=read_cells(__file__),
    columns={
        "NB": Column(single, _TOLERANCE),
        "AdaBoost-NB": Column(partial(boosted, "reweight"), _TOLERANCE),
        "AdaBoost-NB resampled": Column(partial(boosted, "resample"), _TOLERANCE),
        "AdaBoost-NB raised": Column(raised, _TOLERANCE),
        "small steps": Column(small_steps, _TOLERANCE),
    },
    reference="NB",
    load=load_view,
    unprinted=("letter",),
    repeats={"letter": 1},
    figures={
        f"adaboost-nb-{name}": Figure(draw_rounds, dataset=name)
        for name in ("breast-cancer", "credit-g", "letter")
    },
    known_deviations=KNOWN_DEVIATIONS,
)

__all__ = [
    "FIGURE_ROUNDS",
    "N_ROUNDS",
    "PAPER",
    "RaisedNaiveBayes",
    "accuracy_by_round",
    "draw_rounds",
    "load_view",
]
