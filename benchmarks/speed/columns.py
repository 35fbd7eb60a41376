"""Columns of a million rows: text labels against pandas.factorize, MDL cuts against np.argsort."""

import numpy as np
import pandas as pd

from augury.encode import MDLDiscretizer
from augury.encode.target import encode_target
from benchmarks.timing import compare

N = 1_000_000


def main() -> None:
    rng = np.random.default_rng(0)
    text = np.array(["yes", "no", "maybe"], dtype=object)[rng.integers(0, 3, N)]
    numbers = rng.normal(size=N)
    y = (numbers + 1.5 * rng.normal(size=N) > 0).astype(int)
    for label, target in (("object", text), ("str", pd.Series(text, dtype="str"))):
        compare(
            f"text target, {label}",
            lambda target=target: encode_target("benchmark", target),
            "pandas.factorize",
            lambda target=target: pd.factorize(target),
            target=">= 0.5",
        )
    compare(
        "MDL cuts of a column",
        lambda: MDLDiscretizer().fit(numbers[:, None], y),
        "np.argsort",
        lambda: np.argsort(numbers),
        target=">= 0.67",
    )


if __name__ == "__main__":
    main()
