"""Cost of feature augmentation: O(n q m) time and O(n q) space while training (Section 3.3).

Zhang, Jiang and Zhang (2022) state these costs for n rows, q classes and m columns: the training
rows pass through a fitted naive Bayes, and each gets q new columns. Rows, classes and columns are
doubled in turn, the others fixed. The exponent is the slope of log seconds over the last two
doublings; 1 is linear. Processor time, one thread, codes of five values, measured in turn.

The stated steps are those of the sum of log factors. Reading the columns takes O(n m) for any
number of classes, so that the time of the whole step grows less than linearly while q is small.

`python -m benchmarks augmentation_cost`
"""

import numpy as np
import pandas as pd

from augury.generative import NaiveBayes
from benchmarks.timing import in_turn, peak_megabytes, report

BASE = {"rows": 50_000, "classes": 32, "columns": 32}
FACTORS = (1, 2, 4, 8)


def make_table(rows, classes, columns):
    """Return random columns of five labels, and a class for each row."""
    rng = np.random.default_rng(0)
    labels = np.array(list("abcde"))
    X = pd.DataFrame(
        {
            f"x{j}": pd.Categorical.from_codes(rng.integers(0, 5, rows), labels)
            for j in range(columns)
        }
    )
    return X, rng.integers(0, classes, rows)


def exponent(seconds):
    """Return the slope of log seconds against the log of the size, over two doublings.

    >>> exponent([1.0, 1.1, 2.2, 4.4])
    1.0
    """
    return float(np.log2(seconds[-1] / seconds[-3]) / 2)


def main() -> None:
    for grown, start in BASE.items():
        sizes = [start * factor for factor in FACTORS]
        works, megabytes = [], []
        for size in sizes:
            X, y = make_table(**BASE | {grown: size})
            model = NaiveBayes().fit(X, y)
            works.append(lambda model=model, X=X: model.predict_proba(X))
            megabytes.append(peak_megabytes(works[-1]))
        seconds = in_turn(works, 5)
        for size, one, mega in zip(sizes, seconds, megabytes, strict=True):
            report(f"{grown} = {size}: class probabilities of all rows", 1000 * one, "ms")
            report("  peak of memory", mega, "MB")
        report(f"time ~ {grown} to the power", exponent(seconds), "", "stated: 1")
        stated = "stated: 0" if grown == "columns" else "stated: 1"
        report(f"memory ~ {grown} to the power", exponent(megabytes), "", stated)


if __name__ == "__main__":
    main()
