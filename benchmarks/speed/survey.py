"""Surveys of blocks of rows against decoding the same blocks from Parquet."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from augury.scale.summaries.bin_counts import BinCounts
from augury.scale.summaries.bins import Bins
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.table_survey import TableSurvey
from benchmarks.timing import compare, in_turn, report

N = 1 << 17
N_COLUMNS = 10


def blocks() -> dict[str, Callable[[np.random.Generator], Any]]:
    labels = np.array([f"label {i}" for i in range(1000)], dtype=object)
    return {
        "integers, 10 values": lambda rng: rng.integers(0, 10, N),
        "integers, wide range": lambda rng: rng.integers(0, 10**9, N),
        "floats": lambda rng: rng.normal(size=N),
        "floats, 2 decimals": lambda rng: rng.normal(size=N).round(2),
        "text, 1000 labels": lambda rng: pd.Series(labels[rng.integers(0, 1000, N)], dtype="str"),
        "category, 1000": lambda rng: pd.Categorical.from_codes(rng.integers(0, 1000, N), labels),
    }


def main() -> None:
    rng = np.random.default_rng(0)
    settings = SurveySettings().for_rows(50_000_000, N_COLUMNS)
    for label, draw in blocks().items():
        frame = pd.DataFrame({f"x{j}": draw(rng) for j in range(N_COLUMNS)})
        file = io.BytesIO()
        frame.to_parquet(file)
        known = TableSurvey.collect(frame, None, 0, 0, settings).too_many
        compare(
            f"survey of {label}",
            lambda frame=frame, known=known: TableSurvey.collect(
                frame, None, 0, 0, settings, known
            ),
            "pandas.read_parquet",
            lambda file=file: pd.read_parquet(file),
        )
    values, y = np.exp(rng.normal(size=N)), rng.integers(0, 2, N).astype(np.int32)
    bins = Bins.of_sample(np.exp(rng.normal(size=1 << 16)), 2)
    counts = BinCounts.collect(values, y, None, 2, bins)
    (seconds,) = in_turn([lambda: counts.add_rows(values, y, None)])
    report("class × bin weights, 65,536 bins", N / seconds / 1e6, "M/s")


if __name__ == "__main__":
    main()
