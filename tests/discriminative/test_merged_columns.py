"""Merged columns look up and add what the columns do."""

import numpy as np
import pytest

from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.discriminative.logistic.merged_columns import MergedColumns
from augury.kernels import slot_offsets


@pytest.mark.parametrize("n", [5, 100, 3000])
@pytest.mark.parametrize("n_states", [[2], [1, 4, 300, 2, 2], [3] * 9])
def test_look_ups_and_sums(n, n_states):
    rng = np.random.default_rng(0)
    n_states = np.array(n_states)
    dtype = np.uint16 if n_states.max() > 255 else np.uint8
    codes = np.asfortranarray((rng.random((n, len(n_states))) * (n_states + 1)).astype(dtype))
    offsets = slot_offsets(n_states)
    terms = LinearTerms(codes, offsets, np.empty((n, 0)))
    merged = MergedColumns.merge(codes, offsets)
    wide = LinearTerms(merged.codes, merged.offsets, np.empty((n, 0)))
    assert sorted(j for group in merged.members for j in group) == list(range(len(n_states)))
    assert (np.diff(merged.offsets) <= max(256, n_states.max() + 1)).all()

    table = rng.normal(size=(int(offsets[-1]), 3))
    one = np.zeros((1, 3))
    np.testing.assert_allclose(
        wide.times(np.concatenate([merged.widen(table), one])),
        terms.times(np.concatenate([table, one])),
        atol=1e-12,
    )
    values = rng.normal(size=(n, 3))
    np.testing.assert_allclose(
        merged.narrow(wide.transposed_times(values)[:-1]),
        terms.transposed_times(values)[:-1],
        atol=1e-12,
    )


def test_many_rows_are_looked_up_fewer_times():
    codes = np.zeros((3000, 9), dtype=np.uint8, order="F")
    merged = MergedColumns.merge(codes, slot_offsets(np.full(9, 3)))
    assert [len(group) for group in merged.members] == [4, 4, 1]  # 4^4 = 256 slots at most
