"""One rule decides which columns identify the rows, for files and for TidyColumns."""

import numpy as np
import pandas as pd
import pytest

from augury.data import IdentifierWarning, read_table
from augury.encode import TidyColumns
from augury.identifiers import why_identifier

SHUFFLED = np.random.default_rng(0).permutation(50) + 7
GAPS = (SHUFFLED[:, np.newaxis] * 13 + [0, 3, 7]).ravel()
CASES = {
    "a shuffled count": (SHUFFLED, "it counts the rows"),
    "a count with missing values": ([*SHUFFLED[:40], None, None], "it counts the rows"),
    "squares": (np.arange(50) ** 2, ""),
    "a count with gaps": (GAPS, "every row has its own whole number"),
    "a count with gaps, and one number twice": ([*(SHUFFLED * 13), *(SHUFFLED * 13 + 3), 20], ""),
    "few of many numbers": (SHUFFLED * 1_000 + SHUFFLED, ""),
    "fractions": (SHUFFLED / 7, ""),
    "few rows": (range(19), ""),
    "codes": ([f"c{i}" for i in range(30)], "30 different labels in 30 rows"),
    "codes that repeat": ([f"c{i % 20}" for i in range(30)], ""),
    "booleans": ([True, False] * 20, ""),
}


@pytest.mark.parametrize("name", CASES)
def test_the_rule(name):
    values, reason = CASES[name]
    assert why_identifier(pd.Series(values)) == reason


@pytest.mark.parametrize("name", CASES)
def test_files_and_tidy_columns_agree(name, tmp_path, recwarn):
    values, reason = CASES[name]
    n_rows = len(values)
    frame = pd.DataFrame({"it": pd.Series(values), "other": np.arange(n_rows) % 3 / 2})
    dropped = TidyColumns().fit(frame).decisions_[0].treatment == "dropped"
    frame["c"] = np.where(np.arange(n_rows) % 2, "u", "v")
    frame.to_csv(tmp_path / "t.csv", index=False)
    read_table(tmp_path / "t.csv")
    warned = [w for w in recwarn if issubclass(w.category, IdentifierWarning)]
    assert dropped == bool(warned) == bool(reason)


def test_dates_are_not_reported(tmp_path):
    days = pd.date_range("2024-01-01", periods=30)
    frame = pd.DataFrame({"day": days, "c": ["u", "v"] * 15})
    frame.to_parquet(tmp_path / "t.parquet")
    read_table(tmp_path / "t.parquet")  # a warning would be an error
