"""How all benchmarks measure."""

import time
import tracemalloc
from collections.abc import Callable
from typing import Any


def best_seconds(work: Callable[[], Any], repeats: int = 5) -> float:
    """Return the shortest of several runs: the machines are shared and noisy."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
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
