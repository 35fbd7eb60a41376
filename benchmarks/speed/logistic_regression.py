"""Logistic regression on codes against scikit-learn's lbfgs on the same indicators.

Both minimise the same function and stop by their own defaults. The loss of each is reported,
and ours must be as low. scikit-learn gets the indicators as a sparse and as a dense matrix, and
the faster one is compared. Ours is a whole `fit`, reading of the frame included. One thread,
processor time.

`python -m benchmarks logistic_regression`; letter needs AUGURY_DATA.
"""

import os

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.preprocessing import OneHotEncoder

from augury.data.synthetic import make_random_network, sample_network
from augury.discriminative import LogisticRegression
from benchmarks.speed.network_search import discrete
from benchmarks.timing import in_turn, report

# A larger dense matrix of indicators is not tried.
DENSE_BYTES = 2e9


def penalised_loss(proba, y, coefficients):
    return -np.log(proba[np.arange(len(y)), y]).sum() + 0.5 * (coefficients**2).sum()


def indicators(X):
    codes = pd.DataFrame({name: column.cat.codes for name, column in X.items()})
    return OneHotEncoder(
        categories=[np.arange(len(column.cat.categories)) for _, column in X.items()]
    ).fit_transform(codes)


def compare(label, X, y, repeats):
    sparse = indicators(X)
    peers = {"sparse": (Peer(max_iter=10_000), sparse)}
    if sparse.shape[0] * sparse.shape[1] * 8 <= DENSE_BYTES:
        peers["dense"] = (Peer(max_iter=10_000), sparse.toarray())
    ours = LogisticRegression(continuous="discretize")
    works = [lambda: ours.fit(X, y)]
    works += [lambda m=model, x=matrix: m.fit(x, y) for model, matrix in peers.values()]
    seconds, *theirs = in_turn(works, repeats)
    losses = []
    for (kind, (model, matrix)), took in zip(peers.items(), theirs, strict=True):
        losses.append(penalised_loss(model.predict_proba(matrix), y, model.coef_))
        report(f"{label}: scikit-learn, {kind}, {model.n_iter_[0]} iterations", took, "s")
        report("  penalised loss", losses[-1], "nats")
    own = ours.coef_ if len(ours.classes_) > 2 else ours.coef_[1:]
    reached = penalised_loss(ours.predict_proba(X), y, own)
    report(f"{label}: augury, {ours.n_iter_} steps", seconds, "s")
    report("  penalised loss", reached, "nats", f"target: <= {min(losses):.3f}")
    report("  times as fast", min(theirs) / seconds, "x", "target: >= 3")


def main() -> None:
    if "AUGURY_DATA" in os.environ:
        X, y = discrete("letter")
        compare("letter", X, y.cat.codes.to_numpy(), repeats=5)
    else:
        print("letter: not measured, AUGURY_DATA is not set")
    network = make_random_network(30, 5, 3, max_parents=1, random_state=0)
    data = sample_network(1_000_000, *network, random_state=0)
    compare("1e6 x 30", data.X, data.y.cat.codes.to_numpy(), repeats=3)


if __name__ == "__main__":
    main()
