"""Learning curves of a store, and where they cross."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from augury.arrays import FloatArray
from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.stored_results import StoredDataset
from augury.summary.contents import CurveComparison, LearningCurve, LearningCurves, Measure
from augury.summary.fold_scores import (
    MEASURES,
    finite_or_none,
    has_growing_samples,
    measure_column,
)

# A smaller difference is a rounding error of means.
_ROUNDING = 1e-9

_Rows = dict[tuple[str, int], list[FoldResult]]  # by model and number of training rows


def describe_curves(
    results: Iterable[FoldResult],
    datasets: Sequence[StoredDataset],
    models: Sequence[str],
    reference: str | None = None,
) -> tuple[LearningCurves, ...]:
    """Return the curves of each data set with growing samples, for each measure.

    Parameters
    ----------
    results : iterable of FoldResult
        Rows of one protocol.
    datasets : sequence of StoredDataset
        Data sets, in the order of the result.
    models : sequence of str
        Names of models, in the order of the result.
    reference : str, default=None
        Model that the others are compared with.
    """
    growing = [dataset.name for dataset in datasets if has_growing_samples(dataset)]
    rows: dict[str, _Rows] = {name: {} for name in growing}
    for row in results:
        if row.dataset in rows:
            rows[row.dataset].setdefault((row.model, row.n_train), []).append(row)
    curves = [
        _describe_dataset(name, rows[name], measure, models, reference)
        for name in growing
        for measure in MEASURES
    ]
    return tuple(curve for curve in curves if curve.curves)


def _describe_dataset(
    name: str, rows: _Rows, measure: Measure, models: Sequence[str], reference: str | None
) -> LearningCurves:
    sizes = tuple(sorted({n_train for _, n_train in rows}))
    curves = list(_describe_models(rows, sizes, measure, models))
    comparisons: list[CurveComparison] = []
    if any(curve.model == reference for curve in curves):
        comparisons = [
            _compare(rows, sizes, measure, curve.model, str(reference))
            for curve in curves
            if curve.model != reference
        ]
    return LearningCurves(
        name,
        measure.key,
        sizes,
        tuple(curves),
        reference if comparisons else None,
        tuple(comparisons),
    )


def _describe_models(
    rows: _Rows, sizes: Sequence[int], measure: Measure, models: Sequence[str]
) -> Iterator[LearningCurve]:
    for model in models:
        columns = [measure_column(rows.get((model, n), ()), measure) for n in sizes]
        if not any(len(column) and np.isfinite(column).all() for column in columns):
            continue
        yield LearningCurve(
            model=model,
            mean=tuple(finite_or_none(c.mean()) if len(c) else None for c in columns),
            std=tuple(finite_or_none(c.std(ddof=1)) if len(c) > 1 else None for c in columns),
            n=tuple(map(len, columns)),
        )


def _compare(
    rows: _Rows, sizes: Sequence[int], measure: Measure, model: str, reference: str
) -> CurveComparison:
    """Compare a model with the reference on the runs that both have, size by size."""
    paired = [_differences(rows, size, measure, model, reference) for size in sizes]
    means = [finite_or_none(each.mean()) if len(each) else None for each in paired]
    errors = [
        finite_or_none(each.std(ddof=1) / np.sqrt(len(each))) if len(each) > 1 else None
        for each in paired
    ]
    outcome, since = _find_crossing(sizes, means, measure)
    return CurveComparison(model, tuple(means), tuple(errors), outcome, since)


def _differences(
    rows: _Rows, size: int, measure: Measure, model: str, reference: str
) -> FloatArray:
    """Return the measure of the model less that of the reference, for each common run."""
    own, other = (
        {row.run: row for row in rows.get((name, size), ())} for name in (model, reference)
    )
    runs = sorted(own.keys() & other.keys())
    first, second = (measure_column([each[run] for run in runs], measure) for each in (own, other))
    difference: FloatArray = first - second
    return difference


def _find_crossing(
    sizes: Sequence[int], differences: Sequence[float | None], measure: Measure
) -> tuple[str | None, int | None]:
    """Return the outcome at the largest size, and the smallest size from which it stays.

    >>> error = Measure("error", "Error", "%", 2, higher_is_better=False)
    >>> _find_crossing([16, 32, 64], [-1.0, 0.5, 2.0], error)
    ('worse', 32)
    >>> _find_crossing([16, 32, 64], [-1.0, None, -2.0], error)
    ('better', 16)
    """
    known = [(size, d) for size, d in zip(sizes, differences, strict=True) if d is not None]
    if not known:
        return None, None
    signs = [0.0 if abs(d) < _ROUNDING else np.sign(d) for _, d in known]
    last = signs[-1]
    others = [place for place, sign in enumerate(signs) if sign != last]
    since = known[others[-1] + 1 if others else 0][0]
    if last == 0:
        return "equal", since
    return ("better" if (last > 0) == measure.higher_is_better else "worse"), since


__all__ = ["describe_curves"]
