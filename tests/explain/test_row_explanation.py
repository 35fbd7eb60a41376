"""Why a model decides so about a row: every model of the catalogue, every kind of column."""

import numpy as np
import pandas as pd
import pytest

from augury.discriminative import LogisticRegression
from augury.explain.row_explanation import explain_row
from augury.models.tidy_model import tidy_model


def mixed(n: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "rooms": rng.integers(0, 9, n),
            "small": rng.integers(0, 9, n).astype(np.int8),
            "floor": pd.array(rng.integers(0, 9, n), dtype="Int64"),
            "lift": rng.random(n) < 0.5,
            "pets": pd.array(rng.random(n) < 0.5, dtype="boolean"),
            "town": rng.choice(["Oslo", "Bergen"], n),
            "kind": pd.Categorical(rng.choice(["flat", "house"], n)),
        }
    )
    return X, np.where(X["rooms"] + 3 * X["lift"] + rng.normal(size=n) > 5, "dear", "cheap")


@pytest.mark.parametrize("name", ["c45", "forest", "hybrid", "knn", "lr", "majority", "nb", "tan"])
def test_every_kind_of_column_can_be_unknown(name: str) -> None:
    """Integers have no gap and raised."""
    X, y = mixed()
    explained = explain_row(tidy_model(name).fit(X, y), X.iloc[[0]])
    named = {column for column, _, _ in explained.contributions}
    assert set(X.columns) <= named
    assert np.isfinite([part for *_, part in explained.contributions]).all()
    assert explained.method == ("terms" if name in ("lr", "nb", "tan") else "shapley")
    total = sum(part for *_, part in explained.contributions)
    assert total == pytest.approx(explained.log_odds, abs=1e-9)


def test_an_unknown_truth_value_is_not_false() -> None:
    X = pd.DataFrame({"lift": [True, False, False, True] * 5})
    y = np.where(X["lift"], "dear", "cheap")
    model = LogisticRegression().fit(X, y)
    for row in (0, 1):  # of False, too: what is unknown leaves the odds even
        explained = explain_row(model, X.iloc[[row]])
        assert explained.contributions[0][2] == pytest.approx(explained.log_odds, abs=1e-3)
