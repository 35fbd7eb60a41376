"""The search of HBayes-NB under every rule that its description leaves open.

Used by `hbayes_rules`.
"""

from collections.abc import Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from augury.arrays import Array
from augury.counts import FeatureCounts, laplace_log_probability, laplace_log_table
from augury.discriminative.solvers.one_vs_rest import fit_one_vs_rest
from augury.evaluate import WekaFolds

N_INNER_FOLDS = 5
_TIE = 1e-9

Split = tuple[int, ...]  # the columns in the regression, ascending


class Rule(NamedTuple):
    """What the description leaves open.

    `coding` of the values in the regression and its solver; `measure` that decides a move;
    whether all columns `start` in naive Bayes or in the regression; whether the `prior` of naive
    Bayes is a factor as well; which of equal columns moves (`tie`); when the search ends (`stop`).
    """

    coding: str
    measure: str
    start: str
    prior: str
    tie: str
    stop: str


CODINGS = ("index", "index, dual", "indicators")
MEASURES = ("accuracy", "inner accuracy", "likelihood")
STARTS = ("naive Bayes", "regression")
PRIORS = ("regression's", "both")
TIES = ("first", "last")
STOPS = ("no rise", "fall", "first best", "last best")
RULES = [
    rule
    for rule in map(Rule._make, product(CODINGS, MEASURES, STARTS, PRIORS, TIES, STOPS))
    # LIBLINEAR's dual solver differs from the optimum by little, and takes most of the time.
    if (rule.coding, rule.measure) != ("index, dual", "inner accuracy")
]
IN_USE = Rule("index", "accuracy", "naive Bayes", "regression's", "first", "no rise")


# ---- one training set ---------------------------------------------------------------------


class TrainedParts:
    """Factors of naive Bayes and regressions from some rows, evaluated at all rows."""

    def __init__(self, codes: Array, n_states: Array, y: Array, n_classes: int, rows: Array):
        self._codes, self._n_states, self._rows = codes, n_states, rows
        counts = FeatureCounts.collect(codes[rows].astype(np.uint16), n_states, y[rows], n_classes)
        self.present = np.flatnonzero(counts.class_counts)
        self.prior = laplace_log_probability(counts.class_counts, 1.0)[self.present]
        tables = np.split(laplace_log_table(counts, 1.0)[:, self.present], counts.offsets[1:-1])
        self.factors = np.stack([table[codes[:, j]] for j, table in enumerate(tables)])
        self._sum = self.factors.sum(axis=0)
        self._y = np.searchsorted(self.present, y[rows])
        # Rows that are equal in some columns have the same sum of these numbers, modulo 2⁶⁴.
        self._hash = np.random.default_rng(0).integers(2**62, size=codes.shape[1])
        self._known: dict[tuple[str, Split], Array] = {}

    def scores(self, coding: str, prior: str, split: Split) -> Array:
        """Return log p(c | x) up to a constant of each row."""
        if not split:
            return self._sum + self.prior
        result = self._regression(coding, split)
        if len(split) < len(self.factors):
            result = result + self._sum - self.factors[list(split)].sum(axis=0)
            if prior == "both":
                result = result + self.prior
        return result

    def _regression(self, coding: str, split: Split) -> Array:
        key = coding, split
        if key not in self._known:
            self._known[key] = self._fit(coding, split)
        return self._known[key]

    def _fit(self, coding: str, split: Split) -> Array:
        own = self._codes[:, split]
        if coding == "indicators":
            terms = np.hstack([np.eye(self._n_states[j])[self._codes[:, j]] for j in split])
        else:
            terms = own.astype(np.float64)
        q = len(self.present)
        if coding == "index, dual":
            z = self._liblinear(terms)
        else:
            design = np.hstack([np.ones((len(own), 1)), terms])
            _, first, group = np.unique(
                (own * self._hash[list(split)]).sum(axis=1)[self._rows],
                return_index=True,
                return_inverse=True,
            )
            n = np.bincount(group * q + self._y, minlength=len(first) * q).reshape(-1, q) * 1.0
            positives = np.ascontiguousarray((n if q > 2 else n[:, 1:]).T)
            start = np.zeros((len(positives), design.shape[1]))
            patterns = design[self._rows[first]]
            z = design @ fit_one_vs_rest(patterns, positives, n.sum(axis=1), 1.0, start).T
        return -np.logaddexp(0.0, -z) if q > 2 else np.hstack([np.zeros_like(z), z])

    def _liblinear(self, terms: Array) -> Array:
        """Return the log odds of each class against the rest, as LIBLINEAR's dual solver stops."""
        sought = range(len(self.present)) if len(self.present) > 2 else [1]
        model = LogisticRegression(
            solver="liblinear", dual=True, tol=1e-3, max_iter=1000, random_state=0
        )
        odds = [model.fit(terms[self._rows], self._y == c).decision_function(terms) for c in sought]
        return np.column_stack(odds)

    def right(self, scores: Array, y: Array, rows: Array) -> Array:
        """Return for each row whether its class has the largest score; the first wins ties."""
        best = np.full(len(rows), -np.inf)
        label = np.zeros(len(rows), dtype=np.int64)
        for c in range(len(self.present)):
            own = scores[rows, c]
            better = own > best + _TIE
            best, label = np.where(better, own, best), np.where(better, self.present[c], label)
        return label == y[rows]

    def mean_log_likelihood(self, scores: Array) -> float:
        """Return the mean of log p(c_i | x_i) over the training rows."""
        own = scores[self._rows]
        total = np.logaddexp.reduce(own, axis=1)
        return float((own[np.arange(len(own)), self._y] - total).mean())


