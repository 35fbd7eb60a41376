"""A table of numbers and texts with a class, for benchmarks of files and columns."""

import numpy as np
import pandas as pd

# Kinds of columns: 15 numbers, of which 3 are whole and 2 have missing values; 15 texts.
N_NUMBERS = 15
N_TEXTS = 15
_N_LABELS = (2, 3, 5, 8, 12, 20, 40, 100, 300, 1000, 4, 6)
_DAYS = 3000


def mixed_table(n_rows: int, seed: int = 0) -> pd.DataFrame:
    """Return a table of 30 columns and the class, which depends on some of them.

    There are 12 columns of decimals, 3 of integers, 12 of labels (2 to 1000 different ones), one
    of dates, one of postal codes and one of amounts such as $1,234.50. Some values of four
    columns are missing. The labels of a column have similar lengths, as in real files.
    """
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n_rows)
    columns: dict[str, object] = {}
    for j in range(N_NUMBERS):
        values = rng.normal(size=n_rows) + (score if j % 3 == 0 else 0)
        if j < N_NUMBERS - 3:
            values = np.round(values * 10 ** (j % 4), 6)
        else:
            values = np.round(values * 100)
        column = pd.Series(values)
        if j % 7 == 1:
            column[rng.random(n_rows) < 0.05] = np.nan
        elif j >= N_NUMBERS - 3:
            column = column.astype(np.int64)
        columns[f"number{j + 1}"] = column
    for j, n_labels in enumerate(_N_LABELS):
        codes = rng.integers(0, n_labels, n_rows)
        codes = np.where(score > 1, 0, codes) if j % 4 == 0 else codes
        labels = np.array([f"label {chr(97 + k % 26)}{k}" for k in range(n_labels)], dtype=object)
        column = pd.Series(labels[codes])
        if j % 6 == 5:
            column[rng.random(n_rows) < 0.05] = None
        columns[f"text{j + 1}"] = column
    days = pd.date_range("2015-01-01", periods=_DAYS).strftime("%Y-%m-%d").to_numpy(dtype=object)
    columns["since"] = days[rng.integers(0, _DAYS, n_rows)]
    postal = np.array([f"{k:05d}" for k in range(1000, 9000)], dtype=object)
    columns["postal"] = postal[rng.integers(0, len(postal), n_rows)]
    amounts = np.array([f"${k / 2:,.2f}" for k in range(1, 8001)], dtype=object)
    columns["amount"] = amounts[rng.integers(0, len(amounts), n_rows)]
    noisy = score + rng.normal(size=n_rows)
    columns["class"] = np.array(["low", "middle", "high"], dtype=object)[
        np.digitize(noisy, [-1, 1])
    ]
    return pd.DataFrame(columns)
