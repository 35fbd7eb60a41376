"""Terms of the rows of one block, and what a regression learns from its numbers."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from augury.arrays import Array
from augury.counts import Moments
from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.encode import CategoricalTable


def copy_numbers(table: CategoricalTable) -> CategoricalTable:
    """Return the table with a copy of its numbers, column by column, as all sums read them."""
    return replace(table, numbers=np.array(table.numbers, order="F"))


def moments_of_numbers(table: CategoricalTable, _: Array, weight: Array | None) -> Moments:
    """Return the moments of the numbers of all classes together."""
    return Moments.collect(table.numbers, np.zeros(table.n_samples, dtype=np.int32), 1, weight)


def as_terms(
    table: CategoricalTable,
    y: Array,
    weight: Array | None,
    read: Callable[[CategoricalTable], LinearTerms],
    number: Array,
) -> tuple[LinearTerms, Array, Array | None]:
    """Return the terms of the rows, and new codes for the classes that have rows."""
    return read(table), number[y], weight


__all__ = ["as_terms", "copy_numbers", "moments_of_numbers"]
