import numpy as np
import pytest
from joblib import cpu_count

from augury.validation import check_distribution, check_sample_weight, check_threads


def test_negative_n_jobs_counts_from_the_cores():
    assert check_threads("Model", None) == 1
    assert check_threads("Model", 3) == 3
    assert check_threads("Model", -1) == cpu_count()
    assert check_threads("Model", -1000) == 1
    for wrong in (0, True, np.True_, "2", 1.5):
        with pytest.raises(ValueError, match="Model: n_jobs must be None or an integer other th"):
            check_threads("Model", wrong)


def test_weights_are_contiguous_float64():
    unaligned = np.zeros(25, np.uint8)[1:].view(np.float64)
    unaligned[:] = 1.0
    for weight in (np.ones(6)[::2], np.ones(3, ">f8"), np.ones(3, int), unaligned, 1):
        checked = check_sample_weight("Model", weight, 3)
        assert checked.dtype == np.float64
        assert checked.dtype.isnative
        assert checked.flags.aligned
        assert checked.flags.c_contiguous
        assert checked.tolist() == [1, 1, 1]


@pytest.mark.parametrize("value", ["uniform", {0: 1}, [0.5], [[0.5, 0.5]], ["a", "b"]])
def test_values_that_are_not_a_distribution(value):
    with pytest.raises(ValueError, match="Model: priors must be 2 probabilities, one for each"):
        check_distribution("Model", "priors", value, 2)
