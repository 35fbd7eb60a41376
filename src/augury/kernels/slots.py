"""Slots of a table of codes: the rows of the kernels' tables.

Column j owns n_states[j] + 1 adjacent slots, one for each state. The last one is for rows in
which the value is left out.
"""

import numpy as np

from augury.arrays import IntegerArray
from augury.memory import is_small, require_bytes


def slot_offsets(n_states: IntegerArray) -> IntegerArray:
    """Return the first slot of each column, and the number of all slots.

    >>> slot_offsets(np.array([2, 3]))
    array([0, 3, 7])
    """
    n_states = np.asarray(n_states, dtype=np.int64)
    if (n_states < 0).any():
        raise ValueError(f"slot_offsets: n_states must be >= 0, got {n_states.min()}")
    offsets = np.zeros(len(n_states) + 1, dtype=np.int64)
    np.cumsum(n_states + 1, out=offsets[1:])
    return offsets


def require_slot_bytes(offsets: IntegerArray, n_classes: int) -> None:
    """Raise if a float64 table of all slots and classes does not fit in memory."""
    n_slots = int(offsets[-1])
    if is_small(8 * n_slots * int(n_classes)):  # before the states of all columns are computed
        return
    require_bytes(
        8 * n_slots * int(n_classes),
        f"the sums of {n_slots:,} states in {int(n_classes):,} classes",
        np.diff(offsets) - 1,
        advice="leave these columns out, or group their labels",
    )


__all__ = ["require_slot_bytes", "slot_offsets"]
