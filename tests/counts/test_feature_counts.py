import numpy as np
import pytest

from augury.counts import FeatureCounts


def test_counts_by_hand():
    codes = np.array([[0, 2], [1, 0], [1, 2], [0, 1]], dtype=np.uint8)
    counts = FeatureCounts.collect(codes, [2, 2], np.array([0, 1, 1, 1]), n_classes=2)
    assert counts.class_counts.tolist() == [1, 3]
    assert counts.of_column(0).tolist() == [[1, 1], [0, 2]]
    # Code 2 of the second column means "left out": those rows are in no state.
    assert counts.of_column(1).tolist() == [[0, 1], [0, 1]]
    assert counts.table[counts.offsets[1] + 2].tolist() == [1, 1]


def test_an_empty_class_and_an_unused_state_count_zero():
    counts = FeatureCounts.collect(np.array([[0]], np.uint8), [3], np.array([1]), n_classes=3)
    assert counts.class_counts.tolist() == [0, 1, 0]
    assert counts.of_column(0).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_counts_of_other_tables_do_not_add():
    one = FeatureCounts.collect(np.array([[0]], np.uint8), [2], np.array([0]), n_classes=2)
    other = FeatureCounts.collect(np.array([[0]], np.uint8), [3], np.array([0]), n_classes=2)
    with pytest.raises(ValueError, match=r"\[2\] and \[3\] states"):
        one + other
    with pytest.raises(TypeError):
        one + 1


def test_weights_of_any_type_and_layout():
    codes, y = np.array([[0], [1], [1]], dtype=np.uint8), np.array([0, 0, 1])
    expected = FeatureCounts.collect(codes, [2], y, 2, np.array([1.0, 2.0, 3.0])).table
    assert expected.sum() == 6
    for weight in (np.array([1, 2, 3]), np.arange(1.0, 4.0, 0.5)[::2], np.array([1, 2, 3], ">f4")):
        found = FeatureCounts.collect(codes, [2], y, 2, weight)
        np.testing.assert_array_equal(found.table, expected)
        np.testing.assert_array_equal(found.class_counts, [3, 3])


def test_codes_that_are_none():
    y = np.array([0, 1])
    with pytest.raises(TypeError, match="codes must be uint8, uint16 or uint32, got float32"):
        FeatureCounts.collect(np.zeros((2, 1), np.float32), [2], y, 2)
    with pytest.raises(ValueError, match="n_states must be >= 0, got -2"):
        FeatureCounts.collect(np.zeros((2, 1), np.uint8), [-2], y, 2)
