"""How all benchmarks measure.

Ours and the peer are measured in one run, through the public API, with the same call on the same
rows; the best of several repetitions counts.
"""

import time
import tracemalloc
from collections.abc import Callable
from typing import Any


def best_seconds(work: Callable[[], Any], repeats: int = 5) -> float:
    """Return the shortest time of several runs on the wall clock."""
    return _best(work, repeats, time.perf_counter)


def best_processor_seconds(work: Callable[[], Any], repeats: int = 5) -> float:
    """Return the least processor time of several runs, over all threads of the process.

    On a shared machine it varies less than the time on the wall clock.
    """
    return _best(work, repeats, time.process_time)


def _best(work: Callable[[], Any], repeats: int, clock: Callable[[], float]) -> float:
    seconds = []
    for _ in range(repeats):
        start = clock()
        work()
        seconds.append(clock() - start)
    return min(seconds)


def peak_megabytes(work: Callable[[], Any]) -> float:
    """Return the largest memory that NumPy and Python held beyond what they held before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def report(label: str, value: float, unit: str, target: str = "") -> None:
    print(f"{label:<58} {value:>10.3f} {unit:<6} {target}", flush=True)
