"""Discriminant analyses against scikit-learn's on 1,000,000 × 30 numbers, one thread.

The time is the processor time of whole calls; `python -m benchmarks discriminants`.
"""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as PeerLinear
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as PeerQuadratic

from augury.generative import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from benchmarks.timing import best_processor_seconds, report

N, D, Q = 1_000_000, 30, 3
PAIRS = {
    "LDA": (
        LinearDiscriminantAnalysis(),
        {"svd": PeerLinear(), "lsqr": PeerLinear(solver="lsqr")},
    ),
    "QDA": (QuadraticDiscriminantAnalysis(), {"svd": PeerQuadratic()}),
}


def main() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, Q, N)
    X = rng.standard_normal((N, D)) + 0.3 * y[:, None]
    for name, (model, peers) in PAIRS.items():
        fit = best_processor_seconds(lambda m=model: m.fit(X, y), 3)
        predict = best_processor_seconds(lambda m=model: m.predict_proba(X), 3)
        report(f"{name} fit", fit, "s")
        report(f"{name} predict_proba", predict, "s")
        for solver, peer in peers.items():
            peer_fit = best_processor_seconds(lambda m=peer: m.fit(X, y), 3)
            peer_predict = best_processor_seconds(lambda m=peer: m.predict_proba(X), 3)
            report(f"  scikit-learn, {solver}: fit", peer_fit, "s")
            report(f"  {name}: fit, times as fast", peer_fit / fit, "x")
            report(f"  scikit-learn, {solver}: predict_proba", peer_predict, "s")
            report(f"  {name}: predict_proba, times as fast", peer_predict / predict, "x")


if __name__ == "__main__":
    main()
