"""The breakdown of time attributes seconds to functions of augury, and measures every model."""

import numpy as np

from augury.counts import Moments
from augury.models import known_models
from benchmarks.model_works import WORKS
from benchmarks.step_shares import largest_shares, step_seconds


def test_time_of_numpy_belongs_to_the_function_that_calls_it() -> None:
    numbers, y = np.ones((1000, 3)), np.zeros(1000, dtype=np.intp)
    seconds = step_seconds(lambda: Moments.collect(numbers, y, 2))
    assert {"moments.collect", "moments._collect", "moments._sum_by_class"} <= set(seconds)
    assert all(step.split(".")[0] == "moments" for step in seconds)


def test_shares_are_sorted_parts_of_the_whole() -> None:
    shares = largest_shares({"a": 1.0, "b": 2.0, "c": 1.0}, 2)
    assert shares[0] == ("b", 0.5)
    assert shares[1][1] == 0.25


def test_every_model_of_augury_is_measured() -> None:
    own = {name for name, entry in known_models().items() if entry.path.startswith("augury.")}
    assert own <= {work.name for work in WORKS}
