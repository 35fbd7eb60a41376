"""Predictions are written with the text of `DataFrame.to_csv`."""

import numpy as np
import pandas as pd
import pytest

from augury.scale.predictions import csv_text as module
from augury.scale.predictions.csv_text import csv_text

LABELS = {
    "texts": np.array(["a", 'b,"c"', "", "d\ne", " f", "é", "'=1", "g\rh"], dtype=object),
    "integers": np.array([1, 2, 30]),
    "decimals": np.array([0.1, 1e-7, 3.0]),
    "booleans": np.array([True, False]),
    "mixed": np.array([1, "a", 2.5, None, True, 1.0, np.nan], dtype=object),
}


def numbers(n: int) -> np.ndarray:
    """Return numbers of all sizes, at the edges of notations, and special ones."""
    rng = np.random.default_rng(0)
    special = [0.0, -0.0, 1.0, np.nan, np.inf, 5e-324, 1e16, 1e-4, np.nextafter(1e-4, 0), -0.5]
    every = [rng.random(n), 10 ** rng.uniform(-320, 20, n), 1 - 10 ** rng.uniform(-17, 0, n)]
    return np.concatenate([*every, np.repeat(special, 5)])


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("n_rows", [1, 7, 10_000])
def test_as_pandas_writes_it(kind, n_rows, monkeypatch):
    monkeypatch.setattr(module, "_N_ROWS", 999)
    values = numbers(n_rows)
    rows = np.random.default_rng(1).integers(0, len(LABELS[kind]), len(values))
    answers = pd.DataFrame(
        {"predicted": LABELS[kind][rows], "p(a,b)": values, "p(c)": values[::-1]}
    )
    assert csv_text(answers) == answers.to_csv(index=False)
    assert csv_text(answers, header=False) == answers.to_csv(index=False, header=False)
    assert csv_text(answers[["predicted"]]) == answers[["predicted"]].to_csv(index=False)
    single = answers.astype({"p(c)": np.float32})
    assert csv_text(single) == single.to_csv(index=False)


def test_columns_of_every_type():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "text": pd.Series([None, *'a,b|c"d|e|f\ng'.split("|")]),
            "category": pd.Categorical(["x", None, "y,z", "x", "x"]),
            "years": pd.Categorical([2020, 2021, None, 2020, 2020]),
            "bytes": rng.integers(0, 255, 5).astype(np.uint8),
            "large": np.array([-(2**63), 2**63 - 1, 0, 1, -1]),
            "truth": [True, False, True, True, False],
            "known": np.array([True, None, False, None, True], dtype=object),
            "nullable": pd.array([1, None, 3, 4, 5], dtype="Int64"),
            "single": rng.random(5).astype(np.float32),
        }
    )
    for name in frame:
        two = frame[[name, "large"]]
        assert csv_text(two) == two.to_csv(index=False), name
    assert csv_text(frame) == frame.to_csv(index=False)


def test_times_do_not_depend_on_the_other_rows():
    times = pd.to_datetime(["2024-01-01", None, "2024-01-02 03:04:05.5"], format="ISO8601")
    text = csv_text(pd.DataFrame({"when": times, "predicted": list("abc")}))
    assert text.splitlines() == [
        "when,predicted",
        "2024-01-01 00:00:00,a",
        ",b",
        "2024-01-02 03:04:05.500000,c",
    ]
    first = csv_text(pd.DataFrame({"when": times[:1], "predicted": ["a"]}), header=False)
    assert first == "2024-01-01 00:00:00,a\n"


def test_without_pyarrow(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    answers = pd.DataFrame({"predicted": ["a"], "p(a)": [1e-5]})
    assert csv_text(answers) == "predicted,p(a)\na,1e-05\n"
