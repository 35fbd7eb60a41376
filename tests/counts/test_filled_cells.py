"""Filled cells against a count by dictionaries, and arguments that do not fit."""

import numpy as np
import pytest

from augury.counts.filled_cells import FilledCells
from augury.kernels import fill_cells

N_STATES = np.array([3, 200, 1])


def rows(seed, dtype=np.uint8, n=60):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, N_STATES + 1, (n, 3)).astype(dtype)
    others, own = rng.integers(0, 5, n), rng.integers(0, 4, n)
    return codes, others, own, rng.integers(0, 3, n), rng.random(n)


def by_dictionaries(codes, others, own, y, weight, n_classes):
    cells = {}
    for r in range(len(y)):
        for j, n in enumerate(N_STATES):
            if codes[r, j] < n:
                key = (j, int(codes[r, j]), int(others[r]), int(own[r]))
                cells.setdefault(key, np.zeros(n_classes))[y[r]] += weight[r]
    return cells


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [0, 1, 60])
def test_cells_configurations_and_totals(dtype, weighted, n):
    codes, others, own, y, weight = rows(0, dtype, n)
    found = FilledCells.collect(codes, N_STATES, others, own, y, 3, weight if weighted else None)
    expected = by_dictionaries(codes, others, own, y, weight if weighted else np.ones(n), 3)
    keys = sorted(expected)
    assert found.counts.shape == (len(keys), 3)
    for key, counts in zip(keys, found.counts, strict=True):
        np.testing.assert_allclose(counts, expected[key], rtol=1e-14)
    configurations = sorted({key[:3] for key in keys})
    assert found.family.tolist() == [key[0] for key in configurations]
    assert found.configuration.tolist() == [configurations.index(key[:3]) for key in keys]
    assert found.starts.tolist() == [
        min(k for k, key in enumerate(keys) if key[:3] == configuration)
        for configuration in configurations
    ]
    for configuration, totals in zip(configurations, found.totals, strict=True):
        of_cells = [expected[key] for key in keys if key[:3] == configuration]
        np.testing.assert_allclose(totals, np.sum(of_cells, axis=0), rtol=1e-14)
    ones = np.ones(len(keys))
    np.testing.assert_array_equal(
        found.sum_of_cells(ones), [sum(key[0] == j for key in keys) for j in range(3)]
    )


def test_arguments_that_do_not_fit_are_refused():
    codes, others, own, y, weight = rows(1)
    fill_cells(codes, N_STATES, others, own, y, weight, 3)
    wrong = [
        (codes + np.uint8(5), N_STATES, others, own, y, weight, 3),
        (codes, N_STATES[:2], others, own, y, weight, 3),
        (codes, -N_STATES, others, own, y, weight, 3),
        (codes, N_STATES, others[1:], own, y, weight, 3),
        (codes, N_STATES, others, own[1:], y, weight, 3),
        (codes, N_STATES, others, own, y[1:], weight, 3),
        (codes, N_STATES, others, own, y, weight[1:], 3),
        (codes, N_STATES, others, own, y, weight, 2),
    ]
    for arguments in wrong:
        with pytest.raises(ValueError, match=r"^fill_cells: .*(do not fit|out of range)"):
            fill_cells(*arguments)
