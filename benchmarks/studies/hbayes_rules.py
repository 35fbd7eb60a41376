"""The rules that the 2022 paper's description of HBayes-NB leaves open, each one computed.

Published protocol, small sets of the paper. `python -m benchmarks hbayes_rules [DIR]` keeps the
accuracies of each set in DIR (hbayes-rules-results by default), skips sets that are there, and
prints the tables of docs/results/hbayes-nb-rules.md. It takes about 25 minutes on one core.

A rule is computed on the first folds of WEKA's ten runs. Its mean over all 100 folds is estimated
by that of `HBayesNB.as_published()` plus the mean difference on the first folds, because the
accuracies of two rules on one fold are close.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from augury.arrays import Array
from augury.counts import FeatureCounts, laplace_log_probability, laplace_log_table
from augury.data import load_dataset
from augury.discriminative.solvers.one_vs_rest import fit_one_vs_rest
from augury.evaluate import WekaFolds, cross_validate
from augury.evaluate.folds import PreparedTable, prepare_table
from augury.hybrid import HBayesNB
from augury.papers import find_paper

# Runs of ten folds on which all rules are computed; sets of few columns take less time.
RUNS = {
    "iris": 10,
    "balance-scale": 10,
    "diabetes": 3,
    "breast-cancer": 2,
    "breast-w": 2,
    "glass": 2,
    "labor": 2,
    "heart-c": 1,
    "heart-h": 1,
    "heart-statlog": 1,
    "vote": 1,
    "zoo": 1,
    "hepatitis": 1,
    "credit-a": 1,
    "lymph": 1,
    "vehicle": 1,
}
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
        self._measure = cache(self._measured)
        self._path = cache(self._searched)

    def accuracy(self, rule: Rule, test: Array) -> float:
        """Return the accuracy on the test rows of the split that a rule finds."""
        path = self._path(*rule[:5])
        split = path[stopping_step([score for _, score in path], rule.stop)][0]
        scores = self._outer.scores(rule.coding, rule.prior, split)
        return float(self._outer.right(scores, self._y, test).mean())

    def _measured(self, coding: str, measure: str, prior: str, split: Split) -> float:
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

    def _searched(
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


# ---- all sets -----------------------------------------------------------------------------


def read_codes(table: PreparedTable) -> tuple[Array, Array, Array]:
    """Return the codes of all columns, their numbers of states, and the codes of the classes."""
    codes = np.column_stack([table.X[column].cat.codes for column in table.X]).astype(np.int64)
    n_states = np.array([len(table.X[column].cat.categories) for column in table.X])
    return codes, n_states, table.y.cat.codes.to_numpy().astype(np.int64)


def compute(name: str) -> pd.DataFrame:
    """Return the accuracy of each rule (columns) on each fold (rows), in percent."""
    table = prepare_table(load_dataset(name), "published")
    codes, n_states, y = read_codes(table)
    rows = []
    for train, test in WekaFolds(10, RUNS[name]).split(table.X, table.y):
        fold = FoldRules(codes, n_states, y, len(table.classes), train)
        rows.append([100.0 * fold.accuracy(rule, test) for rule in RULES])
    return pd.DataFrame(rows, columns=["; ".join(rule) for rule in RULES])


def accuracies_in_use(name: str) -> Array:
    """Return the accuracies of `HBayesNB.as_published()` on all 100 folds, in percent."""
    rows = cross_validate(
        [load_dataset(name)], {"": HBayesNB.as_published()}, WekaFolds(), protocol="published"
    )
    return np.array([100.0 * row.accuracy for row in rows])


@dataclass(frozen=True)
class Cell:
    """All rules on one set: estimates of the means of 100 folds, and their standard errors."""

    name: str
    printed: float
    in_use: float
    means: Array
    errors: Array


def estimate(name: str, folds: pd.DataFrame) -> Cell:
    """Estimate the mean of each rule over 100 folds."""
    whole = accuracies_in_use(name)
    first = whole[: len(folds)]
    own = folds["; ".join(IN_USE)].to_numpy()
    if np.abs(own - first).max() > 1e-9:
        raise AssertionError(f"{name}: the rule in use differs from HBayesNB: {own - first}")
    differences = folds.to_numpy() - first[:, None]
    printed = float(find_paper("hybrid-2022").cell(name, "HBayes-NB").mean)
    spread = differences.std(axis=0, ddof=1) / np.sqrt(len(folds))
    errors = np.zeros_like(spread) if len(folds) == 100 else spread
    return Cell(name, printed, whole.mean(), whole.mean() + differences.mean(axis=0), errors)


# ---- tables -------------------------------------------------------------------------------


def cell_table(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the range of the rules beside each printed cell."""
    yield "| set | folds | printed | in use | least | most | inside | nearest rule | its error |"
    yield "|---|---:|---:|---:|---:|---:|---|---|---:|"
    for cell in cells:
        low, high = cell.means.min(), cell.means.max()
        inside = "yes" if low - 0.005 <= cell.printed <= high + 0.005 else "no"
        near = int(np.argmin(np.abs(cell.means - cell.printed)))
        yield (
            f"| {cell.name} | {10 * RUNS[cell.name]} | {cell.printed:.2f} | {cell.in_use:.2f} | "
            f"{low:.2f} | {high:.2f} | {inside} | {'; '.join(RULES[near])}: "
            f"{cell.means[near]:.2f} | {cell.errors[near]:.2f} |"
        )


