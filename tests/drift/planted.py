"""Rows of a known distribution, and tables from which fresh samples are drawn."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine


def draw_penguins(n_rows: int, seed: int) -> pd.DataFrame:
    """Return rows with labels, numbers, prices, dates, an identifier and gaps."""
    rng = np.random.default_rng(seed)
    species = rng.choice(["Adelie", "Gentoo", "Chinstrap"], n_rows, p=[0.45, 0.35, 0.2])
    bill = pd.Series(species).map({"Adelie": 38.8, "Gentoo": 47.5, "Chinstrap": 48.8})
    island = rng.choice(["Dream", "Biscoe", "Torgersen"], n_rows)
    days = pd.to_timedelta(rng.integers(0, 900, n_rows), "D")
    return pd.DataFrame(
        {
            "ring": [f"r{seed}-{k}" for k in range(n_rows)],
            "island": np.where(species == "Gentoo", "Biscoe", island),
            "bill_length": np.round(rng.normal(bill, 2.5), 1),
            "mass": np.where(rng.random(n_rows) < 0.02, np.nan, rng.normal(4200, 500, n_rows)),
            "price": [f"${x:,.2f}" for x in rng.gamma(2.0, 900.0, n_rows)],
            "seen": (pd.Timestamp("2020-01-01") + days).strftime("%Y-%m-%d"),
            "wild": rng.random(n_rows) < 0.3,
            "species": species,
        }
    )


def draw_difficult(n_rows: int, seed: int) -> pd.DataFrame:
    """Return rows with heavy tails, rare labels, and columns of very many labels."""
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 3, n_rows)
    shares = np.array([40, 30, 15, 10, 3, 1, 0.5, 0.5]) / 100
    return pd.DataFrame(
        {
            "normal": rng.normal(z, 1),
            "tail": rng.lognormal(0, 2, n_rows),
            "count": rng.poisson(1.5, n_rows),
            "rare": rng.choice(list("abcdefgh"), n_rows, p=shares),
            "zipf": [f"w{k}" for k in rng.zipf(1.4, n_rows) % 5000],
            "many": [f"u{k}" for k in rng.integers(0, n_rows // 5, n_rows)],
            "gaps": np.where(rng.random(n_rows) < 0.1, np.nan, rng.standard_cauchy(n_rows)),
            "class": [f"c{k}" for k in z],
        }
    )


def real_table(name: str) -> pd.DataFrame:
    """Return a table of scikit-learn with the column `class`."""
    load = {
        "iris": load_iris,
        "wine": load_wine,
        "cancer": load_breast_cancer,
        "digits": load_digits,
    }[name]
    X, y = load(return_X_y=True, as_frame=True)
    return X.assign(**{"class": [f"c{k}" for k in y]})
