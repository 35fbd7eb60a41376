"""The flagship on made tables with columns that mislead models.

Codes of districts or courses that are integers, identifiers, dates as numbers, noise, rare labels
and copies of rows, beside columns that tell the class. Each table has 2,000 test rows. "clean" is
the flagship without the columns whose names begin with `bad`.

`python -m benchmarks flagship_hard_columns` prints the table of
docs/results/flagship-hard-columns.md: accuracy and log loss, means over three seeds. It needs
lightgbm and takes about two minutes on one core.
"""

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd

from augury.models import build_model

MODELS = ("augury", "hybrid", "lr", "forest", "lightgbm")
N_TEST, N_SEEDS = 2_000, 3
SMALLEST = 1e-6

Table = tuple[pd.DataFrame, np.ndarray]


def draw_classes(rng: np.random.Generator, logits: np.ndarray) -> np.ndarray:
    """Return a class of each row, with the probabilities of a softmax."""
    return (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)


def numbers(rng: np.random.Generator, n: int, d: int = 6) -> tuple[pd.DataFrame, np.ndarray]:
    """Return normal columns, and logits of two classes with linear and other effects of them."""
    X = rng.normal(size=(n, d))
    others = np.column_stack([X[:, 0] * X[:, 1], X[:, 2] ** 2 - 1, np.sin(2 * X[:, 3])])
    logits = X @ rng.normal(size=(d, 2)) + others @ rng.normal(0, 0.7, (3, 2))
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(d)]), logits


def base(rng: np.random.Generator, n: int) -> Table:
    """Return six numbers and three columns of four labels."""
    X, logits = numbers(rng, n)
    for j in range(3):
        codes = rng.integers(0, 4, n)
        logits = logits + rng.normal(0, 0.8, (4, 2))[codes]
        X[f"c{j}"] = np.array(list("abcd"))[codes]
    return X, draw_classes(rng, logits)


def two_codes(rng: np.random.Generator, n: int) -> Table:
    """Return an instructor and a course by number, and three columns of little effect."""
    instructor, course = rng.integers(0, 25, n), rng.integers(0, 26, n)
    summer, size = rng.integers(1, 3, n), rng.integers(3, 67, n)
    logits = rng.normal(0, 1.3, (25, 3))[instructor] + rng.normal(0, 1.3, (26, 3))[course]
    logits += np.outer(summer - 1.5, rng.normal(size=3))
    logits += np.outer((size - 35) / 20, rng.normal(0, 0.7, 3))
    columns = {"instructor": instructor, "course": course, "summer": summer, "size": size}
    return pd.DataFrame(columns), draw_classes(rng, logits)


def districts(rng: np.random.Generator, n: int) -> Table:
    """Return six numbers, and the numbers of sixty districts."""
    X, logits = numbers(rng, n)
    names = rng.choice(np.arange(10_000, 99_999), 60, replace=False)
    codes = rng.choice(60, n, p=rng.dirichlet(np.ones(60)))
    return X.assign(district=names[codes]), draw_classes(
        rng, logits + rng.normal(0, 1.2, (60, 2))[codes]
    )


def rows_of_three(rng: np.random.Generator, n: int) -> Table:
    """Return nine squares of the codes 0, 1, 2; the class is whether a line has three ones."""
    X = rng.integers(0, 3, (n, 9))
    square = np.arange(9).reshape(3, 3)
    lines = [*square, *square.T, np.diag(square), np.diag(square[::-1])]
    y = np.any([(X[:, line] == 1).all(axis=1) for line in lines], axis=0)
    return pd.DataFrame(X, columns=[f"square{j}" for j in range(9)]), y.astype(int)


def ordered(rng: np.random.Generator, n: int) -> Table:
    """Return eight columns of the integers 1 to 10 in their order."""
    X, logits = numbers(rng, n, 8)
    return (X * 2.2 + 5).round().clip(1, 10).astype(int), draw_classes(rng, logits)


