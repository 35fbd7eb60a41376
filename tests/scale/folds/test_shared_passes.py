"""Fits that run side by side."""

from collections.abc import Callable, Sequence
from typing import Any

from augury.scale.folds.shared_passes import SharedFit, SharedRows, run_side_by_side

ROWS = [(1,), (2,), (3,)]


def compute(passes: list[int]) -> Callable[[Sequence[Any]], list[Any]]:
    def sums(asked: Sequence[Any]) -> list[Any]:
        passes.append(len(asked))
        return [[sum(function(*row) for row in ROWS)] for _, function in asked]

    return sums


def test_a_pass_serves_all_fits_that_need_one() -> None:
    found: dict[str, Any] = {}
    rows = {name: SharedRows(ROWS[0]) for name in "abc"}

    def once() -> None:
        found["a"] = rows["a"].total(lambda x: x)

    def twice() -> None:
        first = rows["b"].total(lambda x: x * x)
        first.append("changed")  # the fit is called again, and must get what was computed
        found["b"] = (first, rows["b"].total(lambda x: x + len(first)))

    def failing() -> None:
        rows["c"].total(lambda x: x)
        raise ValueError("no such thing")

    functions = {"a": once, "b": twice, "c": failing}
    fits = [SharedFit(work, rows[name]) for name, work in functions.items()]
    passes: list[int] = []
    run_side_by_side(fits, compute(passes))
    assert found == {"a": [6], "b": ([14, "changed"], [12])}
    assert passes == [3, 1]
    assert [str(fit.error) for fit in fits] == ["None", "None", "no such thing"]


def test_the_first_block_needs_no_pass() -> None:
    assert SharedRows((5, 6)).first(lambda a, b: a * b) == 30
