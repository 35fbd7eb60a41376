"""Gains of the splits of a decision tree at one node."""

from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.row_threads import over_rows

# Number of facts that the kernels write for each column.
_N_FACTS = 5


@dataclass(frozen=True, eq=False, slots=True)
class NodeRows:
    """The rows of a node.

    Parameters
    ----------
    index : the rows
    weight : their weights in the same order, or None
    y : class of each row of the table, int32
    n_classes : number of classes
    memo : x log2 x of the counts 0, 1, …, len(index); needed without weights
    """

    index: IntegerArray
    weight: FloatArray | None
    y: IntegerArray
    n_classes: int
    memo: FloatArray | None

    @property
    def whole(self) -> float:
        """Weight of the rows."""
        return float(len(self.index) if self.weight is None else self.weight.sum())


def state_gains(
    codes: IntegerArray, offsets: IntegerArray, node: NodeRows, minimum: float, *, n_threads: int
) -> FloatArray:
    """Return gain, gain ratio and whether the split is usable, for each column of codes.

    The result has five rows; the last two, the numbers on both sides of a threshold, are NaN.
    """
    out, whole = np.empty((_N_FACTS, codes.shape[1])), node.whole

    def write(start: int, stop: int) -> None:
        _native.state_gains(
            codes,
            offsets,
            node.y,
            node.index,
            node.weight,
            node.memo,
            node.n_classes,
            whole,
            minimum,
            out,
            start,
            stop,
        )

    over_rows(write, (codes.shape[1], len(node.index)), n_threads)
    return out


def threshold_gains(
    ranks: IntegerArray,
    offsets: IntegerArray,
    values: FloatArray,
    min_difference: FloatArray,
    node: NodeRows,
    minimum: float,
    *,
    n_threads: int,
) -> FloatArray:
    """Return gain, gain ratio, whether it is usable, and both numbers at the best thresholds.

    `ranks` are uint32 codes of the distinct numbers of each column in ascending order, which are
    at `values[offsets[j]]`, …; the code after the last one is a missing number.
    """
    out, whole = np.empty((_N_FACTS, ranks.shape[1])), node.whole

    def write(start: int, stop: int) -> None:
        _native.threshold_gains(
            ranks,
            offsets,
            values,
            min_difference,
            node.y,
            node.index,
            node.weight,
            node.memo,
            node.n_classes,
            whole,
            minimum,
            out,
            start,
            stop,
        )

    over_rows(write, (ranks.shape[1], len(node.index)), n_threads)
    return out


__all__ = ["NodeRows", "state_gains", "threshold_gains"]
