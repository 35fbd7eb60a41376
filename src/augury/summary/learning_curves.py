"""Learning curves of a store, for a page to draw."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.stored_results import StoredDataset
from augury.summary.fold_scores import MEASURES, Measure, has_growing_samples

_Rows = dict[tuple[str, int], list[FoldResult]]  # by model and training rows


def describe_curves(
    results: Iterable[FoldResult], datasets: Sequence[StoredDataset], models: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the curves of each data set and measure; empty without growing samples."""
    growing = [dataset.name for dataset in datasets if has_growing_samples(dataset)]
    rows: dict[str, _Rows] = {name: {} for name in growing}
    for row in results:
        if row.dataset in rows:
            rows[row.dataset].setdefault((row.model, row.n_train), []).append(row)
    curves = [
        _describe_dataset(name, rows[name], measure, models)
        for name in growing
        for measure in MEASURES
    ]
    return [curve for curve in curves if curve["curves"]]


def _describe_dataset(
    name: str, rows: _Rows, measure: Measure, models: Sequence[str]
) -> dict[str, Any]:
    sizes = sorted({n_train for _, n_train in rows})
    curves = []
    for model in models:
        columns = [
            measure.factor * np.array([getattr(r, measure.key) for r in rows.get((model, n), ())])
            for n in sizes
        ]
        if not any(len(column) and np.isfinite(column).all() for column in columns):
            continue
        curves.append(
            {
                "model": model,
                "mean": [float(c.mean()) if len(c) else None for c in columns],
                "std": [float(c.std(ddof=1)) if len(c) > 1 else None for c in columns],
            }
        )
    return {"dataset": name, "measure": measure.key, "sizes": sizes, "curves": curves}


__all__ = ["describe_curves"]
