"""Estimates of time, and the refusal of what takes too long."""

import pickle

import pytest

from augury.memory import RefusedTableError, columns_named
from augury.time_limit import MAX_SECONDS, TooLongError, duration_in_words, require_time

BILLION = 10**9


def refuse(n_operations, n_rows=10):
    require_time(n_operations, 1.0, "the scores", n_rows=n_rows, advice="use fewer columns")


def test_the_limit_is_ten_minutes():
    refuse(int(MAX_SECONDS) * BILLION)
    with pytest.raises(TooLongError, match="The scores take about 10 minutes"):
        refuse(int(MAX_SECONDS) * BILLION + 1)


def test_the_limit_grows_with_the_rows():
    refuse(3_600 * BILLION, n_rows=600_000)
    with pytest.raises(TooLongError, match="60 minutes"):
        refuse(3_600 * BILLION, n_rows=599_999)


def test_the_error_names_its_model_and_survives_another_process():
    with (
        pytest.raises(RefusedTableError) as caught,
        columns_named("Model", ["sky"]),
    ):
        refuse(10**14)
    expected = (
        "Model: the scores take about 28 hours (1.0e+14 operations), and models refuse what takes "
        "more than 10 minutes for each 100,000 rows: use fewer columns"
    )
    assert str(caught.value) == expected
    copied = pickle.loads(pickle.dumps(caught.value))
    assert str(copied) == expected
    assert isinstance(copied, ValueError)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1, "1 seconds"), (119, "119 seconds"), (120, "2 minutes"), (86_400, "24 hours")],
)
def test_durations(seconds, text):
    assert duration_in_words(seconds) == text
