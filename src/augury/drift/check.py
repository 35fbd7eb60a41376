"""Compare new rows with the training rows of a model."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from augury.data.errors import DataError, suggest
from augury.drift.candidates import Candidate, column_candidates, row_candidates
from augury.drift.collect import as_frame
from augury.drift.column_match import ColumnMatch, match_columns
from augury.drift.new_rows import NewRows, RowCounter
from augury.drift.reference import DROPPED, Reference
from augury.drift.report import DriftReport, Finding
from augury.encode.tidy_columns import UnreadValuesWarning
from augury.evaluate import holm
from augury.scale import Source, open_source
from augury.scale.fitting import make_engine
from augury.scale.predictions.row_predictor import PREDICTED, RowPredictor
from augury.scale.predictions.running import PARTITION_BYTES
from augury.scale.rows.numbered_partition import NumberedPartition, number_partitions
from augury.scale.rows.progress import Progress
from augury.validation import check_threads, is_frame

ALPHA, MIN_CHANGE = 0.01, 0.01
_HEAD = 2000
_BLOCK_ROWS, _BLOCK_CELLS = 1 << 16, 1 << 22
# With fewer rows, distributions are hardly compared.
_FEW_ROWS = 20


class NoReferenceError(DataError):
    """A model without statistics of its training rows."""


def check_drift(
    model: Any,
    new: Any,
    *,
    reference: Reference | None = None,
    ignore: Sequence[str] = (),
    alpha: float = ALPHA,
    min_change: float = MIN_CHANGE,
    n_jobs: int | None = -1,
    client: Any = None,
    header: bool | None = None,
    progress: Progress | None = None,
) -> DriftReport:
    """Compare new rows with the training rows of a model.

    Parameters
    ----------
    model : what `augury.persist.load_model` returns, or None
        With None there are no predictions of the model in the report.
    new : path, glob, folder, frame, query or Source; see `augury.scale.open_source`
        The new rows, which are read in pieces.
    reference : Reference or None
        Statistics of the training rows; None takes those of the model file.
    ignore : names of columns that are not compared
    alpha : float
        Largest probability that rows of the training distribution are reported, over all tests
        (Holm's method).
    min_change : float
        Distributions that differ in a smaller share of the rows are not reported. The difference
        of the distributions of many rows is significant, however small it is.
    n_jobs : number of threads; -1 is one for each core
    client : a Dask client whose workers read the rows, or None
    header : whether the first line of CSV files has the column names
    progress : Progress or None

    Raises
    ------
    NoReferenceError
        If there is no reference.
    DataError
        If the rows cannot be read, or there are none.

    Notes
    -----
    docs/drift.md describes the tests.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from augury import NaiveBayes
    >>> from augury.drift import check_drift, collect_reference
    >>> rng = np.random.default_rng(0)
    >>> def draw(n, mean):
    ...     sky = rng.choice(["sun", "fog"], n)
    ...     return pd.DataFrame({"x": rng.normal(mean, 1.0, n), "sky": sky})
    >>> X = draw(500, 0.0)
    >>> y = np.where(X["x"] > 0, "high", "low")
    >>> reference = collect_reference(NaiveBayes().fit(X, y), X, y)
    >>> check_drift(None, draw(200, 0.0), reference=reference).is_silent
    True
    >>> [finding.kind for finding in check_drift(None, draw(200, 1.0), reference=reference).drift]
    ['range', 'distribution', 'predicted classes']
    """
    if not 0 < alpha < 1:
        raise ValueError(f"check_drift: alpha must be a number between 0 and 1, got {alpha!r}")
    if not 0 <= min_change < 1:
        raise ValueError(f"check_drift: min_change must be from 0 to below 1, got {min_change!r}")
    known = reference if reference is not None else getattr(model, "reference", None)
    if known is None:
        raise NoReferenceError(
            "the model has no statistics of its training rows to compare with: pass reference= "
            "(collect_reference computes it), or save the model with one"
        )
    source = _open(new, header)
    head = _head(source)
    _check_ignored(ignore, known, source)
    named = True if model is None else bool(model.metadata.named)
    match = match_columns(known, head, ignore=ignore, named=named)
    counter = RowCounter(known, match.found)
    with make_engine(client, check_threads("check_drift", n_jobs), None, progress) as engine:
        rows = engine.total(
            number_partitions(source.partitions), partial(_count_part, counter=counter)
        )
    assert rows is not None, "the head has rows"
    candidates = [*_structure(match), *_columns(known, rows), *row_candidates(known, rows)]
    drift, notes = _judge(candidates, alpha, min_change)
    shares, accuracy, remarks = _predictions(model, rows, match)
    return DriftReport(
        table=source.name,
        n_rows=rows.n_rows,
        n_training_rows=known.n_rows,
        n_columns=len(match.found),
        n_tests=sum(each.p_value is not None for each in candidates),
        alpha=alpha,
        drift=drift,
        notes=notes,
        remarks=(*_remarks(known, rows, ignore), *remarks),
        training_shares={
            label: count / known.n_rows
            for label, count in zip(known.classes.labels, known.classes.label_counts, strict=True)
        },
        predicted_shares=shares,
        accuracy=accuracy,
    )


def _open(new: Any, header: bool | None) -> Source:
    if isinstance(new, Source):
        return new
    if is_frame(new) or hasattr(new, "dtype"):
        new = as_frame(new)
    return open_source(new, header=header, partition_bytes=PARTITION_BYTES)


def _head(source: Source) -> pd.DataFrame:
    for part in source.partitions:
        for frame in part.frames(max_rows=_HEAD):
            if len(frame):
                return frame
    raise DataError(f"{source.name}: there are no rows")


def _check_ignored(ignore: Sequence[str], reference: Reference, source: Source) -> None:
    names = [*(column.name for column in reference.columns), *source.columns]
    for name in ignore:
        if name not in names:
            raise DataError(
                f"{source.name}: the column {name!r} cannot be ignored: neither the new table nor "
                f"the training table has it{suggest(name, names)}"
            )


def _count_part(part: NumberedPartition, counter: RowCounter) -> NewRows | None:
    number, partition = part
    max_rows = max(1, min(_BLOCK_ROWS, _BLOCK_CELLS // len(partition.columns)))
    total, first_row = None, 0
    for frame in partition.frames(max_rows=max_rows):
        if len(frame):
            found = counter.count(frame, (number, first_row))
            total = found if total is None else total + found
            first_row += len(frame)
    return total


def _structure(match: ColumnMatch) -> Iterator[Candidate]:
    """Yield columns that are missing, renamed or new."""
    for name in match.missing:
        yield Candidate(
            name, "missing column", "a column", "none", 1.0, None, f"Column {name!r} is missing."
        )
    for name, other in match.renamed.items():
        yield Candidate(
            name, "renamed column", name, other, 1.0, None,
            f"Column {name!r} is missing. {other!r} may be its new name, and was compared in its "
            "place.",
        )  # fmt: skip
    for name in match.extra:
        yield Candidate(
            name, "extra column", "none", "a column", 1.0, None,
            f"Column {name!r} is not in the training table.",
        )  # fmt: skip


def _columns(reference: Reference, rows: NewRows) -> Iterator[Candidate]:
    for column in reference.columns:
        if column.name in rows.columns:
            new, states = rows.columns[column.name], rows.states[column.name]
            yield from column_candidates(column, new, states, reference)


def _judge(
    candidates: Iterable[Candidate], alpha: float, min_change: float
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return what is drift, and what is shown as a note."""
    candidates = list(candidates)
    p_values = [each.p_value for each in candidates if each.p_value is not None]
    adjusted = iter(holm(np.array(p_values)).tolist() if p_values else ())
    drift, notes = [], []
    for each in candidates:
        p_value = None if each.p_value is None else next(adjusted)
        is_large = not each.needs_change or each.change >= min_change
        if is_large and (p_value is None or p_value <= alpha):
            drift.append(each.judged(p_value))
        elif each.is_notable:
            notes.append(each.judged(p_value))
    return tuple(drift), tuple(notes)


def _remarks(reference: Reference, rows: NewRows, ignore: Sequence[str]) -> Iterator[str]:
    if rows.n_rows < _FEW_ROWS:
        yield f"{rows.n_rows} rows are too few to compare distributions."
    unlisted = [column.name for column in reference.columns if column.n_unlisted]
    if unlisted:
        yield (
            f"Unseen labels of {', '.join(map(repr, unlisted[:5]))} cannot be told: the training "
            "rows have too many labels."
        )
    if rows.scores is None:
        names = {each.name for each in reference.columns if each.treatment != DROPPED}
        absent = sorted(names - set(rows.columns))
        why = "ignored" if set(absent) <= set(ignore) else "missing"
        yield f"p(x) and predicted classes were not compared: columns are {why}."


def _predictions(
    model: Any, rows: NewRows, match: ColumnMatch
) -> tuple[dict[str, float], float | None, list[str]]:
    """Return the share of each predicted class, the accuracy, and why there are none."""
    if model is None:
        return {}, None, []
    needed = {column.name for column in model.metadata.columns} if model.metadata.named else set()
    absent = [name for name in match.missing if name in needed]
    if absent:
        names = ", ".join(map(repr, absent[:5])) + (", …" if len(absent) > 5 else "")
        plural = "s" if len(absent) > 1 else ""
        return {}, None, [f"The model cannot predict the new rows without column{plural} {names}."]
    frame = rows.sample.frame.rename(columns={new: old for old, new in match.renamed.items()})
    source = open_source(frame, partition_bytes=1 << 62)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreadValuesWarning)  # findings tell of them
            predictor = RowPredictor.of(model, source, probabilities=False)
            found = [piece for part in source.partitions for piece in predictor.predict(part)]
    except DataError as error:
        return {}, None, [f"The model cannot predict the new rows: {error}."]
    predicted = pd.concat([piece.frame[PREDICTED] for piece in found]).astype(str)
    shares = predicted.value_counts(normalize=True).to_dict()
    n_labelled = sum(piece.n_labelled for piece in found)
    accuracy = sum(piece.n_right for piece in found) / n_labelled if n_labelled else None
    return {str(name): float(share) for name, share in shares.items()}, accuracy, []


__all__ = ["ALPHA", "MIN_CHANGE", "NoReferenceError", "check_drift"]
