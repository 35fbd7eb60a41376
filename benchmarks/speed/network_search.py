"""Hill climbing under BIC, at most two parents, against pyAgrum's and pgmpy's; and bagging.

The class is a node like any other, as in these packages; one thread. Other packages are measured
if they are installed: pip install -r benchmarks/peers.txt. letter and mushroom need AUGURY_DATA.
`python -m benchmarks network_search` takes about ten minutes with the other packages.
"""

import os

import numpy as np
import pandas as pd

from augury.data import DataError, load_dataset
from augury.data.synthetic import make_random_network, sample_network
from augury.encode import TableEncoder
from augury.ensemble import BaggedNetworks
from augury.generative import BayesianNetworkClassifier
from augury.structure import HillClimb
from benchmarks.timing import best_seconds, report

N, D, V, Q = 1_000_000, 30, 5, 3


def dependent_table():
    """Return columns that depend on at most two others each and on the class."""
    network = make_random_network(D, V, Q, max_parents=2, concentration=1.0, random_state=0)
    data = sample_network(N, *network, random_state=0)
    return data.X, data.y


def independent_table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, V, (N, D)).astype(np.uint8)).astype("category")
    return X.set_axis([f"x{j}" for j in range(D)], axis=1), pd.Series(rng.integers(0, Q, N))


def discrete(name):
    """Return a data set as all programs get it: cut by MDL, missing values replaced."""
    data = load_dataset(name)
    table = TableEncoder(missing="replace").fit(data.X, data.y).transform(data.X)
    return table.to_frame(), data.y


def with_class(X, y):
    codes = {name: column.cat.codes.astype(str) for name, column in X.items()}
    return pd.DataFrame(codes).assign(the_class=pd.Categorical(y).codes.astype(str))


def pyagrum_climb(X, y):
    try:
        import pyagrum
    except ModuleNotFoundError:
        print("pyAgrum: not installed, not measured")
        return None
    frame = with_class(X, y)
    pyagrum.setNumberOfThreads(1)

    def climb():
        learner = pyagrum.BNLearner(frame)
        learner.useGreedyHillClimbing()
        learner.useScoreBIC()
        learner.setMaxIndegree(2)
        return learner.learnDAG()

    return climb


def pgmpy_climb(X, y):
    try:
        import logging

        from pgmpy.causal_discovery import HillClimbSearch
    except ModuleNotFoundError:
        print("pgmpy: not installed, not measured")
        return None
    logging.disable(logging.WARNING)
    frame = with_class(X, y)

    def climb():
        search = HillClimbSearch(
            scoring_method="bic-d", max_indegree=2, show_progress=False, return_type="dag"
        )
        return search.fit(frame)

    return climb


def compare(label, X, y, *, target, repeats):
    model = BayesianNetworkClassifier(structure_score="bic", max_parents=2, class_is_parent=False)
    climbs = {"pyAgrum": pyagrum_climb(X, y), "pgmpy": pgmpy_climb(X, y)}
    ours, theirs = np.inf, dict.fromkeys(climbs, np.inf)
    for _ in range(repeats):  # in turn, because the load of the machine varies
        ours = min(ours, best_seconds(lambda: model.fit(X, y), 3))
        for name, climb in climbs.items():
            if climb is not None:
                theirs[name] = min(theirs[name], best_seconds(climb, 1))
    n_edges = sum(len(above) for above in model.structure_.nodes)
    report(f"{label}: augury, {n_edges} edges", ours, "s")
    for name, seconds in theirs.items():
        if np.isfinite(seconds):
            report(f"{label}: {name}", seconds, "s")
            report("  augury, times as fast", seconds / ours, "x", target)
    # The other packages start from the empty graph, ours starts from naive Bayes by default.
    search = HillClimb("bic", max_parents=2, class_is_parent=False, start="empty")
    empty = BayesianNetworkClassifier(search)
    report(f"{label}: augury, from the empty graph", best_seconds(lambda: empty.fit(X, y)), "s")
    augmented = BayesianNetworkClassifier(structure_score="bic", max_parents=2)
    report(
        f"{label}: augury, the class a parent of all",
        best_seconds(lambda: augmented.fit(X, y)),
        "s",
    )


def measure_bagging(X, y):
    for n_jobs in (1, 2):
        model = BaggedNetworks(n_estimators=30, random_state=0, n_jobs=n_jobs)
        report(
            f"mushroom: Bagging-aCLL, 30 rounds, {n_jobs} job(s)",
            best_seconds(lambda m=model: m.fit(X, y), 2),
            "s",
            "target: < 10",
        )


def main() -> None:
    if "AUGURY_DATA" in os.environ:
        for name in ("letter", "mushroom"):
            try:
                X, y = discrete(name)
            except DataError as error:
                print(f"{name}: not measured, {error}")
                continue
            compare(name, X, y, target="target: >= 5", repeats=5)
            if name == "mushroom":
                measure_bagging(X, y)
    else:
        print("letter and mushroom: not measured, AUGURY_DATA is not set")
    compare("1e6 x 30, dependent", *dependent_table(), target="target: >= 20", repeats=1)
    compare("1e6 x 30, independent", *independent_table(), target="target: >= 20", repeats=1)


if __name__ == "__main__":
    main()
