"""Start-up times, each measured in new processes."""

import subprocess
import sys
from pathlib import Path

from benchmarks.timing import best_seconds, report

FIRST_FIT = """
import time, numpy as np
from augury.generative import NaiveBayes
X = np.random.default_rng(0).normal(size=(150, 4)); y = (X[:, 0] > 0).astype(int)
start = time.perf_counter()
NaiveBayes().fit(X, y).predict_proba(X)
print(time.perf_counter() - start)
"""

IMPORTS = """
import time, sklearn
start = time.perf_counter()
import augury, augury.generative
print(time.perf_counter() - start)
"""


def printed_by_new_process(script: str, repeats: int = 5) -> float:
    """Return the smallest number that the script printed in several processes."""
    return min(
        float(
            subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
        )
        for _ in range(repeats)
    )


def main() -> None:
    augury = Path(sys.executable).with_name("augury")
    help_seconds = best_seconds(
        lambda: subprocess.run([augury, "--help"], capture_output=True, check=True)
    )
    report("augury --help", help_seconds, "s", "target: < 0.4")
    report(
        "import augury.generative after sklearn",
        printed_by_new_process(IMPORTS),
        "s",
        "target: <= 0.2",
    )
    report(
        "first small fit in a new process", printed_by_new_process(FIRST_FIT), "s", "target: < 0.3"
    )


if __name__ == "__main__":
    main()
