"""NaiveBayes against scikit-learn's CategoricalNB on 1,000,000 × 30 integer codes."""

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from augury.generative import NaiveBayes
from benchmarks.timing import best_seconds, peak_megabytes, report


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (1_000_000, 30))
    y = rng.integers(0, 3, 1_000_000)
    peer = CategoricalNB().fit(X, y)
    peer_fit = best_seconds(lambda: CategoricalNB().fit(X, y), 3)
    peer_predict = best_seconds(lambda: peer.predict_proba(X), 3)
    report("CategoricalNB fit", peer_fit, "s")
    report("CategoricalNB predict_proba", peer_predict, "s")
    for n_jobs in (1, 2):
        model = NaiveBayes(categorical_features="all", n_jobs=n_jobs)
        fit = best_seconds(lambda m=model: m.fit(X, y))
        predict = best_seconds(lambda m=model: m.predict_proba(X))
        report(f"NaiveBayes fit, {n_jobs} thread(s)", fit, "s")
        report("  times as fast as CategoricalNB", peer_fit / fit, "x", "target: >= 10")
        report(f"NaiveBayes predict_proba, {n_jobs} thread(s)", predict, "s")
        report("  times as fast as CategoricalNB", peer_predict / predict, "x", "target: >= 2")
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
