"""NaiveBayes against scikit-learn's CategoricalNB on 1,000,000 × 30 integer codes."""

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from augury.generative import NaiveBayes
from benchmarks.timing import best_seconds, in_turn, peak_megabytes, report

# Number of rows in a call of predict_proba, and number of repetitions.
CALLS = {1: 500, 1000: 500, 100_000: 20, 1_000_000: 5}


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (1_000_000, 30))
    y = rng.integers(0, 3, 1_000_000)
    peer = CategoricalNB().fit(X, y)
    model = NaiveBayes(categorical_features="all", n_jobs=1).fit(X, y)
    peer_fit, fit = in_turn([lambda: CategoricalNB().fit(X, y), lambda: model.fit(X, y)])
    report("CategoricalNB fit, processor time", peer_fit, "s")
    report("NaiveBayes fit, processor time, one thread", fit, "s")
    report("  times as fast as CategoricalNB", peer_fit / fit, "x", "target: >= 10")
    two = NaiveBayes(categorical_features="all", n_jobs=2)
    wall = [best_seconds(lambda m=m: m.fit(X, y)) for m in (CategoricalNB(), two)]
    report("NaiveBayes fit, wall clock, two threads", wall[1], "s")
    report("  times as fast as CategoricalNB", wall[0] / wall[1], "x")
    for n_rows, repeats in CALLS.items():
        rows = X[:n_rows]
        calls = [lambda m=m, rows=rows: m.predict_proba(rows) for m in (peer, model)]
        theirs, ours = in_turn(calls, repeats)
        label = f"predict_proba of {n_rows:,} rows"
        report(f"CategoricalNB {label}", 1000 * theirs, "ms")
        report(f"NaiveBayes {label}", 1000 * ours, "ms")
        report("  times as fast as CategoricalNB", theirs / ours, "x")
    megabytes = peak_megabytes(lambda: NaiveBayes(categorical_features="all").fit(X, y))
    report("NaiveBayes fit, peak memory over the input", megabytes, "MB", "target: <= 100")
    np.testing.assert_allclose(
        NaiveBayes(categorical_features="all", priors=np.exp(peer.class_log_prior_))
        .fit(X, y)
        .predict_proba(X[:1000]),
        peer.predict_proba(X[:1000]),
        rtol=1e-10,
    )


if __name__ == "__main__":
    main()