# ---- one fold -----------------------------------------------------------------------------


class FoldRules:
    """All rules on one fold of a table of categories."""

    def __init__(self, codes: Array, n_states: Array, y: Array, n_classes: int, train: Array):
        self._y, self._train, self._n_columns = y, train, codes.shape[1]
        self._outer = TrainedParts(codes, n_states, y, n_classes, train)
        self._inner = [
            (TrainedParts(codes, n_states, y, n_classes, train[inside]), train[outside])
            for inside, outside in WekaFolds(N_INNER_FOLDS, 1).split(codes[train], y[train])
        ]
        # functools.cache of a method would keep the fold, and its arrays, alive.
        self._measures: dict[tuple[str, str, str, Split], float] = {}
        self._paths: dict[tuple[str, ...], list[tuple[Split, float]]] = {}

    def accuracy(self, rule: Rule, test: Array) -> float:
        """Return the accuracy on the test rows of the split that a rule finds."""
        if rule[:5] not in self._paths:
            self._paths[rule[:5]] = self._search(*rule[:5])
        path = self._paths[rule[:5]]
        split = path[stopping_step([score for _, score in path], rule.stop)][0]
        scores = self._outer.scores(rule.coding, rule.prior, split)
        return float(self._outer.right(scores, self._y, test).mean())

    def _measure(self, coding: str, measure: str, prior: str, split: Split) -> float:
        key = coding, measure, prior, split
        if key not in self._measures:
            self._measures[key] = self._compute(*key)
        return self._measures[key]

    def _compute(self, coding: str, measure: str, prior: str, split: Split) -> float:
        if measure == "inner accuracy":
            right = [
                parts.right(parts.scores(coding, prior, split), self._y, rows)
                for parts, rows in self._inner
            ]
            return float(np.concatenate(right).mean())
        scores = self._outer.scores(coding, prior, split)
        if measure == "likelihood":
            return self._outer.mean_log_likelihood(scores)
        return float(self._outer.right(scores, self._y, self._train).mean())

    def _search(
        self, coding: str, measure: str, start: str, prior: str, tie: str
    ) -> list[tuple[Split, float]]:
        """Move one column after the other, all of them; return each split and its score."""
        everything = set(range(self._n_columns))
        moved: set[int] = set()

        def split_of(columns: set[int]) -> Split:
            return tuple(sorted(columns if start == "naive Bayes" else everything - columns))

        path = [(split_of(moved), self._measure(coding, measure, prior, split_of(moved)))]
        while moved < everything:
            best, found = -np.inf, -1
            for j in sorted(everything - moved, reverse=tie == "last"):
                score = self._measure(coding, measure, prior, split_of(moved | {j}))
                if score > best + _TIE:
                    best, found = score, j
            moved = moved | {found}
            path.append((split_of(moved), best))
        return path


def stopping_step(scores: Sequence[float], stop: str) -> int:
    """Return the step at which a search ends.

    >>> [stopping_step([0.7, 0.8, 0.8, 0.9, 0.9, 0.6], stop) for stop in STOPS]
    [1, 4, 3, 4]
    """
    if stop in ("no rise", "fall"):
        least = _TIE if stop == "no rise" else -_TIE
        rises = (new >= old + least for old, new in pairwise(scores))
        return next((k for k, rise in enumerate(rises) if not rise), len(scores) - 1)
    best = [k for k, score in enumerate(scores) if score >= max(scores) - _TIE]
    return best[0] if stop == "first best" else best[-1]
