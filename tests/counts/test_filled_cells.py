"""Filled cells against a count by dictionaries, and arguments that do not fit."""

import numpy as np
import pytest

from augury.counts.filled_cells import FilledCells
from augury.kernels import acll_of_cells, fill_cells

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


@pytest.mark.parametrize("n_classes", [1, 2, 4])
@pytest.mark.parametrize("scale", [1, 5000, 0.3])
def test_acll_of_cells(n_classes, scale):
    """Counts are small integers, large integers and fractions."""
    rng = np.random.default_rng(2)
    counts = float(scale) * rng.integers(0, 4, (n_classes, 12))
    starts, family = np.array([0, 1, 5, 9]), np.array([0, 2, 2, 3])
    present = np.arange(n_classes) != 1
    scores, known = acll_of_cells(
        counts,
        starts,
        family,
        4,
        present=present,
        pseudo_counts=(0.5, 2.0),
        own_weight=0.7,
        other_weight=-0.2,
    )
    expected, rows = np.zeros(4), np.zeros(4)
    for of, part in zip(family, np.split(counts, starts[1:], axis=1), strict=True):
        share = np.log((part + 0.5) / (part.sum(axis=1, keepdims=True) + 2.0))
        others = share[present].sum(axis=0) - share
        expected[of] += (part * (0.7 * share - 0.2 * others)).sum()
        rows[of] += part.sum()
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-15 * counts.sum())
    np.testing.assert_allclose(known, rows, rtol=1e-14)


def test_cells_that_do_not_fit_are_refused():
    counts, starts, family = np.ones((2, 6)), np.array([0, 2, 4]), np.array([0, 0, 1])
    present = np.ones(2, dtype=bool)
    rest = {"pseudo_counts": (0.5, 1.0), "own_weight": 1.0, "other_weight": 0.0}
    acll_of_cells(counts, starts, family, 2, present=present, **rest)
    wrong = [
        (counts, starts + 1, family, 2, present),
        (counts, starts[::-1].copy(), family, 2, present),
        (counts[:, :3], starts, family, 2, present),
        (counts, starts, family[:-1], 2, present),
        (counts, starts, family, 1, present),
        (counts, starts, family - 1, 2, present),
        (counts, starts, family, 2, present[:1]),
        (counts, starts[:0], family[:0], 2, present),
        (counts.astype(np.float32), starts, family, 2, present),
    ]
    for *arguments, there in wrong:
        with pytest.raises(ValueError, match=r"do not fit|must be float64"):
            acll_of_cells(*arguments, present=there, **rest)
