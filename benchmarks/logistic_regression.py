"""Logistic regression on codes against scikit-learn's lbfgs on the same one-hot matrix.

Both minimise the same function; time is measured to the loss that scikit-learn reaches with
its defaults. `python -m benchmarks logistic_regression`; letter wants AUGURY_DATA.
"""

import os
import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as Dense
from sklearn.preprocessing import OneHotEncoder

from augury.data.synthetic import make_random_network, sample_network
from augury.discriminative import LogisticRegression
from benchmarks.network_search import discrete
from benchmarks.timing import best_seconds, report

# From scikit-learn's own tolerance down to where the loss is surely as low.
TOLERANCES = (1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 1e-6)


def penalised_loss(proba, y, coefficients):
    return -np.log(proba[np.arange(len(y)), y]).sum() + 0.5 * (coefficients**2).sum()


def compare(label, X, y, repeats):
    codes = pd.DataFrame({name: column.cat.codes for name, column in X.items()})
    indicators = OneHotEncoder(
        categories=[np.arange(len(column.cat.categories)) for _, column in X.items()]
    ).fit_transform(codes)
    dense = Dense(max_iter=1000)
    theirs = best_seconds(lambda: dense.fit(indicators, y), repeats)
    loss = penalised_loss(dense.predict_proba(indicators), y, dense.coef_)
    report(f"{label}: scikit-learn, {dense.n_iter_[0]} iterations", theirs, "s")
    report("  penalised loss", loss, "nats")
    for tolerance in TOLERANCES:
        model = LogisticRegression(numbers="discretize", tol=tolerance)
        ours = best_seconds(lambda m=model: m.fit(X, y), repeats)
        own = model.coef_ if len(model.classes_) > 2 else model.coef_[1:]
        reached = penalised_loss(model.predict_proba(X), y, own)
        if reached <= loss * (1 + 1e-7):
            report(f"{label}: augury, tol={tolerance:g}, {model.n_iter_} steps", ours, "s")
            report("  penalised loss", reached, "nats")
            report("  so many times as fast", theirs / ours, "x", "target: >= 3")
            return
    print(f"{label}: augury does not reach the loss")


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    if "AUGURY_DATA" in os.environ:
        X, y = discrete("letter")
        compare("letter", X, y.cat.codes.to_numpy(), repeats=2)
    else:
        print("letter: not measured, AUGURY_DATA is not set")
    network = make_random_network(30, 5, 3, max_parents=1, random_state=0)
    data = sample_network(1_000_000, *network, random_state=0)
    compare("1e6 x 30", data.X, data.y.cat.codes.to_numpy(), repeats=1)


if __name__ == "__main__":
    main()
