"""Time of HBayes-NB's search relative to one logistic regression, ours and published.

Times on different machines cannot be compared, but the ratio of the two times can. Table 3 of
Zhang, Jiang and Zhang (2022) has both times for a training fold. `python -m benchmarks
split_search` needs AUGURY_DATA.
"""

import os
import warnings

from sklearn.exceptions import ConvergenceWarning

from augury.discriminative import LiblinearLogisticRegression
from augury.evaluate import WekaFolds
from augury.hybrid import HBayesNB
from benchmarks.speed.network_search import discrete
from benchmarks.timing import best_seconds, report

# Seconds of LR and of HBayes-NB. The paper prints 0.00 for LR on sonar: less than 0.005.
PRINTED = {"splice": (1.23, 3874.72), "sonar": (0.005, 265.97)}


def compare(name, label, regression, search, X, y):
    printed_lr, printed_search = PRINTED[name]
    one = best_seconds(lambda: regression.fit(X, y), 3)
    report(f"{name}: {label}", one, "s")
    report("  HBayes-NB, ratio of times", search / one, "")
    times = (printed_search / printed_lr) / (search / one)
    report("  printed ratio relative to ours", times, "x", "target: >= 50")


def main() -> None:
    if "AUGURY_DATA" not in os.environ:
        print("not measured, AUGURY_DATA is not set")
        return
    warnings.simplefilter("ignore", ConvergenceWarning)
    for name in PRINTED:
        X, y = discrete(name)
        train, _ = next(WekaFolds().split(X, y))
        X, y = X.iloc[train], y.iloc[train]
        model = HBayesNB.as_published()
        search = best_seconds(lambda m=model, X=X, y=y: m.fit(X, y), 3)
        report(f"{name}: HBayes-NB, {len(model.moved_)} columns moved", search, "s")
        lr = LiblinearLogisticRegression.as_published()
        compare(name, "LR, its optimum by Newton's steps", lr, search, X, y)
        # LIBLINEAR's dual solver, which the paper used.
        dual = lr.set_params(dual=True, tol=1e-3, random_state=0)
        compare(name, "LR, LIBLINEAR's dual solver", dual, search, X, y)


if __name__ == "__main__":
    main()
