"""HNB, AODE and TAN against scikit-bayes' AODE and pyAgrum's TAN, one thread.

The time is the processor time of whole calls; all `predict_proba` get the same 1,000 rows. Other
packages are measured if they are installed: pip install -r benchmarks/peers.txt. `python -m
benchmarks pair_models` takes some minutes and 8 GB with them.
"""

import numpy as np
import pandas as pd

from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    KDependenceBayes,
    TreeAugmentedNaiveBayes,
)
from augury.kernels import count_pairs
from benchmarks.timing import best_processor_seconds, peak_megabytes, report

N, D, V, Q = 1_000_000, 30, 5, 3
MODELS = {
    "HNB": HiddenNaiveBayes(categorical_features="all"),
    "AODE": AveragedOneDependence(categorical_features="all"),
    "TAN": TreeAugmentedNaiveBayes(categorical_features="all"),
    "KDB, k=2": KDependenceBayes(categorical_features="all"),
}


def table(n):
    rng = np.random.default_rng(0)
    return rng.integers(0, V, (n, D)), rng.integers(0, Q, n)


def measure_augury(X, y):
    codes, labels = np.asfortranarray(X.astype(np.uint8)), y.astype(np.int32)
    n_states = np.full(D, V)
    bare = best_processor_seconds(lambda: count_pairs(codes, labels, None, n_states, Q))
    report("bare pair-counting kernel", bare, "s")
    seconds = {}
    for name, model in MODELS.items():
        fit = best_processor_seconds(lambda m=model: m.fit(X, y), 3)
        predict = best_processor_seconds(lambda m=model: m.predict_proba(X[:1000]), 50)
        seconds[name] = fit, predict
        report(f"{name} fit", fit, "s")
        report(
            "  times the bare kernel", fit / bare, "x", "target: <= 2" if "KDB" not in name else ""
        )
        report(f"{name} predict_proba of 1,000 rows", 1000 * predict, "ms")
    return seconds


def measure_scikit_bayes(X, y, seconds):
    try:
        from skbn.ande import AnDE
    except ModuleNotFoundError:
        print("scikit-bayes: not installed, not measured")
        return
    peer = AnDE(n_dependence=1, categorical_features=list(range(D)))
    fit = best_processor_seconds(lambda: peer.fit(X, y), 1)
    predict = best_processor_seconds(lambda: peer.predict_proba(X[:1000]), 10)
    report("scikit-bayes AODE fit", fit, "s")
    for name in ("HNB", "AODE", "TAN"):
        report(f"  {name}: fit, times as fast", fit / seconds[name][0], "x", "target: >= 10")
    report("scikit-bayes AODE predict_proba of 1,000 rows", 1000 * predict, "ms")
    report(
        "  AODE: predict_proba, times as fast", predict / seconds["AODE"][1], "x", "target: >= 5"
    )


def measure_pyagrum(X, y, seconds):
    try:
        from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
        from pyagrum.skbn import BNClassifier
    except ModuleNotFoundError:
        print("pyAgrum: not installed, not measured")
        return
    frame = pd.DataFrame(X.astype(str), columns=[f"x{j}" for j in range(D)])
    labels = y.astype(str)
    peer = BNClassifier(
        type_processor=DiscreteTypeProcessor(),
        learningMethod="TAN",
        prior="Smoothing",
        priorWeight=1,
    )
    fit = best_processor_seconds(lambda: peer.fit(frame, labels), 1)
    predict = best_processor_seconds(lambda: peer.predict_proba(frame[:1000]), 3)
    report("pyAgrum TAN fit", fit, "s")
    for name in ("HNB", "AODE", "TAN"):
        report(f"  {name}: fit, times as fast", fit / seconds[name][0], "x", "target: >= 25")
    report("pyAgrum TAN predict_proba of 1,000 rows", 1000 * predict, "ms")
    report("  TAN: predict_proba, times as fast", predict / seconds["TAN"][1], "x", "target: >= 50")


def measure_growth():
    for name in ("HNB", "AODE", "TAN"):
        before = None
        for n in (100_000, 1_000_000, 10_000_000):
            X, y = table(n)
            fit = best_processor_seconds(lambda m=MODELS[name], X=X, y=y: m.fit(X, y), 2)
            megabytes = peak_megabytes(lambda m=MODELS[name], X=X, y=y: m.fit(X, y))
            report(f"{name} fit of {n:,} rows", fit, "s")
            if before is not None:
                report(
                    "  ratio to the time for a tenth of the rows", fit / before, "x", "linear: 10"
                )
            report(
                "  peak memory over the input", megabytes, "MB", "constant above one block of rows"
            )
            before = fit


def main() -> None:
    X, y = table(N)
    seconds = measure_augury(X, y)
    measure_scikit_bayes(X, y, seconds)
    measure_pyagrum(X, y, seconds)
    measure_growth()


if __name__ == "__main__":
    main()
