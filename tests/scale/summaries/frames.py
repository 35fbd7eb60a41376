"""Frames of all kinds of columns, and surveys of their parts."""

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
import pandas as pd

from augury.arrays import FloatArray, IntegerArray
from augury.scale.summaries.bin_counts import BinCounts
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.table_survey import TableSurvey


def random_frame(rng: np.random.Generator, n_rows: int) -> pd.DataFrame:
    """Return a frame with labels, numbers and gaps."""
    numbers = rng.normal(size=n_rows).round(rng.integers(0, 3)) + 0.0  # no -0.0
    gaps = rng.random(n_rows) < 0.2
    labels = rng.choice(["red", "green", "blue", "Blue "], n_rows).astype(object)
    declared = rng.choice(["low", "high"], n_rows)
    return pd.DataFrame(
        {
            "colour": np.where(gaps, None, labels),
            "text": pd.Series(rng.choice(["a", "b"], n_rows), dtype="str"),
            "size": pd.Categorical(declared, categories=["high", "none", "low"]),
            "flag": rng.random(n_rows) < 0.5,
            "maybe": pd.array(np.where(gaps, None, numbers > 0), dtype="boolean"),
            "count": rng.integers(-3, 4, n_rows),
            "small": rng.integers(0, 200, n_rows).astype(np.uint8),
            "wide": rng.integers(0, 10**12, n_rows),
            "length": np.where(gaps, np.nan, numbers),
            "mass": rng.normal(size=n_rows) ** 3,
            "nullable": pd.array(np.where(gaps, None, rng.integers(0, 9, n_rows)), dtype="Int64"),
            "objects": np.where(gaps, None, rng.integers(0, 9, n_rows).astype(object)),
            "nothing": np.full(n_rows, np.nan),
        }
    )  # fmt: skip


def parts_of(n_rows: int, ends: Sequence[int]) -> list[slice]:
    """Return adjacent parts that end at these rows and at the last row."""
    edges = sorted({0, n_rows, *(end for end in ends if end < n_rows)})
    return [slice(a, b) for a, b in pairwise(edges)]


def survey_parts(
    frame: pd.DataFrame,
    weight: FloatArray | None,
    parts: Sequence[slice],
    settings: SurveySettings | None = None,
) -> list[TableSurvey]:
    return [
        TableSurvey.collect(
            frame.iloc[rows],
            None if weight is None else weight[rows],
            key=5,
            first_row=rows.start,
            settings=settings or SurveySettings(),
        )
        for rows in parts
    ]


def survey_frame(
    frame: pd.DataFrame,
    weight: FloatArray | None = None,
    ends: Sequence[int] = (),
    settings: SurveySettings | None = None,
) -> TableSurvey:
    """Return the sum of the surveys of parts."""
    return reduce(add, survey_parts(frame, weight, parts_of(len(frame), ends), settings))


def count_parts(
    values: FloatArray,
    y: IntegerArray,
    weight: FloatArray | None,
    survey: TableSurvey,
    name: str,
    ends: Sequence[int] = (),
) -> BinCounts:
    """Return the class × bin weights of a column, summed over parts."""
    n_classes = int(y.max(initial=0)) + 1
    bins = survey.bins(name, n_classes)
    return reduce(
        add,
        [
            BinCounts.collect(
                values[rows], y[rows], None if weight is None else weight[rows], n_classes, bins
            )
            for rows in parts_of(len(values), ends)
        ],
    )
