"""The comparison of two source trees measures what it names."""

import pytest

from benchmarks import compare_trees, tree_worker


@pytest.mark.parametrize("work", list(compare_trees.works([60]).values())[:-1])
def test_every_work_can_be_done_in_this_tree(work: str) -> None:
    name, action, n_rows = work.split()
    assert tree_worker.work_named(name, action, int(n_rows))() is not None


def test_the_least_seconds_of_all_rounds_count() -> None:
    class Fake:
        def __init__(self, *answers: float | str) -> None:
            self.answers = iter(answers)

        def seconds(self, work: str) -> float | str:
            return next(self.answers)

    old, new = Fake(3.0, 2.0, 4.0), Fake(1.0, 5.0, 1.5)
    assert compare_trees.measure([old, new], "work", 3) == [2.0, 1.0]  # type: ignore[list-item]
    failing = Fake("LookupError: no class X", 1.0)
    [answer] = compare_trees.measure([failing], "work", 2)  # type: ignore[list-item]
    assert answer == "LookupError: no class X"


def test_rows_of_the_table() -> None:
    assert compare_trees.row("NB, fit", 0.004, 0.002) == "| NB, fit | 4.00 | 2.00 | 2.00 |"
    assert compare_trees.row("NB, fit", "no class", 0.002) == "| NB, fit | no class | 2.00 | – |"