def factor_table(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield means over the rules that share one choice."""
    means = np.array([cell.means for cell in cells])
    printed = np.array([cell.printed for cell in cells])
    off = np.abs(means - printed[:, None]).mean(axis=0)
    yield "| choice | value | rules | mean accuracy | mean absolute difference | least |"
    yield "|---|---|---:|---:|---:|---:|"
    for factor in Rule._fields:
        for value in dict.fromkeys(getattr(rule, factor) for rule in RULES):
            own = [k for k, rule in enumerate(RULES) if getattr(rule, factor) == value]
            yield (
                f"| {factor} | {value} | {len(own)} | {means[:, own].mean():.2f} | "
                f"{off[own].mean():.2f} | {off[own].min():.2f} |"
            )


def rule_table(cells: Sequence[Cell], n_shown: int = 12) -> Iterator[str]:
    """Yield the rules nearest to the printed cells, and the rule in use."""
    means = np.array([cell.means for cell in cells])
    printed = np.array([cell.printed for cell in cells])
    off = np.abs(means - printed[:, None]).mean(axis=0)
    order = list(np.argsort(off, kind="stable"))
    place = order.index(RULES.index(IN_USE))
    noise = np.array([cell.errors for cell in cells]).mean(axis=0)
    yield "| place | rule | mean | mean absolute difference | its noise | within 0.2 | largest |"
    yield "|---:|---|---:|---:|---:|---:|---|"
    for k in [*range(n_shown), *([place] if place >= n_shown else []), len(RULES) - 1]:
        differences = means[:, order[k]] - printed
        worst = int(np.argmax(np.abs(differences)))
        n_near = (np.abs(differences) <= 0.2).sum()
        yield (
            f"| {k + 1} | {'; '.join(RULES[order[k]])} | {means[:, order[k]].mean():.2f} | "
            f"{off[order[k]]:.2f} | {noise[order[k]]:.2f} | {n_near} of {len(cells)} | "
            f"{cells[worst].name} {differences[worst]:+.2f} |"
        )


def summary(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield where the printed numbers are among those of the rules."""
    means = np.array([cell.means for cell in cells])
    printed = np.array([cell.printed for cell in cells])
    over_sets = means.mean(axis=0)
    n_inside = sum(
        cell.means.min() - 0.005 <= cell.printed <= cell.means.max() + 0.005 for cell in cells
    )
    n_equal = (np.round(means, 2) == np.round(printed, 2)[:, None]).sum(axis=0)
    n_below = int((over_sets < printed.mean()).sum())
    n_distinct = len({tuple(column) for column in np.round(means, 9).T})
    spread = means.max(axis=1) - means.min(axis=1)
    yield f"- {len(RULES)} rules, {n_distinct} of them with different means, {len(cells)} sets."
    yield (
        f"- {n_inside} of {len(cells)} printed cells are inside the range of the rules, which is "
        f"{spread.mean():.2f} points wide on average ({spread.min():.2f} to {spread.max():.2f})."
    )
    yield (
        f"- Mean over the sets: printed {printed.mean():.2f}, in use "
        f"{over_sets[RULES.index(IN_USE)]:.2f}, rules {over_sets.min():.2f} to "
        f"{over_sets.max():.2f}; {n_below} rules are below the printed mean."
    )
    yield f"- Most cells that one rule has equal to two decimals: {n_equal.max()} of {len(cells)}."


def main() -> None:
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "hbayes-rules-results")
    folder.mkdir(parents=True, exist_ok=True)
    cells = []
    for name in RUNS:
        path = folder / f"{name}.csv"
        if not path.exists():
            began = process_time()
            compute(name).to_csv(path, index=False)
            print(f"{name}: {process_time() - began:.0f} s", file=sys.stderr, flush=True)
        cells.append(estimate(name, pd.read_csv(path)))
    parts: dict[str, Callable[[Sequence[Cell]], Iterator[str]]] = {
        "Summary": summary,
        "Printed cells and the range of the rules": cell_table,
        "Choices, one at a time": factor_table,
        "Rules nearest to the printed cells, and the furthest": rule_table,
    }
    for title, make in parts.items():
        print(f"## {title}\n\n" + "\n".join(make(cells)), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
