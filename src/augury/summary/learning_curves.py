"""Learning curves of a store."""

from collections.abc import Iterable, Sequence

import numpy as np

from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.stored_results import StoredDataset
from augury.summary.contents import LearningCurve, LearningCurves, Measure
from augury.summary.fold_scores import (
    MEASURES,
    finite_or_none,
    has_growing_samples,
    measure_column,
)

_Rows = dict[tuple[str, int], list[FoldResult]]  # by model and number of training rows


def describe_curves(
    results: Iterable[FoldResult], datasets: Sequence[StoredDataset], models: Sequence[str]
) -> tuple[LearningCurves, ...]:
    """Return the curves of each data set with growing samples, for each measure."""
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
    return tuple(curve for curve in curves if curve.curves)


def _describe_dataset(
    name: str, rows: _Rows, measure: Measure, models: Sequence[str]
) -> LearningCurves:
    sizes = sorted({n_train for _, n_train in rows})
    curves = []
    for model in models:
        columns = [measure_column(rows.get((model, n), ()), measure) for n in sizes]
        if not any(len(column) and np.isfinite(column).all() for column in columns):
            continue
        curves.append(
            LearningCurve(
                model=model,
                mean=tuple(finite_or_none(c.mean()) if len(c) else None for c in columns),
                std=tuple(finite_or_none(c.std(ddof=1)) if len(c) > 1 else None for c in columns),
            )
        )
    return LearningCurves(name, measure.key, tuple(sizes), tuple(curves))


__all__ = ["describe_curves"]
