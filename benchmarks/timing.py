"""Measurement of time and memory, for all benchmarks.

augury and other packages are measured in one run, through the public API, with the same call on
the same rows. The best of several repetitions is reported.
"""

import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any


def best_seconds(work: Callable[[], Any], repeats: int = 5) -> float:
    """Return the shortest wall-clock time of several calls."""
    return _best(work, repeats, time.perf_counter)


def best_processor_seconds(work: Callable[[], Any], repeats: int = 5) -> float:
    """Return the least processor time of several calls, over all threads of the process.

    On a shared machine it varies less than wall-clock time.
    """
    return _best(work, repeats, time.process_time)


def in_turn(works: Sequence[Callable[[], Any]], repeats: int = 5) -> list[float]:
    """Return the least processor time of each function; all are repeated in turn.

    Other load on the machine varies over time, so functions that are measured one after
    another may run under different conditions.
    """
    rounds = [[best_processor_seconds(work, 1) for work in works] for _ in range(repeats)]
    return [min(seconds) for seconds in zip(*rounds, strict=True)]


def _best(work: Callable[[], Any], repeats: int, clock: Callable[[], float]) -> float:
    seconds = []
    for _ in range(repeats):
        start = clock()
        work()
        seconds.append(clock() - start)
    return min(seconds)


def peak_megabytes(work: Callable[[], Any]) -> float:
    """Return the peak memory of NumPy and Python above that before the call."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


# Everything that was reported: label, value, unit and target.
REPORTED: list[tuple[str, float, str, str]] = []


def report(label: str, value: float, unit: str, target: str = "") -> None:
    REPORTED.append((label, value, unit, target))
    print(f"{label:<58} {value:>10.3f} {unit:<6} {target}", flush=True)


def compare(
    label: str,
    work: Callable[[], Any],
    peer: str,
    work_of_peer: Callable[[], Any],
    *,
    repeats: int = 5,
    target: str = "",
) -> None:
    """Report the processor time of both, measured in turn, and how many times as fast ours is."""
    theirs, ours = in_turn([work_of_peer, work], repeats)
    report(f"{label}: {peer}", theirs, "s")
    report(f"{label}: augury", ours, "s")
    report(
        f"  {label}: times as fast as {peer}",
        theirs / ours,
        "x",
        f"target: {target}" if target else "",
    )
