"""Folds by the hash that docs/scale.md states, written with Python's integers."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from augury.evaluate import FoldResult
from augury.evaluate import cross_validate as cross_validate_in_memory

_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def splitmix64(number: int) -> int:
    z = (number + _STEP) & _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


def fold_of_row(row: int, seed: int, n_folds: int) -> int:
    return splitmix64((splitmix64(seed) + _STEP * row) & _WORD) % n_folds


class HashFolds:
    """A splitter of scikit-learn's kind; `rows` are the numbers of the rows in the source."""

    def __init__(self, n_splits: int, seed: int, rows: np.ndarray) -> None:
        self.n_splits, self._seed, self._rows = n_splits, seed, rows

    def get_n_splits(self, *_: Any) -> int:
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:
        folds = np.array([fold_of_row(int(r), self._seed, self.n_splits) for r in self._rows])
        for fold in range(self.n_splits):
            yield np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)


def in_memory(
    models: dict[str, Any], table: pd.DataFrame, target: str, n_folds: int, seed: int = 0
) -> list[FoldResult]:
    """Cross-validate in memory; rows without a class are left out after they were numbered."""
    rows = np.flatnonzero(table[target].notna())
    kept = table.iloc[rows].reset_index(drop=True)
    dataset = SimpleNamespace(name="t", X=kept.drop(columns=target), y=kept[target])
    return cross_validate_in_memory([dataset], models, HashFolds(n_folds, seed, rows))


def assert_same_results(
    found: list[FoldResult], expected: list[FoldResult], tolerance: float = 1e-12
) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        key = (one.model, one.run, one.fold)
        assert key == (other.model, other.run, other.fold)
        assert (one.n_train, one.n_test) == (other.n_train, other.n_test), key
        for measure in ("accuracy", "log_loss", "brier"):
            difference = abs(getattr(one, measure) - getattr(other, measure))
            assert difference <= tolerance, (*key, measure, difference)
