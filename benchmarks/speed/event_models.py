"""Event models against scikit-learn's on a sparse 200,000 × 50,000 matrix of word counts."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes
from augury.generative.multinomial_naive_bayes import MultinomialNaiveBayes
from augury.generative.poisson_naive_bayes import PoissonNaiveBayes
from benchmarks.timing import best_seconds, peak_megabytes, report

N, M, WORDS = 200_000, 50_000, 50


def word_counts() -> csr_array:
    """Return texts of 50 words; a few words are frequent, as in natural language."""
    rng = np.random.default_rng(0)
    words = (M * rng.random(N * WORDS) ** 3).astype(np.int32)
    rows = np.repeat(np.arange(N, dtype=np.int32), WORDS)
    return coo_array((np.ones(N * WORDS, dtype=np.int64), (rows, words)), shape=(N, M)).tocsr()


def side_by_side(work: Callable[[], Any], peer: Callable[[], Any]) -> tuple[float, float]:
    """Return the shortest times of two functions, which are called in turn.

    Other load on the machine varies over time, so functions are not timed one after another.
    """
    times = [(best_seconds(work, 1), best_seconds(peer, 1)) for _ in range(7)]
    return min(ours for ours, _ in times), min(theirs for _, theirs in times)


def main() -> None:
    X = word_counts()
    pairs = [
        (MultinomialNaiveBayes, MultinomialNB),
        (BernoulliNaiveBayes, BernoulliNB),
        (PoissonNaiveBayes, MultinomialNB),
    ]
    for n_classes in (2, 20):
        y = np.random.default_rng(1).integers(0, n_classes, N)
        for model_class, peer_class in pairs:
            name, peer_name = f"{model_class.__name__}, {n_classes} classes", peer_class.__name__
            model, peer = model_class().fit(X, y), peer_class().fit(X, y)
            fit, peer_fit = side_by_side(
                lambda m=model_class, y=y: m().fit(X, y), lambda p=peer_class, y=y: p().fit(X, y)
            )
            predict, peer_predict = side_by_side(
                lambda m=model: m.predict_proba(X), lambda p=peer: p.predict_proba(X)
            )
            report(f"{name}: fit", fit, "s")
            # scikit-learn has no Poisson model, which needs all x! in addition to the multinomial.
            target = "" if model_class is PoissonNaiveBayes else "target: >= 1"
            report(f"  times as fast as {peer_name}", peer_fit / fit, "x", target)
            report(f"{name}: predict_proba", predict, "s")
            report(f"  times as fast as {peer_name}", peer_predict / predict, "x", target)
            if model_class is not PoissonNaiveBayes:
                np.testing.assert_allclose(
                    model.predict_proba(X[:1000]), peer.predict_proba(X[:1000]), atol=1e-10
                )
    megabytes = peak_megabytes(lambda: MultinomialNaiveBayes().fit(X, y))
    stored = (X.data.nbytes + X.indices.nbytes + X.indptr.nbytes) / 1e6
    report("the matrix itself", stored, "MB")
    report("MultinomialNaiveBayes fit, peak memory over the input", megabytes, "MB")


if __name__ == "__main__":
    main()