def with_bad(add: Callable[[np.random.Generator, int], dict[str, object]]):
    """Return a maker of the base table with further columns."""

    def make(rng: np.random.Generator, n: int) -> Table:
        X, y = base(rng, n)
        return pd.concat([X, pd.DataFrame(add(rng, n))], axis=1), y

    return make


def copies(rng: np.random.Generator, n: int) -> Table:
    """Return the base table, in which each training row occurs three times."""
    X, y = base(rng, n)
    n_train = n - N_TEST
    rows = np.concatenate([np.tile(np.arange(n_train // 3), 3), np.arange(n_train, n)])
    return X.iloc[rows].reset_index(drop=True), y[rows]


def zipf_labels(rng: np.random.Generator, n: int) -> np.ndarray:
    share = 1 / np.arange(1, 401) ** 0.7
    return np.array([f"label {k}" for k in rng.choice(400, n, p=share / share.sum())], object)


# Name, training rows, and maker of each table.
TABLES: dict[str, tuple[int, Callable[[np.random.Generator, int], Table]]] = {
    "two codes of 25 values": (150, two_codes),
    "two codes, 500 rows": (500, two_codes),
    "60 districts by number": (500, districts),
    "three in a row": (500, rows_of_three),
    "integers in order": (300, ordered),
    "a text that identifies rows": (
        300,
        with_bad(lambda rng, n: {"bad": [f"key {k}" for k in rng.permutation(10 * n)[:n]]}),
    ),
    "a number that identifies rows": (
        300,
        with_bad(lambda rng, n: {"bad": rng.permutation(10 * n)[:n]}),
    ),
    "a date as a number": (
        300,
        with_bad(
            lambda rng, n: {
                "bad": 20_150_000
                + 10_000 * rng.integers(0, 9, n)
                + 100 * rng.integers(1, 13, n)
                + rng.integers(1, 29, n)
            }
        ),
    ),
    "rare labels without effect": (300, with_bad(lambda rng, n: {"bad": zipf_labels(rng, n)})),
    "50 columns of noise": (
        300,
        with_bad(lambda rng, n: {f"bad{j}": rng.normal(size=n) for j in range(50)}),
    ),
    "20 integers without effect": (
        300,
        with_bad(lambda rng, n: {f"bad{j}": rng.integers(0, 12, n) for j in range(20)}),
    ),
    "each row three times": (450, copies),
}


def measure(name: str, X: pd.DataFrame, y: np.ndarray, n_train: int) -> tuple[float, float]:
    """Return the accuracy and log loss of the rows behind the first n."""
    model = build_model(name, seed=0).fit(X[:n_train], y[:n_train])
    proba = np.zeros((len(y) - n_train, int(y.max()) + 1))
    proba[:, np.asarray(model.classes_, dtype=np.intp)] = model.predict_proba(X[n_train:])
    rows, own = np.arange(len(proba)), y[n_train:]
    hit = np.mean(proba.argmax(axis=1) == own)
    return 100 * float(hit), float(-np.log(np.maximum(proba[rows, own], SMALLEST)).mean())


def main() -> None:
    warnings.simplefilter("ignore")
    print("| table | rows | " + " | ".join((*MODELS, "clean")) + " |")
    print("|---" * (len(MODELS) + 3) + "|")
    for title, (n_train, make) in TABLES.items():
        found: dict[str, list[tuple[float, float]]] = {}
        for seed in range(N_SEEDS):
            X, y = make(np.random.default_rng(seed), n_train + N_TEST)
            for name in MODELS:
                found.setdefault(name, []).append(measure(name, X, y, n_train))
            good = X.loc[:, [not str(name).startswith("bad") for name in X.columns]]
            if good.shape[1] < X.shape[1]:
                found.setdefault("clean", []).append(measure("augury", good, y, n_train))
        cells = []
        for name in (*MODELS, "clean"):
            means = np.mean(found[name], axis=0) if name in found else None
            cells.append("" if means is None else f"{means[0]:.1f} / {means[1]:.3f}")
        print(f"| {title} | {n_train} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
