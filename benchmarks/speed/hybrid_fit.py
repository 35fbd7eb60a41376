"""The default hybrid against LightGBM's defaults: fits of 30 mixed columns, one thread."""

import numpy as np
import pandas as pd

from augury.models import build_model
from benchmarks.timing import compare

# Rows, and repetitions.
SIZES = {80_000: 3, 1_000_000: 1}


def mixed_table(n_rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return 15 columns of numbers, 15 of text, and a class that depends on them."""
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(n_rows, 4))
    columns = {f"n{j}": hidden[:, j % 4] + 1.5 * rng.normal(size=n_rows) for j in range(15)}
    labels = np.array(list("abcde"))
    for j in range(15):
        cut = np.digitize(hidden[:, j % 4] + 1.2 * rng.normal(size=n_rows), [-1, 0, 1, 1.8])
        columns[f"t{j}"] = pd.Series(labels[cut], dtype="str")
    score = hidden[:, 0] * hidden[:, 1] + hidden[:, 2] + rng.normal(size=n_rows)
    return pd.DataFrame(columns), np.where(score > 0, "yes", "no").astype(object)


def main() -> None:
    from lightgbm import LGBMClassifier

    for n_rows, repeats in SIZES.items():
        X, y = mixed_table(n_rows)
        categories = X.assign(**{name: X[name].astype("category") for name in X if name[0] == "t"})
        compare(
            f"hybrid fit, {n_rows:,} × 30 mixed",
            lambda X=X, y=y: build_model("hybrid", {}, seed=0, key="hybrid").fit(X, y),
            "LightGBM",
            lambda X=categories, y=y: LGBMClassifier(n_jobs=1, verbose=-1).fit(X, y),
            repeats=repeats,
            target=">= 2",
        )


if __name__ == "__main__":
    main()
