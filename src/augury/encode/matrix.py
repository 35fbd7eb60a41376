"""A `CategoricalTable` as a matrix of numbers and indicators."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray
from augury.encode.table import CategoricalTable
from augury.memory import require_bytes


@dataclass(frozen=True, eq=False)
class NumberMatrix:
    """Numbers and 0/1 indicators of states, as one matrix.

    Parameters
    ----------
    values : array of shape (n_samples, n_columns), float64
    names : names of the columns: `size` for a number, `sky=sun` for an indicator
    features : names of the columns of the table, numbers first, then labels
    starts : first column of each feature, and the number of all columns
    """

    values: FloatArray
    names: tuple[str, ...]
    features: tuple[str, ...]
    starts: tuple[int, ...]


def number_matrix(
    table: CategoricalTable,
    reference: int | Sequence[int] | None = None,
    *,
    left_out: float = 0.0,
) -> NumberMatrix:
    """Return the numbers of a table, followed by one indicator for each state.

    A table of numbers only is not copied.

    Parameters
    ----------
    table : rows
    reference : state of each categorical column that gets no indicator, or None
        One int applies to all columns; 0 is the first state. Without the indicator of one
        state, the indicators of a column do not sum to one. None keeps all indicators.
    left_out : float
        Value of the indicators of a column if its value is left out (unseen, or missing and
        ignored). With 0 no state is indicated, which means the reference if there is one. A
        model with references therefore passes NaN and fills it in.

    Examples
    --------
    >>> from augury.encode import CategoricalTable
    >>> table = CategoricalTable.from_codes([[0], [2], [3]], n_states=[3])  # 3: left out
    >>> number_matrix(table).values
    array([[1., 0., 0.],
           [0., 0., 1.],
           [0., 0., 0.]])
    >>> number_matrix(table, reference=0).names
    ('x0=1', 'x0=2')
    """
    n_labels = len(table.names)
    if reference is None or isinstance(reference, int):
        references: Sequence[int | None] = [reference] * n_labels
    else:
        references = list(reference)
    kept = [
        [k for k in range(len(states)) if k != references[j]]
        for j, states in enumerate(table.states)
    ]
    widths = [1] * len(table.number_names) + [len(states) for states in kept]
    starts = np.concatenate([[0], np.cumsum(widths, dtype=np.int64)])
    labels = [
        f"{name}={states[k]}"
        for name, states, indicated in zip(table.names, table.states, kept, strict=True)
        for k in indicated
    ]
    return NumberMatrix(
        values=_fill(table, kept, left_out) if n_labels else table.numbers,
        names=(*table.number_names, *labels),
        features=(*table.number_names, *table.names),
        starts=tuple(starts.tolist()),
    )


def _fill(table: CategoricalTable, kept: list[list[int]], left_out: float) -> FloatArray:
    n_numbers = table.numbers.shape[1]
    shape = (table.n_samples, n_numbers + sum(map(len, kept)))
    require_bytes(
        8 * shape[0] * shape[1],
        f"{shape[0]:,} rows with an indicator for each state, {shape[1]:,} columns in all,",
        map(len, kept),
        advice="leave these columns out, group their labels, or predict fewer rows at a time",
    )
    values = np.empty(shape, order="F")
    values[:, :n_numbers] = table.numbers
    column = n_numbers
    for j, indicated in enumerate(kept):
        codes = table.codes[:, j]
        unknown = np.flatnonzero(codes == len(table.states[j])) if left_out != 0 else None
        for k in indicated:
            values[:, column] = codes == k
            if unknown is not None:
                values[unknown, column] = left_out
            column += 1
    return values
