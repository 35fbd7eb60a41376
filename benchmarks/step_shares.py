"""Shares of the functions of augury in the processor time of a call.

Every function of augury and every C kernel has the time that it takes itself. The time of NumPy,
pandas, SciPy and scikit-learn belongs to the function of augury that called them.
"""

import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import augury
from augury.kernels import _native

_SOURCES = str(Path(augury.__file__).parent)
_KERNELS = _native.__name__


class StepClock:
    """Profile function that adds the processor time of each function of augury.

    It is made for calls in which one thread works at a time.

    Attributes
    ----------
    seconds : processor seconds by "file.function", or "kernel function" for those in C
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._stack = ["outside"]
        self._names: dict[Any, str | None] = {}
        self._since = time.process_time()

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """Add the time since the last event to the function that ran, at calls and returns."""
        if event.startswith("c_"):
            if getattr(arg, "__module__", None) != _KERNELS:
                return
            name: str | None = f"kernel {arg.__name__}"
        else:
            name = self._name_of(frame)
        if name is None:
            return
        now = time.process_time()
        self.seconds[self._stack[-1]] += now - self._since
        if event.endswith("call"):
            self._stack.append(name)
        elif len(self._stack) > 1:
            self._stack.pop()
        self._since = time.process_time()

    def _name_of(self, frame: FrameType) -> str | None:
        """Return the step of a Python function; None if it is not in augury's sources.

        Functions within functions, such as generators, belong to the function around them.
        """
        code = frame.f_code
        if code not in self._names:
            file = Path(code.co_filename)
            function = code.co_qualname.split(".<locals>")[0].rpartition(".")[2]
            ours = code.co_filename.startswith(_SOURCES)
            self._names[code] = f"{file.stem}.{function}" if ours else None
        return self._names[code]


def step_seconds(work: Callable[[], Any]) -> dict[str, float]:
    """Return the processor seconds of each step of a call, without those outside augury."""
    clock = StepClock()
    # A thread that the call starts does its work while the call waits for it.
    threading.setprofile(clock)
    sys.setprofile(clock)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    clock.seconds.pop("outside", None)
    return dict(clock.seconds)


def largest_shares(seconds: dict[str, float], n: int = 4) -> list[tuple[str, float]]:
    """Return the n steps with most time, each with its share of the sum.

    >>> largest_shares({"a.read": 1.0, "a.count": 3.0}, 1)
    [('a.count', 0.75)]
    """
    whole = sum(seconds.values())
    largest = sorted(seconds, key=lambda step: seconds[step], reverse=True)[:n]
    return [(step, seconds[step] / whole) for step in largest]


__all__ = ["StepClock", "largest_shares", "step_seconds"]
