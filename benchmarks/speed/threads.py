"""Two threads against one: fits and predictions of NB and HNB, wall-clock time.

The share of one thread is the processor time of the calling thread while two others do the work,
divided by that of a run with one thread. Unlike the wall-clock time it can be measured on a
machine with other load.
"""

import time

import numpy as np

from augury.generative import HiddenNaiveBayes, NaiveBayes
from benchmarks.timing import best_processor_seconds, best_seconds, report


def serial_seconds(work, repeats=5):
    """Return the least processor time of the calling thread."""
    times = []
    for _ in range(repeats):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return min(times)


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
            serial = serial_seconds(lambda work=work, m=two: work(m))
            whole = best_processor_seconds(lambda work=work, m=one: work(m), 3)
            report(f"  {kind.__name__} {name}, share of one thread", 100 * serial / whole, "%")


if __name__ == "__main__":
    main()
