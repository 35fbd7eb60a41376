"""The flagship against LightGBM and a random forest: time of fit and predict, and log loss.

LightGBM and the forest have their default parameters; the forest has 300 trees. Labels are
categories for LightGBM and indicators for the forest. One thread each, processor time, measured in
turn. Each ratio should be at most 1. Log loss is that of rows that no model was fitted to.

`python -m benchmarks flagship` takes the development sets of docs/results/flagship.md below 1,500
rows, if AUGURY_DATA is set, and two synthetic tables of 80,000 rows and 30 mixed columns.
"""

import os
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import log_loss

from augury.ensemble import HybridClassifier
from benchmarks import mixed_table
from benchmarks.speed import hybrid_fit
from benchmarks.timing import in_turn, report

SMALL_SETS = (
    "anneal", "autos", "breast-w", "colic.ORIG", "credit-a", "diabetes", "heart-h", "hepatitis",
    "labor", "lymph", "sonar", "vote", "zoo",
)  # fmt: skip
ROWS_OF_LARGE, NEW_ROWS = 80_000, 20_000
PREDICTED = (100, 1_000, 20_000)


def small_tables() -> Iterator[tuple[str, pd.DataFrame, np.ndarray]]:
    """Yield the development sets; none without the shared data."""
    if "AUGURY_DATA" not in os.environ:
        return
    from augury.data import load_dataset

    for name in SMALL_SETS:
        dataset = load_dataset(name)
        yield name, dataset.X, np.asarray(dataset.y).astype(str)


def large_tables() -> Iterator[tuple[str, pd.DataFrame, np.ndarray]]:
    """Yield a table of few labels, and one with identifiers and columns of many labels."""
    n_rows = ROWS_OF_LARGE + NEW_ROWS
    yield ("few labels", *hybrid_fit.mixed_table(n_rows))
    table = mixed_table.mixed_table(n_rows)
    yield "many labels", table.drop(columns="class"), table["class"].to_numpy()


def with_categories(X: pd.DataFrame) -> pd.DataFrame:
    """Return labels as categories; LightGBM refuses some names of columns, so they are numbers."""
    columns = [
        column if pd.api.types.is_numeric_dtype(column) else column.astype("category")
        for _, column in X.items()
    ]
    return pd.concat(columns, axis=1).set_axis(range(X.shape[1]), axis=1)


def time_fits(X: pd.DataFrame, y: np.ndarray, efforts: tuple[str, ...], *, forest: bool) -> Any:
    """Return the seconds of the fits by name, and the fitted LightGBM and flagships."""
    from lightgbm import LGBMClassifier

    categories = with_categories(X)
    models: dict[str, Any] = {"LightGBM": LGBMClassifier(n_jobs=1, verbose=-1)}
    models |= {effort: HybridClassifier(effort) for effort in efforts}
    tables: dict[str, Any] = dict.fromkeys(models, X) | {"LightGBM": categories}
    if forest:
        models["forest"] = RandomForestClassifier(300, n_jobs=1, random_state=0)
        tables["forest"] = pd.get_dummies(categories, dtype=float).fillna(0).to_numpy()
    fits = [partial(model.fit, tables[name], y) for name, model in models.items()]
    seconds = dict(zip(models, in_turn(fits, 2), strict=True))
    return seconds, models


def time_predictions(models: dict[str, Any], X: pd.DataFrame, n_rows: int) -> dict[str, float]:
    """Return the seconds that LightGBM and the flagship take for so many rows."""
    rows = X.iloc[np.arange(n_rows) % len(X)].reset_index(drop=True)
    categories = with_categories(X).iloc[np.arange(n_rows) % len(X)].reset_index(drop=True)
    names = [name for name in models if name != "forest"]
    works = [
        partial(models[name].predict_proba, categories if name == "LightGBM" else rows)
        for name in names
    ]
    return dict(zip(names, in_turn(works, 3), strict=True))


def compare_small() -> None:
    """Report medians over the small sets."""
    fits, predictions = [], {n: [] for n in PREDICTED}
    for _, X, y in small_tables():
        seconds, models = time_fits(X, y, ("fast", "balanced"), forest=True)
        fits.append(seconds)
        for n_rows in PREDICTED:
            predictions[n_rows].append(time_predictions(models, X, n_rows))
    if not fits:
        return
    label = f"median of {len(fits)} small sets"
    medians = pd.DataFrame(fits).median()
    for name, value in medians.items():
        report(f"{label}: fit, {name}", 1000 * value, "ms")
    report("  fast relative to LightGBM", medians["fast"] / medians["LightGBM"], "x")
    report("  balanced relative to the forest", medians["balanced"] / medians["forest"], "x")
    for n_rows, all_seconds in predictions.items():
        table = pd.DataFrame(all_seconds)
        for effort in ("fast", "balanced"):
            ratio = (table[effort] / table["LightGBM"]).median()
            report(f"  predict {n_rows:,} rows, {effort}, relative to LightGBM", ratio, "x")


def compare_large() -> None:
    """Report times and log losses of the large tables."""
    from lightgbm import LGBMClassifier

    for name, table, classes in large_tables():
        categories = with_categories(table)
        X, new = table[:ROWS_OF_LARGE], table[ROWS_OF_LARGE:].reset_index(drop=True)
        y, y_new = classes[:ROWS_OF_LARGE], classes[ROWS_OF_LARGE:]
        X_peer, new_peer = categories[:ROWS_OF_LARGE], categories[ROWS_OF_LARGE:]
        peer, ours = LGBMClassifier(n_jobs=1, verbose=-1), HybridClassifier()
        theirs, own = in_turn([partial(peer.fit, X_peer, y), partial(ours.fit, X, y)], 2)
        label = f"{len(X):,} × {X.shape[1]}, {name}"
        report(f"{label}: fit, LightGBM", theirs, "s")
        report(f"{label}: fit, balanced", own, "s")
        report("  relative to LightGBM", own / theirs, "x")
        report("  log loss, LightGBM", log_loss(y_new, peer.predict_proba(new_peer)), "")
        report("  log loss, balanced", log_loss(y_new, ours.predict_proba(new)), "")
        for n_rows in PREDICTED:
            theirs, own = in_turn(
                [
                    partial(peer.predict_proba, new_peer[:n_rows]),
                    partial(ours.predict_proba, new[:n_rows]),
                ],
                3,
            )
            report(f"  predict {n_rows:,} rows, relative to LightGBM", own / theirs, "x")


def main() -> None:
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    compare_small()
    compare_large()


if __name__ == "__main__":
    main()
