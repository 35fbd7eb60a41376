"""Where the time of each model goes: seconds, bytes a second, and the largest steps.

`python -m benchmarks breakdown [MODEL or TABLE ...]` prints the Markdown tables of
docs/performance.md: the fit and the prediction of each model of `benchmarks.model_works`, in
processor time of one thread, the best of three. Input is read at least once and the result is
written once: these bytes divided by the time stand beside the speed of `np.copyto` of 256 MB in
the same run. The shares of the steps are those of a further call under the profiler of
`benchmarks.step_shares`.
"""

import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.model_works import WORKS, ModelWork, bytes_of
from benchmarks.step_shares import largest_shares, step_seconds
from benchmarks.timing import best_processor_seconds

_COPIED = 1 << 28
_REPEATS = 3


def copy_speed() -> float:
    """Return the bytes a second that a copy reads and writes."""
    source, target = np.ones(_COPIED, dtype=np.uint8), np.zeros(_COPIED, dtype=np.uint8)
    return 2 * _COPIED / best_processor_seconds(lambda: np.copyto(target, source), 5)


def describe(work: Callable[[], Any], n_bytes: int, copied: float) -> str:
    """Return milliseconds, megabytes, GB/s, the share of a copy's speed and the largest steps."""
    seconds = best_processor_seconds(work, _REPEATS)
    speed = n_bytes / seconds
    steps = ", ".join(
        f"{step} {100 * share:.0f} %" for step, share in largest_shares(step_seconds(work))
    )
    return (
        f"{1e3 * seconds:,.1f} | {n_bytes / 1e6:,.1f} | {speed / 1e9:.3g} | "
        f"{100 * speed / copied:.2g} % | {steps}"
    )


def rows_of(work: ModelWork, copied: float) -> tuple[str, str]:
    """Return the lines of the fit and of the prediction."""
    print(f"{work.name}, {work.kind} ...", file=sys.stderr, flush=True)
    X, y = work.rows()
    model = work.build()
    fit = describe(lambda: model.fit(X, y), bytes_of(X) + bytes_of(y), copied)
    some = work.predicted_rows()
    # A support vector machine has no probabilities.
    predict = model.predict_proba if hasattr(model, "predict_proba") else model.predict
    predicted = describe(lambda: predict(some), bytes_of(some) + bytes_of(predict(some)), copied)
    return (
        f"| {work.name} | {work.kind}, {work.n_fitted:,} | {fit} |",
        f"| {work.name} | {work.kind}, {some.shape[0]:,} | {predicted} |",
    )


def main() -> None:
    # A regression that stops at its limit of steps is measured too.
    warnings.simplefilter("ignore")
    wanted = sys.argv[2:]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    copied = copy_speed()
    lines = [
        rows_of(work, copied)
        for work in WORKS
        if not wanted or {work.name, work.kind} & set(wanted)
    ]
    print(f"Commit {commit}; a copy reads and writes {copied / 1e9:.1f} GB/s.")
    for title, column in (("Fits", 0), ("Predictions", 1)):
        print(f"\n### {title}\n")
        print("| model | table, rows | ms | MB | GB/s | of a copy | largest steps |")
        print("|---|---|---|---|---|---|---|")
        print("\n".join(line[column] for line in lines))


if __name__ == "__main__":
    main()
