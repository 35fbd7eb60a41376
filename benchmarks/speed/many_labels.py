"""Models of pairs and families on tables with columns of almost as many labels as rows.

Each model is fitted in a process of its own, on the table of `make_many_labels`; naive Bayes on
the same table is the unit of time. The memory is the peak of the process above that with the
table and naive Bayes. `python -m benchmarks many_labels` takes less than a minute.
"""

import os
import resource
import subprocess
import sys
import time

from augury.data.synthetic import make_many_labels
from augury.ensemble import BaggedNetworks
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    HiddenNaiveBayes,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from benchmarks.timing import report

# The model, and the largest number of times that its fit may take that of naive Bayes.
MODELS = {
    "KDB": (lambda: KDependenceBayes(), 50),
    "hill climbing, aCLL": (lambda: BayesianNetworkClassifier(structure_score="acll"), 100),
    "hill climbing, K2": (lambda: BayesianNetworkClassifier(structure_score="k2"), 100),
    "bagging, 10 networks": (lambda: BaggedNetworks(n_estimators=10, random_state=0), 500),
    "TAN": (lambda: TreeAugmentedNaiveBayes(), None),
    "AODE": (lambda: AveragedOneDependence(), None),
    "HNB": (lambda: HiddenNaiveBayes(), None),
}
SECONDS = int(os.environ.get("MANY_LABELS_SECONDS", "600"))


def seconds_of(work, repeats=3):
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(name, n_samples):
    """Print the times of naive Bayes and of a model, fit and predict, and the memory in MB."""
    table = make_many_labels(n_samples, random_state=0)
    naive = NaiveBayes().fit(table.X, table.y)
    naive.predict_proba(table.X)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model = MODELS[name][0]()
    first = seconds_of(lambda: model.fit(table.X, table.y), 1)
    fit = min(first, seconds_of(lambda: model.fit(table.X, table.y), 2)) if first < 5 else first
    predict = seconds_of(lambda: model.predict_proba(table.X), 1)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    unit = seconds_of(lambda: naive.fit(table.X, table.y), 5)
    unit_predict = seconds_of(lambda: naive.predict_proba(table.X), 5)
    print(unit, fit, unit_predict, predict, memory / 1000)


def main(sizes=(540, 2000)):
    for n in sizes:
        for name, (_, limit) in MODELS.items():
            call = f"from benchmarks.speed.many_labels import measure; measure({name!r}, {n})"
            try:
                found = subprocess.run(
                    [sys.executable, "-c", call], capture_output=True, text=True, timeout=SECONDS
                )
            except subprocess.TimeoutExpired:
                print(f"{n} rows, {name}: more than {SECONDS} s")
                continue
            if found.returncode:
                print(f"{n} rows, {name}: {found.stderr.strip().splitlines()[-1]}")
                continue
            unit, fit, unit_predict, predict, memory = map(float, found.stdout.split())
            target = f"at most {limit}" if limit else ""
            report(f"{n} rows, {name}: fit", fit / unit, "x NB", target)
            report(f"{n} rows, {name}: fit", fit, "s")
            report(f"{n} rows, {name}: predict", predict / unit_predict, "x NB")
            report(f"{n} rows, {name}: memory", memory, "MB", "at most 200")


if __name__ == "__main__":
    main()
