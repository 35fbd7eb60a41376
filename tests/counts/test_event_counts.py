import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array, csr_matrix

from augury.counts.event_counts import EventCounts

X = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0], [4.0, 0.0, 0.0], [5.0, 1.0, 1.0]])
Y = np.array([0, 1, 0, 2])


@pytest.mark.parametrize("form", [np.asarray, np.asfortranarray, csr_array, csr_matrix, csc_array])
@pytest.mark.parametrize("n_classes", [3, 9])  # by product, and by one addition for each value
def test_sums_by_hand(form, n_classes):
    counts = EventCounts.collect(form(X), Y, n_classes)
    assert counts.class_counts.tolist() == [2, 1, 1] + [0] * (n_classes - 3)
    assert counts.sums[:3].tolist() == [[5, 0, 2], [0, 0, 3], [5, 1, 1]]
    assert not counts.sums[3:].any()
    assert counts.missing is None
    assert counts.known[0].tolist() == [2, 2, 2]
    weighted = EventCounts.collect(form(X), Y, n_classes, np.array([2.0, 1.0, 0.5, 0.0]))
    assert weighted.class_counts[:3].tolist() == [2.5, 1, 0]
    assert weighted.sums[:3].tolist() == [[4, 0, 4], [0, 0, 3], [0, 0, 0]]


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("n_classes", [3, 9])
def test_missing_values_do_not_count(form, n_classes):
    gappy = X.copy()
    gappy[0, 0] = np.nan
    counts = EventCounts.collect(form(gappy), Y, n_classes, np.array([2.0, 1.0, 1.0, 1.0]))
    assert counts.sums[0].tolist() == [4, 0, 4]
    assert counts.missing[0].tolist() == [2, 0, 0]
    assert counts.known[0].tolist() == [1, 3, 3]
    both = counts + EventCounts.collect(form(X), Y, n_classes)
    assert both.missing[0].tolist() == [2, 0, 0]
    assert both.known[0].tolist() == [3, 5, 5]
    assert (counts + counts).missing[0].tolist() == [4, 0, 0]


def test_integers_and_many_rows(monkeypatch):
    rng = np.random.default_rng(0)
    big, y = rng.integers(0, 4, (100, 5)), rng.integers(0, 3, 100)
    expected = np.array([big[y == c].sum(axis=0) for c in range(3)])
    monkeypatch.setattr("augury.counts.event_counts._CELLS", 35)
    monkeypatch.setattr("augury.counts.event_counts._STORED", 7)
    monkeypatch.setattr("augury.counts.event_counts._FEW_CLASSES", 1)
    for matrix in (big, np.asfortranarray(big), csr_array(big), big.astype(np.uint8)):
        np.testing.assert_array_equal(EventCounts.collect(matrix, y, 3).sums, expected)
    nothing = EventCounts.collect(csr_array((100, 5)), y, 3)
    assert not nothing.sums.any()


def test_only_equal_shapes_add():
    counts = EventCounts.collect(X, Y, 3)
    with pytest.raises(ValueError, match=r"same classes and columns, got shapes \(3, 3\) and"):
        counts + EventCounts.collect(X[:, :2], Y, 3)
    with pytest.raises(TypeError):
        counts + 1
