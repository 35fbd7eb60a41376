"""NaiveBayes(continuous="kernel") against "gaussian" on 1,000,000 × 10 numbers."""

from functools import partial

import numpy as np

from augury.generative import NaiveBayes
from benchmarks.timing import in_turn, report

N_ROWS, N_COLUMNS = 1_000_000, 10


def main() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N_ROWS)
    X = rng.normal(size=(N_ROWS, N_COLUMNS)) + 0.3 * y[:, None]
    for name, columns in {"normal": X, "log-normal": np.exp(X)}.items():
        models = {
            "gaussian": NaiveBayes(continuous="gaussian"),
            "kernel, silverman": NaiveBayes(continuous="kernel"),
            "kernel, weka": NaiveBayes(continuous="kernel", bandwidth="weka"),
        }
        fits = in_turn([partial(m.fit, columns, y) for m in models.values()], 3)
        predictions = in_turn([partial(m.predict, columns) for m in models.values()], 3)
        base = fits[0] + predictions[0]
        for model, fit, prediction in zip(models, fits, predictions, strict=True):
            report(f"{name}: {model}, fit, processor time", fit, "s")
            report(f"{name}: {model}, predict, processor time", prediction, "s")
            if model != "gaussian":
                report(
                    "  times the time of gaussian", (fit + prediction) / base, "x", "target: <= 5"
                )
    rows = X[:1]
    for model, fitted in models.items():
        [one] = in_turn([partial(fitted.predict, rows)], 20)
        report(f"{model}, predict of one row", 1000 * one, "ms")


if __name__ == "__main__":
    main()
