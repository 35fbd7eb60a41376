"""A checksum of a table that follows from the surveys of its folds."""

import hashlib
from collections.abc import Iterator

from augury.scale.folds.per_fold import PerFold
from augury.scale.summaries.column_survey import ColumnSurvey
from augury.scale.summaries.label_counts import LabelCounts
from augury.scale.summaries.table_survey import TableSurvey


def fingerprint(surveys: PerFold[TableSurvey]) -> str:
    """Return a hash of the rows of each label, and of the range and the sum of numbers, by fold.

    It does not depend on how the rows are divided into partitions. Another value in a row changes
    it. Rows of the same fold that change places do not: results do not depend on their order.
    """
    digest = hashlib.sha256()
    for survey in surveys.values:
        if survey is None:
            continue
        for name, column in survey.columns.items():
            line = "\0".join([name, *_describe(column)])
            digest.update(f"{line}\n".encode(errors="surrogatepass"))
    return digest.hexdigest()


def _describe(column: ColumnSurvey) -> Iterator[str]:
    yield f"{column.kind} {column.n_rows} {column.n_missing} {column.declared}"
    numbers = column.numbers
    if numbers is not None:
        yield f"{numbers.n_known} {numbers.low!r} {numbers.high!r} {numbers.total.units}"
    if column.labels is not None:
        yield from _describe_labels(column.labels)


def _describe_labels(labels: LabelCounts) -> Iterator[str]:
    if labels.is_exact:  # otherwise the labels that are kept depend on the partitions
        yield from sorted(f"{label!r} {n_rows}" for label, n_rows in labels.rows.items() if n_rows)


__all__ = ["fingerprint"]
