"""The rules that the 2022 paper's description of HBayes-NB leaves open, each one computed.

Published protocol, small sets of the paper. `python -m benchmarks hbayes_rules [DIR]` keeps the
accuracies of each set in DIR (hbayes-rules-results by default), skips sets that are there, and
prints the tables of docs/results/hbayes-nb-rules.md. It takes about 15 minutes on one core.

The rules that the sentence of the paper allows (`NEAR`) are computed on WEKA's 100 folds, all
others on the first 10 to 100 of them. The mean of the others over 100 folds is estimated by that of
`HBayesNB.as_published()` plus the mean difference on the first folds, because the accuracies of two
rules on one fold are close.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

from augury.arrays import Array
from augury.data import load_dataset
from augury.evaluate import WekaFolds, cross_validate
from augury.evaluate.folds import PreparedTable, prepare_table
from augury.hybrid import HBayesNB
from augury.papers import find_paper
from benchmarks.studies.hbayes_search import IN_USE, RULES, FoldRules, Rule

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
}
# All columns start in naive Bayes, and accuracy on the training rows decides.
NEAR = [rule for rule in RULES if rule[:3] == ("index", "accuracy", "naive Bayes")]


def read_codes(table: PreparedTable) -> tuple[Array, Array, Array]:
    """Return the codes of all columns, their numbers of states, and the codes of the classes."""
    codes = np.column_stack([table.X[column].cat.codes for column in table.X]).astype(np.int64)
    n_states = np.array([len(table.X[column].cat.categories) for column in table.X])
    return codes, n_states, table.y.cat.codes.to_numpy().astype(np.int64)


def compute(name: str, rules: Sequence[Rule], n_runs: int) -> pd.DataFrame:
    """Return the accuracy of each rule (columns) on each fold (rows), in percent."""
    table = prepare_table(load_dataset(name), "published")
    codes, n_states, y = read_codes(table)
    rows = []
    for train, test in WekaFolds(10, n_runs).split(table.X, table.y):
        fold = FoldRules(codes, n_states, y, len(table.classes), train)
        rows.append([100.0 * fold.accuracy(rule, test) for rule in rules])
    return pd.DataFrame(rows, columns=["; ".join(rule) for rule in rules])


def compute_once(path: Path, name: str, rules: Sequence[Rule], n_runs: int) -> pd.DataFrame:
    """Return what an earlier run has written to a file, or compute and write it."""
    if not path.exists():
        began = process_time()
        compute(name, rules, n_runs).to_csv(path, index=False)
        print(f"{path.name}: {process_time() - began:.0f} s", file=sys.stderr, flush=True)
    return pd.read_csv(path)


def accuracies_in_use(name: str) -> Array:
    """Return the accuracies of `HBayesNB.as_published()` on all 100 folds, in percent."""
    rows = cross_validate(
        [load_dataset(name)], {"": HBayesNB.as_published()}, WekaFolds(), protocol="published"
    )
    return np.array([100.0 * row.accuracy for row in rows])


@dataclass(frozen=True)
class Cell:
    """All rules on one set: estimates of the means of 100 folds, and their standard errors.

    `near` has the 100 accuracies of the rules of `NEAR`.
    """

    name: str
    printed: float
    printed_std: float
    in_use: float
    means: Array
    errors: Array
    near: pd.DataFrame


def estimate(name: str, first: pd.DataFrame, whole: pd.DataFrame) -> Cell:
    """Estimate the mean of each rule over 100 folds, of which `whole` has those of some rules."""
    in_use = accuracies_in_use(name)
    own = whole["; ".join(IN_USE)].to_numpy()
    if np.abs(own - in_use).max() > 1e-9:
        raise AssertionError(f"{name}: the rule in use differs from HBayesNB: {own - in_use}")
    differences = first.to_numpy() - own[: len(first), None]
    means = own.mean() + differences.mean(axis=0)
    errors = differences.std(axis=0, ddof=1) / np.sqrt(len(first))
    for k, rule in enumerate(RULES):
        if rule in NEAR:
            means[k], errors[k] = whole["; ".join(rule)].mean(), 0.0
    printed = find_paper("hybrid-2022").cell(name, "HBayes-NB")
    return Cell(
        name,
        float(printed.mean),
        float(printed.std),
        in_use=own.mean(),
        means=means,
        errors=errors if len(first) < 100 else np.zeros_like(errors),
        near=whole,
    )


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
    yield from near_summary(cells)


def near_summary(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the same for the rules that have no noise, standard deviations included."""
    means = np.array([cell.near.mean() for cell in cells])
    printed = np.array([cell.printed for cell in cells])[:, None]
    stds = np.array([cell.near.std(ddof=1) for cell in cells])
    printed_stds = np.array([cell.printed_std for cell in cells])[:, None]
    outside = (printed[:, 0] < means.min(axis=1) - 0.005) | (
        printed[:, 0] > means.max(axis=1) + 0.005
    )
    has_mean = np.abs(means - printed) < 0.00501
    has_both = has_mean & (np.abs(stds - printed_stds) < 0.00501)
    yield (
        f"- The {len(NEAR)} rules that were computed on all folds: means over the sets "
        f"{means.mean(axis=0).min():.2f} to {means.mean(axis=0).max():.2f}; "
        f"{(~outside).sum()} of {len(cells)} printed cells inside their range, not "
        f"{', '.join(cell.name for cell, out in zip(cells, outside, strict=True) if out)}; "
        f"{has_mean.any(axis=1).sum()} printed means, and {has_both.any(axis=1).sum()} printed "
        "means with their standard deviations, are equal to those of any of these rules."
    )


def main() -> None:
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "hbayes-rules-results")
    folder.mkdir(parents=True, exist_ok=True)
    cells = [
        estimate(
            name,
            compute_once(folder / f"{name}.csv", name, RULES, n_runs),
            compute_once(folder / f"{name}-100.csv", name, NEAR, 10),
        )
        for name, n_runs in RUNS.items()
    ]
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
