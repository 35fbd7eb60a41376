"""Logistic regression of numbers only against scikit-learn's lbfgs on the same model.

Ours is a whole `fit` of the raw numbers. The peer gets standardised numbers, without the time to
standardise them. Both minimise the same function, and the losses are reported. The default of
augury adds indicators of intervals to the numbers; it is compared with the same peer, which has
fewer terms. "alike" numbers have a correlation of 0.9. One thread, processor time.

`python -m benchmarks logistic_numbers`
"""

import numpy as np
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.preprocessing import StandardScaler

from augury.discriminative import LogisticRegression
from augury.kernels.blas_threads import blas_threads
from benchmarks.speed.logistic_regression import penalised_loss
from benchmarks.timing import in_turn, report


def compare(label, X, y):
    Z = StandardScaler().fit_transform(X)
    same, default = LogisticRegression(continuous="standardize"), LogisticRegression()
    peer = Peer(max_iter=10_000)
    works = [lambda: same.fit(X, y), lambda: default.fit(X, y), lambda: peer.fit(Z, y)]
    with blas_threads(1):
        seconds, default_seconds, theirs = in_turn(works, 5)
    report(f"{label}: scikit-learn, {peer.n_iter_[0]} iterations", theirs, "s")
    least = penalised_loss(peer.predict_proba(Z), y, peer.coef_)
    own = same.coef_ if len(same.classes_) > 2 else same.coef_[1:]
    reached = penalised_loss(same.predict_proba(X), y, own)
    report(f"{label}: augury, {same.n_iter_} steps", seconds, "s")
    report("  penalised loss relative to scikit-learn's", reached - least, "nats")
    report("  times as fast", theirs / seconds, "x", "target: >= 2")
    report("  the default, with intervals", default_seconds, "s")
    report("  times as fast", theirs / default_seconds, "x", "target: >= 1")


def main() -> None:
    for n_classes in (2, 5):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(100_000, 30))
        for kind in ("independent", "alike"):
            if kind == "alike":
                X = np.sqrt(0.1) * X + np.sqrt(0.9) * rng.normal(size=(len(X), 1))
            noise = rng.gumbel(size=(len(X), n_classes))
            y = np.argmax(X @ rng.normal(size=(30, n_classes)) + noise, axis=1)
            compare(f"100,000 x 30, {n_classes} classes, {kind}", 3 * X + 2, y)


if __name__ == "__main__":
    main()
