"""KNN of numbers against scikit-learn's: 1,000 rows, 10,000 training rows, 30 columns."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from augury.discriminative import KNearestNeighbors
from benchmarks.timing import compare


def main() -> None:
    rng = np.random.default_rng(0)
    X, y, rows = (
        rng.normal(size=(10_000, 30)),
        rng.integers(0, 3, 10_000),
        rng.normal(size=(1000, 30)),
    )
    ours = KNearestNeighbors(n_neighbors=3, discretizer=None).fit(X, y)
    peer = KNeighborsClassifier(3).fit(X, y)
    compare(
        "KNN predict, 1,000 of 10,000",
        lambda: ours.predict(rows),
        "scikit-learn",
        lambda: peer.predict(rows),
        target=">= 1",
    )


if __name__ == "__main__":
    main()
