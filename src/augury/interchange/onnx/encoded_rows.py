"""`TableEncoder` as a graph: columns become codes and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.encode import TableEncoder
from augury.encode.column_plan import (
    ColumnPlan,
    GapColumn,
    IntervalColumn,
    LabelColumn,
)
from augury.encode.table import INFREQUENT, MISSING
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.graph import Graph, Tensor
from augury.kernels import slot_offsets

# Comparisons of a row with cut points that are computed at once.
_MOST_COMPARISONS = 1 << 12


@dataclass(frozen=True, eq=False)
class EncodedRows:
    """Rows as a model reads them.

    Parameters
    ----------
    graph : Graph
    codes : Tensor of shape [N, n_features] or None, if there are no columns of codes
    n_states : number of states of each of them; a code equal to it means "left out"
    numbers : Tensor of shape [N, n_numbers] or None
    """

    graph: Graph
    codes: Tensor | None
    n_states: Array
    numbers: Tensor | None

    def slots(self) -> Tensor:
        """Return the codes as rows of a table in which all columns follow each other."""
        assert self.codes is not None
        return self.codes + slot_offsets(self.n_states)[:-1]

    def sum_of_slots(self, table: Array) -> Tensor | None:
        """Return the sum of the rows of a table over all columns of codes, of shape [N, k]."""
        if self.codes is None:
            return None
        return self.graph.gather(table, self.slots()).sum(1)

    def indicators(self) -> Tensor:
        """Return an indicator for each state of each column, of shape [N, Σ n_states].

        All indicators of a column are 0 where its value is left out.
        """
        assert self.codes is not None
        column, state = self.states()
        return self.codes.take(column).equals(state).to_float()

    def states(self) -> tuple[Array, Array]:
        """Return the column and the code of each state of all columns."""
        column = np.repeat(np.arange(len(self.n_states)), self.n_states)
        first = np.cumsum(self.n_states) - self.n_states
        return column, np.arange(len(column)) - first[column]


def encode_rows(graph: Graph, encoder: TableEncoder, columns: Sequence[Column]) -> EncodedRows:
    """Return the codes and numbers of columns as a fitted encoder computes them."""
    kinds = encoder.is_nominal_.tolist()
    nominal = [column for column, is_label in zip(columns, kinds, strict=True) if is_label]
    numeric = [column for column, is_label in zip(columns, kinds, strict=True) if not is_label]
    return EncodedRows(
        graph,
        _all_codes(graph, encoder._columns, nominal, numeric),
        np.asarray(encoder.n_states_),
        _kept_numbers(graph, encoder, columns),
    )


def _all_codes(
    graph: Graph, plans: Sequence[ColumnPlan], nominal: list[Column], numeric: list[Column]
) -> Tensor | None:
    if not plans:
        return None
    parts, order = [], []
    for at, plan in enumerate(plans):
        if isinstance(plan, GapColumn):
            parts.append(numeric[plan.source].numbers().is_nan().to_int())
            order.append(at)
        elif isinstance(plan, LabelColumn):
            parts.append(_label_codes(plan, nominal[plan.source]))
            order.append(at)
    intervals = [(at, plan) for at, plan in enumerate(plans) if isinstance(plan, IntervalColumn)]
    for group in _groups([(at, plan.cuts) for at, plan in intervals]):
        own = [plan for at, plan in intervals if at in group]
        numbers = graph.concatenate([numeric[plan.source].numbers() for plan in own])
        cuts, missing = [plan.cuts for plan in own], [plan.missing_code for plan in own]
        parts.append(interval_codes(numbers, cuts, missing))
        order += [at for at, _ in intervals if at in group]
    codes = graph.concatenate(parts)
    return codes if order == sorted(order) else codes.take(np.argsort(order))


def _groups(columns: Sequence[tuple[int, Array]]) -> list[set[int]]:
    """Return groups of columns of which a row takes a bounded number of comparisons."""
    groups: list[set[int]] = []
    for at, cuts in sorted(columns, key=lambda column: len(column[1])):
        if not groups or (len(groups[-1]) + 1) * len(cuts) > _MOST_COMPARISONS:
            groups.append(set())
        groups[-1].add(at)
    return groups


def _label_codes(plan: LabelColumn, column: Column) -> Tensor:
    code_of = {
        state: code
        for code, state in enumerate(plan.states)
        if state is not MISSING and state is not INFREQUENT
    }
    if plan.infrequent:
        code_of |= dict.fromkeys(plan.infrequent, list(plan.states).index(INFREQUENT))
    return column.codes(code_of, plan.missing_code, plan._code_of_others())


def interval_codes(numbers: Tensor, cuts: Sequence[Array], missing: Sequence[int]) -> Tensor:
    """Return the interval of each number of each column; one at a cut point lies left of it.

    Parameters
    ----------
    numbers : of shape [N, n_columns]
    cuts : sorted cut points of each column
    missing : code of a missing number of each column
    """
    padded = np.full((len(cuts), max(1, *(len(own) for own in cuts))), np.inf)
    for row, own in zip(padded, cuts, strict=True):
        row[: len(own)] = own
    codes = (numbers.expand(2) > padded).to_int().sum(2)
    return codes.where(numbers.is_nan(), np.array(missing, dtype=np.int64))


def _kept_numbers(graph: Graph, encoder: TableEncoder, columns: Sequence[Column]) -> Tensor | None:
    if not encoder._kept:
        return None
    numbers = graph.concatenate([columns[j].numbers() for j in encoder._kept])
    if encoder.missing != "replace":
        return numbers
    replacements = [encoder.replacements_[encoder.feature_names_[j]] for j in encoder._kept]
    return numbers.where(numbers.is_nan(), np.array(replacements, dtype=np.float64))


__all__ = ["EncodedRows", "encode_rows", "interval_codes"]
