"""Summaries of the training columns, from which `TableEncoder` learns."""

from collections.abc import Callable, Iterable

import numpy as np

from augury.arrays import FloatArray
from augury.encode.column_summaries import (
    LabelSummary,
    NumberSummary,
    fill_missing,
    weighted_mean,
)
from augury.encode.columns import all_finite
from augury.encode.infrequent_labels import Grouping
from augury.encode.nominal import Nominal


def summarize_labels(
    columns: Iterable[Nominal],
    weight: FloatArray | None,
    grouping: Grouping,
    *,
    replaces: bool,
    is_whole: bool,
) -> list[LabelSummary]:
    """Summarise the labels of all rows, or of a part of them, which may have few labels.

    With `replaces` the most frequent label replaces missing values, so labels are weighed.
    """

    def weigh(nominal: Nominal) -> bool:
        if is_whole and not replaces:
            return grouping.needs_weights(len(nominal.labels))
        return replaces or grouping.groups

    return [LabelSummary.of(nominal, weight, weigh=weigh(nominal)) for nominal in columns]


def summarize_numbers(
    numbers: list[FloatArray],
    weight: FloatArray | None,
    *,
    replaces: bool,
    find_cuts: Callable[[list[FloatArray]], list[FloatArray]] | None,
) -> list[NumberSummary]:
    """Summarise columns of numbers.

    With `replaces` the mean of a column replaces its missing values before `find_cuts` returns
    the cut points of each column. `find_cuts` is None if numbers are not cut.
    """
    has_missing = [not all_finite(column) and bool(np.isnan(column).any()) for column in numbers]
    means = [0.0] * len(numbers)
    if replaces:
        means = [weighted_mean(column, weight) for column in numbers]
        numbers = [
            fill_missing(column, mean) if missing else column
            for column, mean, missing in zip(numbers, means, has_missing, strict=True)
        ]
    cuts: list[FloatArray | None] = [None] * len(numbers)
    if find_cuts is not None and numbers:
        cuts = [*find_cuts(numbers)]
    return [NumberSummary(*each) for each in zip(has_missing, means, cuts, strict=True)]


__all__ = ["summarize_labels", "summarize_numbers"]
