"""Predictions are written with the text of `DataFrame.to_csv`."""

import numpy as np
import pandas as pd
import pytest

from augury.cli.files import predictions_file
from augury.cli.files.predictions_file import predictions_csv

LABELS = {
    "texts": np.array(["a", 'b,"c"', "", "d\ne", " f", "é", "'=1"], dtype=object),
    "integers": np.array([1, 2, 30]),
    "decimals": np.array([0.1, 1e-7, 3.0]),
    "booleans": np.array([True, False]),
    "mixed": np.array([1, "a", 2.5, None], dtype=object),
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
    monkeypatch.setattr(predictions_file, "_N_ROWS", 999)
    values = numbers(n_rows)
    rows = np.random.default_rng(1).integers(0, len(LABELS[kind]), len(values))
    answers = pd.DataFrame(
        {"predicted": LABELS[kind][rows], "p(a,b)": values, "p(c)": values[::-1]}
    )
    assert predictions_csv(answers) == answers.to_csv(index=False)
    assert predictions_csv(answers[["predicted"]]) == answers[["predicted"]].to_csv(index=False)
    single = answers.astype({"p(c)": np.float32})
    assert predictions_csv(single) == single.to_csv(index=False)


def test_without_pyarrow(monkeypatch):
    monkeypatch.setattr(predictions_file, "find_spec", lambda name: None)
    answers = pd.DataFrame({"predicted": ["a"], "p(a)": [1e-5]})
    assert predictions_csv(answers) == "predicted,p(a)\na,1e-05\n"
