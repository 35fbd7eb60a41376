"""Two threads against one: fits and predictions of NB and HNB, wall-clock time."""

import numpy as np

from augury.generative import HiddenNaiveBayes, NaiveBayes
from benchmarks.timing import best_seconds, report


def main() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (1_000_000, 30)), rng.integers(0, 3, 1_000_000)
    for kind in (NaiveBayes, HiddenNaiveBayes):
        one, two = (kind(categorical_features="all", n_jobs=n).fit(X, y) for n in (1, 2))
        for name, work in (("fit", lambda m: m.fit(X, y)), ("predict", lambda m: m.predict(X))):
            alone = best_seconds(lambda work=work, m=one: work(m), 3)
            both = best_seconds(lambda work=work, m=two: work(m), 3)
            report(f"{kind.__name__} {name}, one thread", alone, "s")
            report(f"  {kind.__name__} {name}, two threads", alone / both, "x", "target: >= 1.7")


if __name__ == "__main__":
    main()
